#include "scenario/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ridge::scenario {
namespace {

constexpr std::array<std::string_view, 5> kKinds = {"single-stream", "multi-stream", "offline",
                                                    "server", "closed-loop"};
constexpr std::uint32_t kMostLanes = 1024;

struct NameOf {
  std::string_view operator()(const Constant&) const { return "constant"; }
  std::string_view operator()(const Poisson&) const { return "poisson"; }
  std::string_view operator()(const Gamma&) const { return "gamma"; }
  std::string_view operator()(const Bursty&) const { return "bursty"; }
  std::string_view operator()(const Replay&) const { return "replay"; }
};

struct RateOf {
  double operator()(const auto& process) const { return process.rate; }
  double operator()(const Bursty& process) const { return process.mean_rate(); }
  double operator()(const Replay& r) const {
    if (r.times_ns.size() < 2 || r.times_ns.back() <= r.times_ns[0]) return 0;
    return r.speed * static_cast<double>(r.times_ns.size() - 1) /
           (static_cast<double>(r.times_ns.back() - r.times_ns[0]) * 1e-9);
  }
};

Error refused(std::string message) { return usage_error("RIDGE-SCEN-0101", std::move(message)); }

}  // namespace

std::string_view name(Kind kind) { return kKinds[static_cast<std::size_t>(kind)]; }
std::optional<Kind> kind_named(std::string_view name) {
  const auto found = std::ranges::find(kKinds, name);
  if (found == kKinds.end()) return std::nullopt;
  return static_cast<Kind>(found - kKinds.begin());
}
std::span<const std::string_view> kind_names() { return kKinds; }
std::string_view name(const ArrivalProcess& process) { return std::visit(NameOf(), process); }
double mean_rate(const ArrivalProcess& process) { return std::visit(RateOf(), process); }

Result<void> check(const Scenario& s) {
  if (s.lanes == 0 || s.lanes > kMostLanes)
    return refused(fmt::format("a load has 1 to {} lanes", kMostLanes));
  if ((s.kind == Kind::kSingleStream || s.kind == Kind::kMultiStream) && s.lanes != 1)
    return refused(fmt::format("{} has one lane: its queries follow each other", name(s.kind)))
        .hint("several clients are the scenario closed-loop");
  if (s.samples_per_query == 0) return refused("a query has one sample or more");
  if (s.most_duration < s.least_duration ||
      s.most_queries < std::max<std::uint64_t>(1, s.least_queries))
    return refused("the limits of a load are below what it must reach")
        .hint("raise --max-duration or --max-queries");
  if (s.order == Order::kListed && s.listed.size() < s.most_queries)
    return refused(fmt::format("samples of {} queries are listed, there may be {}", s.listed.size(),
                               s.most_queries));
  if (!std::ranges::is_sorted(s.kept)) return refused("the runs to be kept are not ascending");
  return {};
}

}  // namespace ridge::scenario
