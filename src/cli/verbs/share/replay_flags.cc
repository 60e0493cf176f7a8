// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/share/replay_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include "base/list.h"
#include "base/number.h"
#include "cli/flags/traffic_flags.h"
#include "cli/verbs/share/policy_flag.h"
#include "sharing/record/costs_file.h"

namespace ridge::cli {
namespace {

using sharing::PolicySpec;
using sharing::PopularityKind;
using sharing::PopularitySpec;

Error bad_distribution(std::string_view text) {
  return usage_error("RIDGE-CLI-0301", fmt::format("--generate: invalid distribution '{}'", text))
      .hint(fmt::format("choose from {}; a parameter follows a colon: zipf:1.1",
                        fmt::join(words<PopularityKind>(), ", ")));
}

Result<std::vector<PolicySpec>> policies_of(const ShareReplayOptions& o) {
  std::vector<PolicySpec> out;
  for (const std::string_view text : split(o.policies))
    out.push_back(TRY(parse_policy("--policies", text)));
  return out;
}

Result<PopularitySpec> distribution_of(std::string_view text) {
  const NamedWord name = named_word(text);
  const auto kind = find_word<PopularityKind>(name.name);
  if (!kind) return bad_distribution(text);
  if (!name.colon) return PopularitySpec{.kind = *kind};
  const auto parameter = finite_number(name.rest);
  if (!parameter) return bad_distribution(text);
  return PopularitySpec{.kind = *kind, .parameter = parameter};
}

/// A tenth of the time has `factor` times the rate of the rest, and the mean is `rate`.
scenario::Bursty bursts_of(double rate, double factor) {
  constexpr double kBurst = 1, kQuiet = 9;  // seconds
  const double quiet = rate * (kBurst + kQuiet) / (factor * kBurst + kQuiet);
  return {.quiet_rate = quiet, .burst_rate = factor * quiet, .quiet_s = kQuiet, .burst_s = kBurst};
}

/// Sets arrivals and hours.
Result<void> set_arrivals(const ShareReplayOptions& o, sharing::GeneratorSpec& spec) {
  const NamedWord name = named_word(o.arrivals);
  const auto parameter = finite_number(name.rest);
  spec.arrivals = scenario::Poisson{.rate = o.rate};
  if (o.arrivals == "poisson") return {};
  if (o.arrivals == "days") {
    spec.hours = sharing::Hours::kDays;
  } else if (o.arrivals == "constant") {
    spec.arrivals = scenario::Constant{.rate = o.rate};
  } else if (name.name == "gamma" && parameter) {
    spec.arrivals = scenario::Gamma{.rate = o.rate, .shape = *parameter};
  } else if (name.name == "bursts" && (parameter || !name.colon)) {
    spec.arrivals = bursts_of(o.rate, parameter.value_or(10));
  } else {
    return usage_error("RIDGE-CLI-0302", fmt::format("--arrivals '{}' is invalid", o.arrivals))
        .hint(
            "write poisson, constant, gamma:SHAPE (below 1: in bursts), bursts:FACTOR (the rate of "
            "bursts over that between them) or days");
  }
  return {};
}

Result<std::vector<double>> shares_of(const ShareReplayOptions& o) {
  std::vector<double> out;
  for (const std::string_view text : split(o.share)) {
    const auto number = finite_number(text.ends_with('%') ? text.substr(0, text.size() - 1) : text);
    if (!number || !(*number > 0 && *number <= 100))
      return usage_error("RIDGE-CLI-0303", fmt::format("--share: invalid percentage '{}'", text))
          .hint("write --share 10%, --share 10%,50%,100%");
    out.push_back(*number / 100);
  }
  return out;
}

Result<std::vector<std::uint32_t>> clients_of(const ShareReplayOptions& o) {
  constexpr std::uint32_t kMostClients = 100'000;
  std::vector<std::uint32_t> out;
  for (const std::string_view text : items(o.clients)) {
    const auto number = whole_number<std::uint32_t>(text);
    if (!number || *number < 1 || *number > kMostClients)
      return usage_error("RIDGE-CLI-0304", fmt::format("--clients: invalid number '{}'", text))
          .hint(fmt::format("write --clients 4, --clients 1,2,4,8; at most {}", kMostClients));
    out.push_back(*number);
  }
  return out;
}

Error no_single_source() {
  return usage_error("RIDGE-CLI-0305", "ridge share replay plays either a trace or what it draws")
      .hint("name the files of a trace, or --generate zipf");
}

}  // namespace

Result<sharing::ReplayPlan> replay_plan(const ShareReplayOptions& o) {
  if (o.traces.empty() == o.generate.empty()) return no_single_source();
  sharing::ReplayPlan plan;
  plan.files = o.traces;
  sharing::GeneratorSpec spec{.models = o.models, .requests = o.requests};
  TRY(set_arrivals(o, spec));
  for (const std::string_view text : items(o.generate)) {
    spec.popularity = TRY(distribution_of(text));
    plan.generators.push_back(spec);
  }
  plan.arrivals = o.traces.empty() ? fmt::format("{}, {} per second", o.arrivals, o.rate) : "";
  plan.shares = TRY(shares_of(o));
  plan.clients = TRY(clients_of(o));
  plan.policies = TRY(policies_of(o));
  for (const std::string_view text : split(o.memory))
    plan.memories.push_back(Bytes{TRY(parse_bytes("--memory", text))});
  if (!o.disk.empty()) plan.disk = Bytes{TRY(parse_bytes("--disk", o.disk))};
  plan.costs = o.costs.empty() ? sharing::example_costs() : TRY(sharing::read_costs(o.costs));
  if (!o.costs.empty()) plan.costs_name = o.costs;
  plan.admission = find_word<sharing::Admission>(o.admission).value_or(sharing::Admission::kAll);
  plan.seed = o.seed;
  return plan;
}

}  // namespace ridge::cli
