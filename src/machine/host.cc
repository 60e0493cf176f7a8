// SPDX-License-Identifier: Apache-2.0
#include "machine/host.h"

#include <fmt/format.h>
#include <algorithm>
#include <set>

#include "base/hash/digest.h"
#include "base/number.h"
#include "base/trim.h"
#include "machine/cgroup.h"
#include "machine/microarchitecture.h"
#include "machine/pinned.h"

namespace ridge::machine {
namespace {

constexpr const char* kCpuFolder = "/sys/devices/system/cpu";

std::string cpu_path(int cpu, const char* rest) {
  return std::string(kCpuFolder) + "/cpu" + std::to_string(cpu) + "/" + rest;
}

/// Fills a Host from its sources and records the reason for each missing fact.
class Reader {
 public:
  explicit Reader(const HostSources& sources) : sources_(sources) {}

  Host read() {
    host_.cpu = kernels::identify(sources_.cpuid);
    host_.features = kernels::detect_features(sources_.cpuid);
    read_processor();
    read_topology();
    read_caches();
    read_clock_control();
    read_memory_and_system();
    read_limits();
    return std::move(host_);
  }

 private:
  std::optional<std::string> text(const std::string& path) { return sources_.files.read(path); }

  template <typename T>
  void need(const std::optional<T>& value, const char* key, const std::string& reason) {
    if (!value) host_.reasons[key] = reason;
  }

  void read_processor() {
    const auto cpuinfo = text("/proc/cpuinfo").value_or("");
    if (host_.cpu.vendor.empty()) host_.cpu.vendor = field(cpuinfo, "vendor_id").value_or("");
    if (host_.cpu.brand.empty()) {
      host_.cpu.brand = field(cpuinfo, "model name").value_or("unknown processor");
    }
    host_.microcode = field(cpuinfo, "microcode");
    need(host_.microcode, "microcode", "/proc/cpuinfo has no microcode line");
    if (const Microarchitecture* known = find_microarchitecture(host_.cpu)) {
      host_.microarchitecture = std::string(known->name);
    }
    need(host_.microarchitecture, "microarchitecture",
         "family " + std::to_string(host_.cpu.family) + " model " +
             std::to_string(host_.cpu.model) + " is not in ridge's table");
  }

  void read_topology() {
    std::vector<int> online = sources_.allowed_cpus;
    if (const auto listed = text(std::string(kCpuFolder) + "/online")) {
      if (const auto parsed = parse_cpu_list(*listed)) {
        online = *parsed;
        host_.logical_cpus = static_cast<int>(online.size());
      }
    }
    need(host_.logical_cpus, "logical_cpus", "/sys/devices/system/cpu/online cannot be read");
    read_cores(online);
    const auto nodes = text("/sys/devices/system/node/online");
    const auto ids = nodes ? parse_cpu_list(*nodes) : std::nullopt;
    if (ids) host_.numa_nodes = static_cast<int>(ids->size());
    need(host_.numa_nodes, "numa_nodes", "/sys/devices/system/node/online cannot be read");
    if (ids) assign_nodes(*ids);
  }

  void read_cores(const std::vector<int>& online) {
    std::set<int> cores;
    std::set<std::int64_t> sockets;
    std::map<int, int> core_of;
    bool complete = true;
    for (const int cpu : online) {
      const auto siblings = text(cpu_path(cpu, "topology/thread_siblings_list"));
      const auto package =
          read_integer(sources_.files, cpu_path(cpu, "topology/physical_package_id"));
      const auto list = siblings ? parse_cpu_list(*siblings) : std::nullopt;
      complete = complete && list && !list->empty() && package;
      // A core is named after its first thread: with siblings 0,4 processors 0 and 4 are core 0.
      core_of[cpu] = list && !list->empty() ? list->front() : cpu;
      cores.insert(core_of[cpu]);
      if (package) sockets.insert(*package);
    }
    if (complete && !online.empty()) {
      host_.cores = static_cast<int>(cores.size());
      host_.sockets = static_cast<int>(sockets.size());
      host_.smt = cores.size() < online.size();
    }
    const std::string hidden = "the topology of the processors cannot be read";
    need(host_.cores, "cores", hidden);
    need(host_.sockets, "sockets", hidden);
    need(host_.smt, "smt", hidden);
    for (const int cpu : sources_.allowed_cpus) {
      host_.allowed.push_back({cpu, core_of.contains(cpu) ? core_of[cpu] : cpu, 0});
    }
  }

  void assign_nodes(const std::vector<int>& nodes) {
    for (const int node : nodes) {
      const auto listed = text("/sys/devices/system/node/node" + std::to_string(node) + "/cpulist");
      const auto cpus = listed ? parse_cpu_list(*listed) : std::nullopt;
      if (!cpus) continue;
      for (Cpu& cpu : host_.allowed) {
        if (std::find(cpus->begin(), cpus->end(), cpu.id) != cpus->end()) cpu.node = node;
      }
    }
  }

