// SPDX-License-Identifier: Apache-2.0
#include "scenario/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace ridge::scenario {
namespace {

constexpr std::uint32_t kMaxWorkers = 1024, kMaxClients = 65'536;

struct RateOf {
  double operator()(const auto& process) const { return process.rate; }
  double operator()(const Bursty& process) const { return process.mean_rate(); }
  double operator()(const Replay& r) const {
    if (r.times_ns.size() < 2 || r.times_ns.back() <= r.times_ns[0]) return 0;
    return r.speed * static_cast<double>(r.times_ns.size() - 1) /
           (static_cast<double>(r.times_ns.back() - r.times_ns[0]) * 1e-9);
  }
};

struct SetRate {
  double rate;

  void operator()(auto& process) const { process.rate = rate; }
  void operator()(Bursty& process) const { process.quiet_rate = process.burst_rate = rate; }
  void operator()(Replay& r) const { r = {.times_ns = {0, 1'000'000'000}, .speed = rate}; }
};

Error refused_scenario(std::string message) {
  return usage_error("RIDGE-SCEN-0101", std::move(message));
}

Result<void> check_batching(const Scenario& s) {
  if (!s.batching) return {};
  if (s.kind == Kind::kSingleStream || s.kind == Kind::kMultiStream)
    return refused_scenario(
               fmt::format("{} has no batches: its queries follow each other", word(s.kind)))
        .hint("batches are made of the queries of server, closed-loop and offline");
  if (s.samples_per_query != 1)
    return refused_scenario("queries of several samples have no batches");
  if (!s.mix.empty())
    return refused_scenario("queries of several models have no batches")
        .hint("evaluate each model with --batching for itself");
  return check(*s.batching);
}

Result<void> check_mix(const Scenario& s) {
  for (const double share : s.mix)
    if (!(share > 0 && share < 1))
      return refused_scenario("the share of a model is between 0 and 1");
  const double others = std::accumulate(s.mix.begin(), s.mix.end(), 0.0);
  if (!(others < 1))
    return refused_scenario(
               fmt::format(
                   "the other models have {:g} of the queries, which leaves none to the first",
                   others))
        .hint("state shares with a sum below 1: --mix other.onnx=0.3");
  return {};
}

/// Checks what LoadGen's rules add.
Result<void> check_listed(const Scenario& s) {
  if (s.order == Order::kListed && s.listed.size() < s.max_queries)
    return refused_scenario(fmt::format("samples of {} queries are listed, there may be {}",
                                        s.listed.size(), s.max_queries));
  if (!s.mix.empty() && (s.order == Order::kListed || !s.kept.empty()))
    return refused_scenario("samples are listed, and outputs kept, of one model, not of several");
  if (!std::ranges::is_sorted(s.kept))
    return refused_scenario("the runs to be kept are not ascending");
  if (!s.kept.empty() && s.batching)
    return refused_scenario("outputs of queries in batches are not kept");
  return {};
}

}  // namespace

double mean_rate(const ArrivalProcess& process) { return std::visit(RateOf(), process); }
void set_mean_rate(ArrivalProcess& process, double rate) { std::visit(SetRate{rate}, process); }

Result<void> check(const Scenario& s) {
  if (s.workers == 0 || s.workers > kMaxWorkers)
    return refused_scenario(fmt::format("a load has 1 to {} workers", kMaxWorkers));
  if ((s.kind == Kind::kSingleStream || s.kind == Kind::kMultiStream) && s.workers != 1)
    return refused_scenario(
               fmt::format("{} has one worker: its queries follow each other", word(s.kind)))
        .hint("several clients are the scenario closed-loop");
  if (s.samples_per_query == 0) return refused_scenario("a query has one sample or more");
  if (s.max_duration < s.min_duration || s.max_queries < std::max<std::uint64_t>(1, s.min_queries))
    return refused_scenario("the limits of a load are below what it must reach")
        .hint(fmt::format("raise --max-duration; a load has at most {} queries", s.max_queries));
  if (s.clients > 0 && s.kind != Kind::kClosedLoop)
    return refused_scenario(fmt::format("{} has no clients", word(s.kind)))
        .hint("clients are those of the scenario closed-loop");
  if (s.clients > kMaxClients)
    return refused_scenario(fmt::format("a closed loop has 1 to {} clients", kMaxClients));
  if (s.warmup_duration.count < 0)
    return refused_scenario("a warm-up does not end before it begins");
  TRY(check_listed(s));
  TRY(check_batching(s));
  return check_mix(s);
}

}  // namespace ridge::scenario
