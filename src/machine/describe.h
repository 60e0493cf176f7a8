// SPDX-License-Identifier: Apache-2.0
// Descriptions of a host and its checks (record/describe.h): what ridge.machine/1 and stored runs
// call their members. Apart from their types, because few files read or write them.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "machine/describe_roof.h"
#include "machine/document.h"
#include "machine/fitness.h"
#include "machine/host.h"
#include "record/describe.h"

namespace ridge::machine {

inline std::vector<int> allowed_ids(const Host& host) {
  std::vector<int> out;
  for (const Cpu& cpu : host.allowed) out.push_back(cpu.id);
  return out;
}

/// Cores and nodes are in no document: each processor counts as a core of its own.
inline void set_allowed_ids(Host& host, const std::vector<int>& ids) {
  host.allowed.clear();
  for (const int id : ids) host.allowed.push_back({.id = id, .core = id});
}

inline std::vector<std::string> instruction_sets(const Host& host) {
  return kernels::names(host.features);
}

inline void set_instruction_sets(Host& host, const std::vector<std::string>& names) {
  host.features = kernels::features_named(names);
}

inline bool is_virtual(const Host& host) { return host.virtualized(); }

inline std::span<const std::string_view> cache_types() {
  static constexpr std::array<std::string_view, 3> kTypes{"data", "instruction", "unified"};
  return kTypes;
}

}  // namespace ridge::machine

namespace ridge {

template <>
struct record::Describe<machine::HostCache> {
  using T = machine::HostCache;
  static constexpr std::array fields{
      field<&T::level>("level", "1 is nearest"),
      field<&T::type>("type", "what it holds", one_of<&machine::cache_types>(), or_default()),
      field<&T::bytes>("bytes", "of one instance", at_least(0), or_default()),
      field<&T::line>("line", "bytes of a cache line", or_default()),
      field<&T::shared_by>("shared_by", "logical processors per instance", at_least(0),
                           or_default())};
};

template <>
struct record::Describe<machine::Host> {
  using T = machine::Host;
  using Identity = kernels::Identity;
  static constexpr std::string_view text =
      "The machine; what cannot be read is null, and `reasons` says why under the same key.";
  static constexpr std::array cpu{
      field<&T::cpu, &Identity::brand>("model", "brand string", or_default()),
      field<&T::cpu, &Identity::vendor>("vendor", "such as AuthenticAMD", or_default()),
      field<&T::cpu, &Identity::family>("family", "with the extended part", or_default()),
      field<&T::cpu, &Identity::model>("model_number", "with the extended part", or_default()),
      field<&T::cpu, &Identity::stepping>("stepping", "revision", or_default()),
      field<&T::microarchitecture>("microarchitecture",
                                   "from ridge's table; null where the processor is not in it"),
      field<&T::microcode>("microcode", "version")};
  static constexpr std::array fields{
      field<&T::hostname>("hostname", "as the system says", or_default()),
      group<T, cpu>("cpu", "as CPUID says", or_default()),
      field<&T::sockets>("sockets", "processor packages"),
      field<&T::cores>("cores", "physical cores"),
      field<&T::logical_cpus>("logical_cpus", "SMT siblings counted"),
      computed<&machine::allowed_ids, &machine::set_allowed_ids>(
          "allowed_cpus", "numbers of those that this process may use", or_default()),
      field<&T::numa_nodes>("numa_nodes", "memory nodes"),
      field<&T::smt>("smt", "more than one logical processor per core"),
      field<&T::caches>("caches", "nearest first", or_default()),
      computed<&machine::instruction_sets, &machine::set_instruction_sets>(
          "isa", "instruction sets that processor and system allow", or_default()),
      field<&T::governor>("governor", "of frequency scaling"),
      field<&T::turbo>("turbo", "clock above the nominal one allowed"),
      computed<&machine::is_virtual>("virtualised", "runs under a hypervisor"),
      field<&T::cpu, &Identity::hypervisor>("hypervisor", "its name", zero_is_null(), or_default()),
      field<&T::memory_bytes>("memory_bytes", "of the machine"),
      field<&T::kernel>("kernel", "release of Linux"),
      field<&T::os>("os", "distribution"),
      field<&T::cgroup_cpus>("cgroup_cpus", "quota in processors"),
      field<&T::cgroup_memory_bytes>("cgroup_memory_bytes", "limit on memory"),
      field<&T::reasons>("reasons", "why a key is null", or_default())};
};

template <>
struct record::Describe<machine::Check> {
  using T = machine::Check;
  static constexpr std::array fields{
      field<&T::check>("check", "short name, stable"),
      field<&T::ok>("ok", "null where it cannot be known"),
      field<&T::finding>("finding", "what was seen", or_default()),
      field<&T::advice>("advice", "what to do; null where nothing needs doing", zero_is_null(),
                        or_default()),
      field<&T::serious>("serious", "while it fails, nothing worth reading can be measured",
                         or_default())};
};

template <>
struct record::Describe<machine::Document> {
  using T = machine::Document;
  static constexpr std::string_view schema = "ridge.machine/1";
  static constexpr std::string_view text =
      "What this host is, whether it is fit to measure, and its measured roofs: `ridge machine "
      "--format json`, and without roofs `ridge doctor --format json`.";
  static constexpr std::array fields{
      field<&T::ridge_version>("ridge_version", "of the program that measured", on_line(),
                               or_default()),
      field<&T::host>("host", "the machine", on_line(), or_default()),
      field<&T::fitness>("fitness", "checks of `ridge doctor`", on_line(), item_lines(),
                         or_default()),
      field<&T::roofs>("ceilings", "measured roofs; empty from `ridge doctor`", on_line(),
                       item_lines()),
      field<&T::notes>("notes", "levels left out, disturbances, trouble with the cache", on_line(),
                       or_default())};
};

}  // namespace ridge
