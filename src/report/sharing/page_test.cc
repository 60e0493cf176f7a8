// SPDX-License-Identifier: Apache-2.0
#include "report/sharing/page.h"

#include <gtest/gtest.h>

#include <string>

#include "report/kit/testing.h"

namespace ridge::report {
namespace {

using sharing::Replay;
using sharing::ReplayCase;
using testing::between;
using testing::count;

constexpr std::int64_t kGiB = std::int64_t{1} << 30;

/// Two policies at two budgets, half of the requests hits, for some numbers of clients and shares.
Replay replay_of(const std::vector<std::uint32_t>& clients, const std::vector<double>& shares,
                 const std::string& trace = "zipf") {
  Replay out;
  out.ridge = "1.2.3";
  out.costs = "built-in examples";
  for (const std::uint32_t n : clients)
    for (const double share : shares)
      for (const std::int64_t memory : {kGiB, 4 * kGiB}) {
        const ReplayCase of{
            .trace = trace, .clients = n, .share = share, .models = 9, .memory = Bytes{memory}};
        for (const char* policy : {"lru", "gdsf"}) {
          sharing::Simulation s;
          s.requests = 100;
          s.hits = 50;
          s.ready = {.p50 = {5'000'000}, .p99 = {250'000'000}};
          s.speedup = 2 + n;
          out.rows.push_back({.of = of,
                              .policy = policy,
                              .result = s,
                              .bound = {.at_most = 80, .at_least = 70, .exact = false}});
        }
      }
  return out;
}

TEST(ReplayPage, HasALineForEachPolicyAndTheBoundAsADashedOne) {
  const std::string page = replay_page(replay_of({0}, {1}));
  EXPECT_EQ(testing::unbalanced(page), "");
  EXPECT_EQ(count(page, "<h2>zipf, 9 models</h2>"), 1u);
  EXPECT_EQ(count(page, "<polyline"), 5u);  // hits and times of two policies, and a bound
  const std::string hits = between(page, "aria-label=\"hits, and the bound (dashed)\"", "</svg>");
  EXPECT_EQ(count(hits, "class=\"limit\""), 1u);
  EXPECT_EQ(count(hits, "<title>lru, 1024 MiB: 50 %</title>"), 1u);
  EXPECT_EQ(count(hits, "<title>no policy has more, 4096 MiB: 80.00 %</title>"), 1u);
}

TEST(ReplayPage, HasSpeedupsByClientsAndSharesWhereBothVary) {
  EXPECT_EQ(count(replay_page(replay_of({1, 4}, {1})), "Speed-up by clients"), 0u);
  const std::string page = replay_page(replay_of({1, 4}, {0.1, 1}));
  EXPECT_EQ(testing::unbalanced(page), "");
  EXPECT_EQ(count(page, "<h2>Speed-up by clients and share of the models</h2>"), 1u);
  EXPECT_EQ(count(page, "10 % of the models"), 4u);  // two policies, two budgets
  EXPECT_EQ(count(page, "<h2>zipf, 4 clients, 9 models</h2>"), 2u);
}

TEST(ReplayPage, ChartsEndWhereTheyAreTooMany) {
  std::vector<double> shares;
  for (int i = 1; i <= 30; ++i) shares.push_back(i / 30.0);
  const std::string page = replay_page(replay_of({0}, shares));
  EXPECT_EQ(count(page, "hits, and the bound (dashed)</figcaption>"), kChartedCases);
  EXPECT_EQ(count(page, "6 more of them are in the table alone"), 1u);
}

TEST(ReplayPage, EscapesNames) {
  const std::string page = replay_page(replay_of({0}, {1}, testing::kHostile));
  EXPECT_EQ(testing::unbalanced(page), "");
  EXPECT_EQ(count(page, "<script>alert"), 0u);
  EXPECT_EQ(count(page, "<img"), 0u);
}

}  // namespace
}  // namespace ridge::report
