// SPDX-License-Identifier: Apache-2.0
// Allocation of blocks of 2 MiB and more; see large_blocks.cc.
#pragma once

namespace ridge::cli {

/// Makes malloc map every large block separately from now on; inside the heap, their alignment
/// would leave holes of up to 2 MiB. Not called in the measuring child process, which keeps the
/// default allocator settings that other programs have.
void map_large_blocks();

}  // namespace ridge::cli
