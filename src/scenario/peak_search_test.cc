// SPDX-License-Identifier: Apache-2.0
#include "scenario/peak_search.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <string>

#include "scenario/testing/simulated_server.h"

namespace ridge::scenario {
namespace {

/// The rates probed, with the verdicts of a server that `judges` each probe.
std::string searched(const PeakOptions& options, const std::function<Verdict(const Probe&)>& judges,
                     Peak& peak) {
  PeakSearch search = PeakSearch::make(options).value();
  std::string text;
  while (const std::optional<Probe> probe = search.next()) {
    const Verdict verdict = judges(*probe);
    text += fmt::format("{}{:g}x{}{} ", probe->prolonged ? "+" : "", probe->rate, probe->queries,
                        verdict == Verdict::kValid     ? "v"
                        : verdict == Verdict::kInvalid ? "i"
                                                       : "?");
    search.report({verdict, static_cast<double>(probe->queries) / probe->rate});
  }
  peak = search.result();
  return text;
}

Verdict up_to_hundred(const Probe& probe) {
  return probe.rate <= 100 ? Verdict::kValid : Verdict::kInvalid;
}

TEST(PeakSearch, DoublesThenHalvesTheBracket) {
  Peak peak;
  EXPECT_EQ(searched({.first_rate = 16, .resolution = 0.05, .queries = 10}, up_to_hundred, peak),
            "16x10v 32x10v 64x10v 128x10i 96x10v 112x10i 104x10i 100x10v ");
  EXPECT_EQ(peak.rate, 100);
  EXPECT_EQ(peak.invalid_rate, 104);
  EXPECT_EQ(peak.end, PeakEnd::kResolved);
  EXPECT_EQ(peak.probes.size(), 8U);
}

TEST(PeakSearch, HalvesFirstIfTheFirstRateIsTooHigh) {
  Peak peak;
  EXPECT_EQ(searched({.first_rate = 800, .resolution = 0.5, .queries = 1}, up_to_hundred, peak),
            "800x1i 400x1i 200x1i 100x1v 150x1i ");
  EXPECT_EQ(peak.rate, 100);
}

TEST(PeakSearch, ProlongsWhatIsUndecidedAndThenCountsItAsInvalid) {
  Peak peak;
  const auto judges = [](const Probe& probe) {
    if (probe.rate == 64) return probe.queries < 40 ? Verdict::kUndecided : Verdict::kValid;
    return probe.rate > 64 ? Verdict::kUndecided : Verdict::kValid;
  };
  EXPECT_EQ(searched({.first_rate = 32, .resolution = 0.5, .queries = 10, .max_queries = 50},
                     judges, peak),
            "32x10v 64x10? +64x20? +64x40v 128x10? +128x20? +128x40? +128x50? "
            "96x10? +96x20? +96x40? +96x50? ");
  EXPECT_EQ(peak.rate, 64);
  EXPECT_EQ(peak.invalid_rate, 96);
  EXPECT_TRUE(peak.undecided);
  EXPECT_EQ(peak.probes.back().result.verdict, Verdict::kUndecided);
  EXPECT_NEAR(peak.probes.back().result.seconds, 120.0 / 96, 1e-12);
}

TEST(PeakSearch, EndsAtItsLimits) {
  Peak peak;
  const auto always = [](Verdict verdict) { return [verdict](const Probe&) { return verdict; }; };
  EXPECT_EQ(searched({.first_rate = 2, .min_rate = 1, .max_rate = 6, .queries = 1},
                     always(Verdict::kValid), peak),
            "2x1v 4x1v 6x1v ");
  EXPECT_EQ(peak.end, PeakEnd::kAllValid);
  EXPECT_EQ(peak.rate, 6);
  EXPECT_EQ(searched({.first_rate = 2, .min_rate = 0.7, .max_rate = 6, .queries = 1},
                     always(Verdict::kInvalid), peak),
            "2x1i 1x1i 0.7x1i ");
  EXPECT_EQ(peak.end, PeakEnd::kNoneValid);
  EXPECT_EQ(peak.rate, 0);
  // 100 queries at 1, 2 and 4 per second take 100, 50 and 25 s.
  EXPECT_EQ(searched({.first_rate = 1, .queries = 100, .budget_s = 160}, up_to_hundred, peak),
            "1x100v 2x100v ");
  EXPECT_EQ(peak.end, PeakEnd::kBudget);
  EXPECT_EQ(peak.seconds, 150);
}

TEST(PeakSearch, StatesWhyThereIsNoRate) {
  Peak peak;
  searched(
      {.first_rate = 2, .min_rate = 1, .queries = 1},
      [](const Probe&) { return Verdict::kInvalid; }, peak);
  EXPECT_EQ(why_no_rate(peak), "no rate keeps the bound");
  searched(
      {.first_rate = 100, .queries = 10, .budget_s = 1},
      [](const Probe&) { return Verdict::kUndecided; }, peak);
  EXPECT_EQ(peak.rate, 0);
  EXPECT_EQ(why_no_rate(peak), "no rate was shown to keep the bound within the budget");
  EXPECT_EQ(why_no_rate(Peak()),
            "the search was interrupted before a rate was shown to keep the bound");
}

TEST(PeakSearch, TheEstimateIsOnTheLineOfTheLateShares) {
  PeakSearch search = PeakSearch::make({.first_rate = 1, .queries = 10}).value();
  const auto late = [](double rate) { return std::exp(2 * (rate - 2.5)) / 100; };
  while (const std::optional<Probe> probe = search.next())
    search.report(
        {probe->rate < 2.4 ? Verdict::kValid : Verdict::kInvalid, 1, late(probe->rate), 1000});
  EXPECT_NEAR(search.result().rate, 2.4, 0.03);
  EXPECT_NEAR(search.result().estimate, search.result().invalid_rate, 1e-9);  // no further
  PeakSearch undecided =
      PeakSearch::make({.first_rate = 1, .queries = 10, .max_queries = 10}).value();
  while (const std::optional<Probe> probe = undecided.next())
    undecided.report(
        {probe->rate < 2.4 ? Verdict::kValid : Verdict::kUndecided, 1, late(probe->rate), 1000});
  EXPECT_NEAR(undecided.result().estimate, 2.5, 1e-9);
}

TEST(PeakSearch, RefusesWhatCannotBeSearched) {
  const auto refused = [](const PeakOptions& options) {
    return PeakSearch::make(options).error().text();
  };
  EXPECT_EQ(refused({.first_rate = 0}),
            "error: a search for the peak needs 0 < least rate <= first rate <= most rate <= 1e9\n"
            "  [RIDGE-SCEN-0020]\n");
  EXPECT_EQ(refused({.resolution = std::nan("")}),
            "error: a search for the peak needs a resolution of 0.0001 to 0.5\n"
            "  [RIDGE-SCEN-0020]\n");
  EXPECT_EQ(refused({.queries = 2, .max_queries = 1}),
            "error: a search for the peak needs 1 <= queries <= most queries <= 10^12\n"
            "  [RIDGE-SCEN-0020]\n");
  EXPECT_EQ(refused({.budget_s = 0}),
            "error: a search for the peak needs a budget above 0 seconds\n  [RIDGE-SCEN-0020]\n");
  EXPECT_EQ(refused({.share = 1}),
            "error: a search for the peak needs a share between 0 and 1\n  [RIDGE-SCEN-0020]\n");
}

/// The peak that a search finds on a simulated server, 15 service times being the bound of the 99th
/// percentile.
Peak found(testing::Service service, std::uint64_t seed) {
  constexpr double kBound = 15;
  const PeakOptions options{.first_rate = 0.1 + 0.001 * static_cast<double>(seed),
                            .queries = 10'000,
                            .max_queries = 160'000};
  PeakSearch search = PeakSearch::make(options).value();
  std::unique_ptr<testing::SimulatedServer> server;
  std::vector<std::int64_t> latencies;
  std::uint64_t drawn = seed * 1000;
  while (const std::optional<Probe> probe = search.next()) {
    if (!probe->prolonged) {
      server = std::make_unique<testing::SimulatedServer>(
          testing::SimulatedLoad{service, probe->rate}, ++drawn);
      server->latencies(5'000);
      latencies.clear();
    }
    const auto more =
        server->latencies(static_cast<std::size_t>(probe->queries) - latencies.size());
    latencies.insert(latencies.end(), more.begin(), more.end());
    search.report(probe_result(Latencies(latencies), 0.99,
                               static_cast<std::int64_t>(kBound * testing::kServiceNs), 1));
  }
  return search.result();
}

void expect_found(testing::Service service, double known) {
  int near = 0, safe = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Peak peak = found(service, seed);
    EXPECT_EQ(peak.end, PeakEnd::kResolved);
    near += std::abs(peak.estimate / known - 1) <= 0.03 ? 1 : 0;
    safe += peak.rate <= known ? 1 : 0;
  }
  ::testing::Test::RecordProperty("near", near);
  ::testing::Test::RecordProperty("safe", safe);
  EXPECT_GE(near, 95);
  EXPECT_GE(safe, 90);
}

// exp(-(1 - rate) x 15) = 0.01.
TEST(PeakSearchSlow, FindsThePeakOfExponentialService) {
  expect_found(testing::Service::kExponential, 1 - std::log(100.0) / 15);
}

TEST(PeakSearchSlow, FindsThePeakOfConstantService) {
  double low = 0.1, high = 0.95;
  for (int i = 0; i < 40; ++i) {
    const double middle = (low + high) / 2;
    (testing::within({testing::Service::kConstant, middle}, 15) < 0.99 ? high : low) = middle;
  }
  expect_found(testing::Service::kConstant, low);
}

}  // namespace
}  // namespace ridge::scenario
