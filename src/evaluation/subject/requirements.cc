// SPDX-License-Identifier: Apache-2.0
#include "evaluation/subject/requirements.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"

namespace ridge::evaluation {
namespace {

#if defined(__x86_64__)
constexpr std::string_view kArchitecture = "x86_64";
#elif defined(__aarch64__)
constexpr std::string_view kArchitecture = "aarch64";
#else
constexpr std::string_view kArchitecture = "unknown";
#endif

constexpr double kGibibyte = 1 << 30;

std::string_view architecture_named(std::string_view name) {
  if (name == "amd64" || name == "x86-64") return "x86_64";
  return name == "arm64" ? "aarch64" : name;
}

/// Names of kernels::names(); "avx2+fma" and the parts of AVX-512 under names of their own.
std::vector<std::string> instruction_sets(const kernels::Features& features) {
  std::vector<std::string> out;
  for (const std::string& name : kernels::names(features)) {
    const std::size_t plus = name.find('+');
    out.push_back(name.substr(0, plus));
    if (plus != std::string::npos) out.push_back(name.substr(plus + 1));
    if (name == "avx512")
      for (const char* part : {"avx512f", "avx512bw", "avx512dq", "avx512vl"})
        out.emplace_back(part);
  }
  return out;
}

std::string memory_text(std::int64_t bytes) {
  const double gibibytes = static_cast<double>(bytes) / kGibibyte;
  return gibibytes < 1 ? fmt::format("{:.0f} MiB", gibibytes * 1024)
                       : fmt::format("{:.1f} GiB", gibibytes);
}

RequirementCheck memory_check(std::int64_t wanted, const machine::Host& host) {
  RequirementCheck out{"memory", memory_text(wanted), "unknown", false};
  if (!host.memory_bytes) return out;
  const std::int64_t found =
      std::min(*host.memory_bytes, host.cgroup_memory_bytes.value_or(*host.memory_bytes));
  out.found = memory_text(found);
  out.met = found >= wanted;
  return out;
}

}  // namespace

std::vector<RequirementCheck> checks_of(const manifest::Requirements& requirements,
                                        const machine::Host& host) {
  std::vector<RequirementCheck> out;
  const manifest::Requirements& r = requirements;
  if (!r.architecture.empty())
    out.push_back({"architecture", r.architecture, std::string(kArchitecture),
                   architecture_named(r.architecture) == kArchitecture});
  const std::vector<std::string> sets = instruction_sets(host.features);
  for (const std::string& isa : r.isa)
    out.push_back({"isa", isa, fmt::format("{}", fmt::join(sets, " ")),
                   std::ranges::find(sets, isa) != sets.end()});
  if (r.memory_bytes) out.push_back(memory_check(*r.memory_bytes, host));
  if (r.cores)
    out.push_back({"cores", std::to_string(*r.cores), std::to_string(host.allowed_cores()),
                   host.allowed_cores() >= *r.cores});
  if (!r.device.empty()) out.push_back({"device", r.device, "cpu", r.device == "cpu"});
  return out;
}

Result<void> check_requirements(const manifest::Requirements& requirements,
                                const machine::Host& host) {
  for (const RequirementCheck& c : checks_of(requirements, host))
    if (!c.met)
      return environment_error("RIDGE-WB-0194",
                               fmt::format("the manifest requires {} {}, this machine has {}",
                                           c.what, printable(c.wanted), c.found))
          .hint("evaluate it on another machine, or change `requirements` of the manifest");
  return {};
}

}  // namespace ridge::evaluation
