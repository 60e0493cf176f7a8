// SPDX-License-Identifier: Apache-2.0
// Limits of this process's control groups: processor time and memory.
//
// Supports both hierarchies (v1 and v2). A limit of any ancestor applies, so the smallest one on
// the path to the root is returned. Source: Linux Documentation/admin-guide/cgroup-v2.rst,
// cgroup-v1/memory.rst and scheduler/sched-bwc.rst.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "machine/system_files.h"

namespace ridge::machine {

struct CgroupLimits {
  std::optional<double> cpus;  ///< quota / period
  std::optional<std::int64_t> memory_bytes;
  std::string cpus_reason, memory_reason;  ///< reason why there is no limit
};

CgroupLimits read_cgroup_limits(const SystemFiles& files);

}  // namespace ridge::machine
