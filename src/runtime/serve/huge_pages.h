// SPDX-License-Identifier: Apache-2.0
// Huge pages for the private memory of this process: what a fork copies is page tables, a
// five-hundredth as many for huge pages.
#pragma once

namespace ridge::runtime {

/// Brings private memory into huge pages: at once where the system can (MADV_COLLAPSE, Linux 6.1),
/// else it asks the system for them. Returns memory that the allocator keeps unused first. Memory
/// that is allocated later is as ever, so that copies take no more than they need. Nothing fails:
/// what could not be done stays as it is (ipc::ProcessMemory::anonymous_huge shows it). Cost: that
/// of copying the memory.
void use_huge_pages();

}  // namespace ridge::runtime