  void read_caches() {
    const int cpu = sources_.allowed_cpus.empty() ? 0 : sources_.allowed_cpus.front();
    const std::string folder = cpu_path(cpu, "cache");
    for (const std::string& name : sources_.files.list(folder)) {
      if (!name.starts_with("index")) continue;
      if (const auto cache = read_cache(fmt::format("{}/{}", folder, name)))
        host_.caches.push_back(*cache);
    }
    if (host_.caches.empty()) {
      for (const kernels::CpuidCache& c : kernels::cpuid_caches(sources_.cpuid)) {
        host_.caches.push_back(
            {c.level, c.level == 1 ? "data" : "unified", c.bytes, c.line, c.shared_by});
      }
      host_.reasons["caches"] = host_.caches.empty()
                                    ? "neither /sys nor CPUID describes the caches"
                                    : "read from CPUID, as /sys does not describe the caches";
    }
    std::stable_sort(host_.caches.begin(), host_.caches.end(),
                     [](const HostCache& a, const HostCache& b) { return a.level < b.level; });
  }

  std::optional<HostCache> read_cache(const std::string& folder) {
    const auto level = read_integer(sources_.files, folder + "/level");
    const auto size = text(folder + "/size");
    const auto bytes = size ? parse_size(*size) : std::nullopt;
    const auto type = text(folder + "/type");
    if (!level || !bytes || *bytes == 0 || !type) return std::nullopt;
    const auto sharing = text(folder + "/shared_cpu_list");
    const auto sharers = sharing ? parse_cpu_list(*sharing) : std::nullopt;
    std::string lower = *type;
    for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return HostCache{static_cast<int>(*level), lower, *bytes,
                     read_integer(sources_.files, folder + "/coherency_line_size").value_or(0),
                     sharers && !sharers->empty() ? static_cast<int>(sharers->size()) : 1};
  }

  void read_clock_control() {
    const int cpu = sources_.allowed_cpus.empty() ? 0 : sources_.allowed_cpus.front();
    host_.governor = text(cpu_path(cpu, "cpufreq/scaling_governor"));
    const std::string who = host_.virtualized() ? "the hypervisor keeps the clock to itself"
                                                : "no cpufreq driver is loaded";
    need(host_.governor, "governor", who);
    if (const auto boost =
            read_integer(sources_.files, std::string(kCpuFolder) + "/cpufreq/boost")) {
      host_.turbo = *boost != 0;
    } else if (const auto off = read_integer(sources_.files,
                                             std::string(kCpuFolder) + "/intel_pstate/no_turbo")) {
      host_.turbo = *off == 0;
    }
    need(host_.turbo, "turbo", who);
  }

  void read_memory_and_system() {
    const auto total = field(text("/proc/meminfo").value_or(""), "MemTotal");
    if (total) {
      const auto kib = whole_number(std::string_view(*total).substr(0, total->find(' ')));
      if (kib) host_.memory_bytes = *kib * 1024;
    }
    need(host_.memory_bytes, "memory_bytes", "/proc/meminfo cannot be read");
    host_.kernel = text("/proc/sys/kernel/osrelease");
    need(host_.kernel, "kernel", "/proc/sys/kernel/osrelease cannot be read");
    host_.hostname = text("/proc/sys/kernel/hostname").value_or("");
    read_id();
    read_os();
  }

  /// An image of a container may have an empty file, or the word "uninitialized" (machine-id(5)).
  void read_id() {
    constexpr std::size_t kDigits = 32;
    const std::string id(trimmed(text("/etc/machine-id").value_or("")));
    if (id.size() != kDigits || id.find_first_not_of("0123456789abcdef") != std::string::npos)
      return;
    Digest digest;
    digest.add("ridge");
    digest.add(id);
    host_.id = digest.hex();
  }

  void read_os() {
    const std::string release = text("/etc/os-release").value_or("");
    constexpr std::string_view kKey = "PRETTY_NAME=";
    const std::size_t at = release.find(kKey);
    if (at != std::string::npos) {
      std::string name = release.substr(at + kKey.size());
      name.resize(std::min(name.find('\n'), name.size()));
      std::erase(name, '"');
      host_.os = name;
    }
    need(host_.os, "os", "/etc/os-release does not name it");
  }

  void read_limits() {
    const CgroupLimits limits = read_cgroup_limits(sources_.files);
    host_.cgroup_cpus = limits.cpus;
    host_.cgroup_memory_bytes = limits.memory_bytes;
    need(limits.cpus, "cgroup_cpus", limits.cpus_reason);
    need(limits.memory_bytes, "cgroup_memory_bytes", limits.memory_reason);
  }

  const HostSources& sources_;
  Host host_;
};

}  // namespace

std::string Host::identity() const {
  std::string out = id.empty() ? fmt::format("host {}", hostname) : fmt::format("machine {}", id);
  out += fmt::format(", {} {}.{}.{} {}, processors", cpu.vendor, cpu.family, cpu.model,
                     cpu.stepping, cpu.brand);
  for (const Cpu& c : allowed) out += fmt::format(" {}", c.id);
  if (cgroup_cpus) out += fmt::format(", of which {} at a time", *cgroup_cpus);
  return out;
}

int Host::allowed_cores() const {
  std::set<int> distinct;
  for (const Cpu& c : allowed) distinct.insert(c.core);
  return std::max(1, static_cast<int>(distinct.size()));
}

const HostCache* Host::cache(int level) const {
  for (const HostCache& c : caches) {
    if (c.level == level && c.type != "instruction") return &c;
  }
  return nullptr;
}

Host read_host(const HostSources& sources) { return Reader(sources).read(); }

Host this_host() { return read_host({live_files(), kernels::native_cpuid(), allowed_cpus()}); }

}  // namespace ridge::machine
