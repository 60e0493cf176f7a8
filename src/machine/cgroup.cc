// SPDX-License-Identifier: Apache-2.0
#include "machine/cgroup.h"
#include "base/number.h"

#include <algorithm>
#include <functional>

namespace ridge::machine {
namespace {

// v1 represents "no limit" by the largest multiple of a page; values this large mean no limit.
constexpr std::int64_t kNoLimit = std::int64_t{1} << 60;

/// Returns the path of this process in one hierarchy of /proc/self/cgroup ("9:cpu,cpuacct:/a/b");
/// pass an empty `controller` for the v2 line.
std::optional<std::string> own_path(std::string_view groups, std::string_view controller) {
  while (!groups.empty()) {
    std::string_view line = groups.substr(0, groups.find('\n'));
    groups.remove_prefix(std::min(line.size() + 1, groups.size()));
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) continue;
    const std::string names = "," + std::string(line.substr(first + 1, second - first - 1)) + ",";
    const std::string wanted = controller.empty() ? ",," : "," + std::string(controller) + ",";
    if (names.find(wanted) != std::string::npos) return std::string(line.substr(second + 1));
  }
  return std::nullopt;
}

/// Calls `visit` with the folder of `path` below `mount` and with the folders of its ancestors.
void upwards(const std::string& mount, std::string path,
             const std::function<void(const std::string&)>& visit) {
  for (;;) {
    while (!path.empty() && path.back() == '/') path.pop_back();
    visit(mount + path);
    if (path.empty()) return;
    path.resize(path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
  }
}

template <typename T>
void keep_least(std::optional<T>& best, std::optional<T> candidate) {
  if (candidate && (!best || *candidate < *best)) best = candidate;
}

std::optional<double> ratio(std::optional<std::int64_t> quota, std::optional<std::int64_t> period) {
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

std::optional<std::int64_t> limited(std::optional<std::int64_t> bytes) {
  return bytes && *bytes > 0 && *bytes < kNoLimit ? bytes : std::nullopt;
}

/// Parses cpu.max: "50000 100000" -> 0.5; "max 100000" -> nullopt.
std::optional<double> cpu_max(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  const std::size_t blank = text->find(' ');
  if (blank == std::string::npos) return std::nullopt;
  return ratio(whole_number(std::string_view(*text).substr(0, blank)),
               whole_number(std::string_view(*text).substr(blank + 1)));
}

}  // namespace

CgroupLimits read_cgroup_limits(const SystemFiles& files) {
  CgroupLimits out;
  const std::string groups = files.read("/proc/self/cgroup").value_or("");
  if (const auto path = own_path(groups, "")) {
    upwards("/sys/fs/cgroup", *path, [&](const std::string& folder) {
      keep_least(out.cpus, cpu_max(files.read(folder + "/cpu.max")));
      keep_least(out.memory_bytes, limited(read_integer(files, folder + "/memory.max")));
    });
  }
  if (const auto path = own_path(groups, "cpu")) {
    upwards("/sys/fs/cgroup/cpu", *path, [&](const std::string& folder) {
      keep_least(out.cpus, ratio(read_integer(files, folder + "/cpu.cfs_quota_us"),
                                 read_integer(files, folder + "/cpu.cfs_period_us")));
    });
  }
  if (const auto path = own_path(groups, "memory")) {
    upwards("/sys/fs/cgroup/memory", *path, [&](const std::string& folder) {
      keep_least(out.memory_bytes, limited(read_integer(files, folder + "/memory.limit_in_bytes")));
    });
  }
  const char* none = groups.empty() ? "/proc/self/cgroup cannot be read" : "no limit is set";
  if (!out.cpus) out.cpus_reason = none;
  if (!out.memory_bytes) out.memory_reason = none;
  return out;
}

}  // namespace ridge::machine
