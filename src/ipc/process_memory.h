// SPDX-License-Identifier: Apache-2.0
// Memory of a process, shared pages divided by those who share them.
#pragma once

#include <sys/types.h>

#include <optional>

#include "base/units.h"

namespace ridge::ipc {

/// From /proc/PID/smaps_rollup (proc_pid_smaps(5)). Costs a walk over the process's page tables.
struct ProcessMemory {
  Bytes proportional;    ///< PSS: sums over processes count each page once
  Bytes own;             ///< USS: pages that no other process has
  Bytes anonymous;       ///< private memory, shared after a fork until it is written
  Bytes anonymous_huge;  ///< part of it in huge pages
};

/// nullopt: the process has ended, or belongs to another user.
std::optional<ProcessMemory> memory_of(pid_t process);

}  // namespace ridge::ipc
