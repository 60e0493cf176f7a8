// What the control groups of this process allow it: processors' time and memory.
//
// Both hierarchies are known (v1 and v2). A limit of any ancestor holds, so the smallest on the way
// to the root counts. Source: Linux Documentation/admin-guide/cgroup-v2.rst, cgroup-v1/memory.rst
// and scheduler/sched-bwc.rst.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "machine/system_files.h"

namespace ridge::machine {

struct CgroupLimits {
  std::optional<double> cpus;  ///< quota / period
  std::optional<std::int64_t> memory_bytes;
  std::string cpus_reason, memory_reason;  ///< why there is none
};

CgroupLimits read_cgroup_limits(const SystemFiles& files);

}  // namespace ridge::machine
