// SPDX-License-Identifier: Apache-2.0
// Hosts for tests: files in memory and CPUID registers of known processors.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "machine/host.h"

namespace ridge::machine::testing {

/// Files in memory, keyed by absolute path; folders are derived from the keys.
inline SystemFiles files_in_memory(std::map<std::string, std::string> files) {
  const auto shared = std::make_shared<std::map<std::string, std::string>>(std::move(files));
  const auto read = [shared](const std::string& path) -> std::optional<std::string> {
    const auto at = shared->find(path);
    if (at == shared->end()) return std::nullopt;
    return at->second;
  };
  const auto list = [shared](const std::string& path) {
    std::set<std::string> names;
    const std::string prefix = path + "/";
    for (auto at = shared->lower_bound(prefix); at != shared->end(); ++at) {
      if (!at->first.starts_with(prefix)) break;
      const std::string rest = at->first.substr(prefix.size());
      names.insert(rest.substr(0, rest.find('/')));
    }
    return std::vector<std::string>(names.begin(), names.end());
  };
  return {read, list};
}

/// Files of two virtual processors of an EPYC 9004 under KVM, as recorded on one.
inline std::map<std::string, std::string> epyc_files() {
  std::map<std::string, std::string> f = {
      {"/proc/cpuinfo",
       "processor\t: 0\nvendor_id\t: AuthenticAMD\nmodel name\t: AMD EPYC\n"
       "microcode\t: 0x1000065\n"},
      {"/proc/meminfo",
       "MemTotal:       24684084 kB\nMemFree:        24000000 kB\n"
       "MemAvailable:   24100000 kB\n"},
      {"/proc/sys/kernel/osrelease", "6.1.0-21-amd64"},
      {"/proc/sys/kernel/hostname", "lab"},
      {"/proc/self/cgroup", "0::/"},
      {"/etc/os-release",
       "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nID=debian"},
      {"/sys/devices/system/cpu/online", "0-1"},
      {"/sys/devices/system/node/online", "0"},
      {"/sys/devices/system/node/node0/cpulist", "0-1"}};
  for (const std::string cpu : {"0", "1"}) {
    const std::string folder = "/sys/devices/system/cpu/cpu" + cpu + "/";
    f[folder + "topology/thread_siblings_list"] = cpu;
    f[folder + "topology/physical_package_id"] = "0";
    const auto cache = [&](const char* index, const char* level, const char* type, const char* size,
                           const std::string& sharers) {
      const std::string at = folder + "cache/" + index + "/";
      f[at + "level"] = level;
      f[at + "type"] = type;
      f[at + "size"] = size;
      f[at + "coherency_line_size"] = "64";
      f[at + "shared_cpu_list"] = sharers;
    };
    cache("index0", "1", "Data", "32K", cpu);
    cache("index1", "1", "Instruction", "32K", cpu);
    cache("index2", "2", "Unified", "1024K", cpu);
    cache("index3", "3", "Unified", "32768K", "0-1");
  }
  return f;
}

inline kernels::Cpuid epyc_cpuid() {
  const auto query = [](std::uint32_t leaf, std::uint32_t subleaf) -> kernels::CpuidRegisters {
    if (leaf == 0) return {0x10, 0x68747541, 0x444d4163, 0x69746e65};
    if (leaf == 1) return {0x00a10f11, 0, 0x98001000, 1u << 26};
    if (leaf == 7 && subleaf == 0) return {1, 0xc0030020, 1u << 11, 0};
    if (leaf == 0x40000000) return {0, 0x4b4d564b, 0x564b4d56, 0x4d};
    if (leaf == 0x80000000) return {0x80000021, 0, 0, 0};
    if (leaf == 0x80000002) return {0x20444d41, 0x43595045, 0, 0};
    if (leaf == 0x8000001d && subleaf == 0) return {0x121, 0x01c0003f, 63, 0};
    if (leaf == 0x8000001d && subleaf == 1) return {0x143, 0x01c0003f, 2047, 0};
    if (leaf == 0x8000001d && subleaf == 2) return {0x4163, 0x03c0003f, 32767, 0};
    return {};
  };
  return {query, 0xe7};
}

inline Host epyc_host() { return read_host({files_in_memory(epyc_files()), epyc_cpuid(), {0, 1}}); }

/// Host with eight logical processors on four cores with two threads each; i and i + 4 are
/// siblings.
inline Host smt_host() {
  Host host = epyc_host();
  host.allowed.clear();
  for (int cpu = 0; cpu < 8; ++cpu) host.allowed.push_back({cpu, cpu % 4, 0});
  host.logical_cpus = 8;
  host.cores = 4;
  host.smt = true;
  for (HostCache& c : host.caches) c.shared_by = c.level == 3 ? 8 : 2;
  return host;
}

}  // namespace ridge::machine::testing
