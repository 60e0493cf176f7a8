// SPDX-License-Identifier: Apache-2.0
// Description of this machine: processor, cores, caches, instruction sets, clock control, memory,
// limits.
//
//   const Host host = read_host({.files = live_files(), .cpuid = kernels::native_cpuid(),
//                                .allowed_cpus = allowed_cpus()});
//
// Facts that cannot be read are nullopt, and `reasons` has the reason under the key used in the
// JSON; nothing is guessed. Plain data. Thread rule: read_host is pure except for its sources.
// Cost: a millisecond.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/cpu/features.h"
#include "machine/system_files.h"

namespace ridge::machine {

struct HostCache {
  int level = 0;
  std::string type;        ///< "data", "instruction", "unified"
  std::int64_t bytes = 0;  ///< per instance
  std::int64_t line = 0;
  int shared_by = 0;  ///< logical processors per instance
};

/// Logical processor that this process may use.
struct Cpu {
  int id = 0;
  int core = 0;  ///< equal for SMT siblings: the lowest id among them
  int node = 0;  ///< NUMA node; 0 if unknown
};

struct Host {
  std::string hostname;
  /// Digest of the machine's id, which is not to be told; "" without one: the host name, which
  /// changes from container to container, is what is known of it.
  std::string id;
  kernels::Identity cpu;  ///< vendor, brand, family, model, stepping, hypervisor
  kernels::Features features;
  std::optional<std::string> microarchitecture;
  std::optional<std::string> microcode;
  std::optional<int> logical_cpus, cores, sockets, numa_nodes;
  std::vector<Cpu> allowed;       ///< ascending id
  std::optional<bool> smt;        ///< more than one logical processor per core
  std::vector<HostCache> caches;  ///< nearest first, data before instruction
  std::optional<std::string> governor;
  std::optional<bool> turbo;
  std::optional<std::int64_t> memory_bytes;
  std::optional<std::string> kernel, os;
  std::optional<double> cgroup_cpus;  ///< quota in processors; nullopt: none, or unreadable
  std::optional<std::int64_t> cgroup_memory_bytes;
  std::map<std::string, std::string> reasons;

  /// Names what measurements depend on: the machine, its kind of processor, and the processors that
  /// this process may use. Two measurements whose texts differ are never taken for the same.
  std::string identity() const;

  bool virtualized() const { return !cpu.hypervisor.empty(); }
  /// Number of distinct cores among the allowed processors; at least 1.
  int allowed_cores() const;
  /// Returns the data or unified cache of a level; nullptr if there is none.
  const HostCache* cache(int level) const;
};

struct HostSources {
  SystemFiles files;
  kernels::Cpuid cpuid;
  std::vector<int> allowed_cpus;  ///< processors allowed for this process (machine/pinned.h)
};

Host read_host(const HostSources& sources);

/// Reads the description of this machine.
Host this_host();

/// The "host" object of ridge.machine/1 and ridge.profile/1.
std::string host_json(const Host& host);

}  // namespace ridge::machine
