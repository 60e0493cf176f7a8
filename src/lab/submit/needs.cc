// SPDX-License-Identifier: Apache-2.0
#include "lab/submit/needs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/number.h"
#include "base/text.h"
#include "evaluation/subject/requirements.h"
#include "evaluation/subject/wanted_runtime.h"
#include "machine/describe.h"
#include "record/json_read.h"

namespace ridge::lab {
namespace {

constexpr std::array<std::pair<std::string_view, double>, 4> kUnits = {
    std::pair{"GiB", 0x1p30}, std::pair{"MiB", 0x1p20}, std::pair{"GB", 1e9}, std::pair{"MB", 1e6}};

std::optional<std::int64_t> bytes_of(std::string_view text) {
  for (const auto& [unit, factor] : kUnits) {
    if (!text.ends_with(unit)) continue;
    const auto number = finite_number(text.substr(0, text.size() - unit.size()));
    const bool good = number && *number > 0 && *number * factor < 0x1p60;
    return good ? std::optional(static_cast<std::int64_t>(*number * factor)) : std::nullopt;
  }
  return std::nullopt;
}

bool set_value(std::string_view name, const std::string& value, Needs& needs) {
  if (value.empty()) return false;
  if (name == "tag") return needs.tags.push_back(value), true;
  if (name == "device") return needs.machine.device = value, true;
  if (name == "architecture") return needs.machine.architecture = value, true;
  if (name == "isa") return needs.machine.isa.push_back(value), true;
  if (name == "memory") return (needs.machine.memory_bytes = bytes_of(value)).has_value();
  if (name == "cores") return (needs.machine.cores = whole_number(value)).has_value();
  return false;
}

/// "amd64" is what manifests of containers call it.
std::string_view architecture_named(std::string_view name) {
  if (name == "amd64" || name == "x86-64") return "x86_64";
  return name == "arm64" ? "aarch64" : name;
}

std::string needs_text(const std::string& what, const std::string& wanted) {
  return what == "isa" ? wanted : fmt::format("{} {}", what, wanted);
}

std::string runtimes_text(const Facts& facts) {
  const std::string out = printable(store::runtimes_text(facts.runtimes));
  return out.empty() ? "none" : out;
}

}  // namespace

Result<Needs> needs_of(const JobSource& source, const std::vector<std::string>& asked) {
  Needs out{.machine = source.requires_of_machine,
            .tags = {},
            .framework = source.framework,
            .framework_version = source.framework_version};
  for (const std::string& need : asked) {
    const std::size_t equals = need.find('=');
    const bool named = equals != std::string::npos;
    if (!set_value(named ? need.substr(0, equals) : "isa", need.substr(named ? equals + 1 : 0),
                   out))
      return usage_error("RIDGE-LAB-0116", fmt::format("--need {} is not known", printable(need)))
          .hint(
              "an instruction set such as avx512_vnni, or memory=8GiB, cores=4, device=gpu, "
              "architecture=x86_64, tag=NAME");
  }
  return out;
}

Result<Candidate> candidate_of(std::string name, std::vector<std::string> tags, Facts facts) {
  Result<machine::Document> told = record::read_json<machine::Document>(facts.machine);
  if (!told.ok()) return std::move(told).error().in("facts").in(name);
  return Candidate{std::move(name), std::move(tags), std::move(told->host), std::move(facts)};
}

std::vector<std::string> reasons_against(const Needs& needs, const Candidate& candidate) {
  std::vector<std::string> out;
  const auto add = [&](const std::string& wanted, const std::string& found) {
    out.push_back(
        fmt::format("needs {}; {} has {}", printable(wanted), candidate.name, printable(found)));
  };
  manifest::Requirements here = needs.machine;  // without what differs from machine to machine
  here.architecture.clear();
  here.device.clear();
  for (const evaluation::RequirementCheck& c : evaluation::checks_of(here, candidate.host))
    if (!c.met) add(needs_text(c.what, c.wanted), c.found);
  const std::string& architecture = needs.machine.architecture;
  if (!architecture.empty() && architecture_named(architecture) != candidate.facts.architecture)
    add(architecture, candidate.facts.architecture);
  const std::string& device = needs.machine.device;
  if (!device.empty() && std::ranges::count(candidate.facts.devices, device) == 0)
    add("device " + device, fmt::format("{}", fmt::join(candidate.facts.devices, " ")));
  for (const std::string& tag : needs.tags)
    if (std::ranges::count(candidate.tags, tag) == 0)
      add("tag " + tag,
          candidate.tags.empty() ? "no tags" : fmt::format("{}", fmt::join(candidate.tags, " ")));
  return out;
}

std::optional<std::string> runtime_against(const Needs& needs, std::string_view runtime,
                                           const Candidate& candidate) {
  const auto& all = candidate.facts.runtimes;
  const auto has = std::ranges::find(all, runtime, &store::AgentRuntime::name);
  // Of a plug-in that agents do not tell, the host's ridge knows more.
  if (has == all.end()) return std::nullopt;
  if (!has->version)
    return fmt::format("needs {}; {} has {}", has->title, candidate.name,
                       runtimes_text(candidate.facts));
  if (needs.framework.empty()) return std::nullopt;
  const auto wanted = evaluation::wanted_runtime(needs.framework, needs.framework_version);
  if (!wanted.ok() || wanted->name != runtime) return std::nullopt;
  const auto good =
      evaluation::check_version(*wanted, {.name = has->title, .version = *has->version});
  if (good.ok()) return std::nullopt;
  return fmt::format("needs {} {}; {} has {}", has->title, printable(needs.framework_version),
                     candidate.name, printable(*has->version));
}

}  // namespace ridge::lab
