// SPDX-License-Identifier: Apache-2.0
#include "sharing/replay/simulator.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "sharing/replay/testing/naive_simulation.h"
#include "stats/random.h"

namespace ridge::sharing {
namespace {

using testing::all_policies;
using testing::NaiveSimulation;

/// 10 bytes; 100 ns by itself, 40 from disk, 5 from memory; runs for 20.
constexpr Simulated kModel{.bytes = Bytes{10},
                           .own_load = Nanos{100},
                           .prepared_load = Nanos{40},
                           .lease = Nanos{5},
                           .run = Nanos{20}};

Trace trace_of(std::initializer_list<std::pair<std::int64_t, std::uint32_t>> requests) {
  Trace out;
  for (const auto& [at, model] : requests) {
    out.requests.push_back({.at_ns = at, .model = model});
    while (out.models.size() <= model) out.models.push_back("m");
  }
  return out;
}

std::string counts_of(const Simulation& s) {
  return fmt::format(
      "{} hits, {} joined, {} from disk, {} misses, {} unadmitted, {} evictions, {} "
      "expired; ready {} {}; {} ns; peak {}, {:.0f} byte ns",
      s.hits, s.joined, s.disk_loads, s.misses, s.unadmitted, s.evictions, s.expirations,
      s.ready.p50.count, s.ready.p99.count, s.duration.count, s.peak.count, s.byte_seconds * 1e9);
}

Simulation play_kind(const Trace& trace, PolicyKind kind, std::int64_t memory,
                     std::uint32_t clients = 0) {
  const std::vector<Simulated> models(trace.models.size(), kModel);
  return simulate(trace, models,
                  {.memory = Bytes{memory},
                   .ask = Nanos{1},
                   .policy = {.kind = kind, .ttl = Nanos{50}},
                   .clients = clients});
}

// 0: model 0 misses, ready at 101, runs until 121. 50: joins, ready at 106, until 126. 200: hit,
// ready at 205, until 225. 300: model 1 misses; model 0, idle, leaves for it; ready at 401, until
// 421. 500: model 0 comes from disk, model 1 leaves; ready at 540, until 560.
TEST(Simulator, PlaysEachLevel) {
  const Trace trace = trace_of({{0, 0}, {50, 0}, {200, 0}, {300, 1}, {500, 0}});
  EXPECT_EQ(counts_of(play_kind(trace, PolicyKind::kLru, 10)),
            "1 hits, 1 joined, 1 from disk, 2 misses, 0 unadmitted, 2 evictions, 0 expired; ready "
            "56 101; 560 ns; peak 10, 5600 byte ns");
}

// A model that is leased does not leave, so model 1 loads for itself alone; never is the same for
// one that is idle.
TEST(Simulator, LoadsForItselfAloneWhereNothingMayLeave) {
  const Trace leased = trace_of({{0, 0}, {10, 1}});
  for (const PolicySpec& policy : all_policies()) {
    const Simulation s = play_kind(leased, policy.kind, 10);
    EXPECT_EQ(s.unadmitted, 1u) << word(policy.kind);
    EXPECT_EQ(s.evictions, 0u) << word(policy.kind);
  }
  EXPECT_EQ(counts_of(play_kind(trace_of({{0, 0}, {500, 1}, {1000, 1}}), PolicyKind::kNever, 10)),
            "0 hits, 0 joined, 1 from disk, 2 misses, 2 unadmitted, 0 evictions, 0 expired; ready "
            "101 101; 1060 ns; peak 10, 10600 byte ns");
}

// Idle from 121 on, it leaves at 171; eager, at 121.
TEST(Simulator, WhatExpiresLeavesAtItsMoment) {
  const Trace trace = trace_of({{0, 0}, {1000, 0}});
  EXPECT_EQ(counts_of(play_kind(trace, PolicyKind::kTtl, 10)),
            "0 hits, 0 joined, 1 from disk, 1 misses, 0 unadmitted, 0 evictions, 1 expired; ready "
            "40 101; 1060 ns; peak 10, 2310 byte ns");
  EXPECT_DOUBLE_EQ(play_kind(trace, PolicyKind::kEager, 10).byte_seconds * 1e9, 10 * (121 + 60));
}

TEST(Simulator, AThousandRequestsAtOnceLoadOnce) {
  Trace trace{.requests = {}, .models = {"m"}};
  trace.requests.resize(1000);
  const Simulation s = play_kind(trace, PolicyKind::kGdsf, 10);
  EXPECT_EQ(s.misses, 1u);
  EXPECT_EQ(s.joined, 999u);
  EXPECT_EQ(s.ready.p99, Nanos{106});
}

// Two clients: 0 and 1 miss and run until 121, then each has the next one as a hit, in turn.
TEST(Simulator, ClientsOfAClosedLoopTakeRequestsInTheirOrder) {
  const Trace trace = trace_of({{0, 0}, {0, 1}, {0, 0}, {0, 1}, {0, 0}, {0, 0}});
  EXPECT_EQ(counts_of(play_kind(trace, PolicyKind::kLru, 20, 2)),
            "4 hits, 0 joined, 0 from disk, 2 misses, 0 unadmitted, 0 evictions, 0 expired; ready "
            "5 101; 171 ns; peak 20, 3420 byte ns");
}

// TrIMS's worst case: own load and the question for nothing.
TEST(Simulator, StatesWhatItCostsWhereEveryLevelMisses) {
  const Simulation s = play_kind(trace_of({{0, 0}, {1000, 1}}), PolicyKind::kLru, 10);
  EXPECT_DOUBLE_EQ(s.speedup, 240.0 / 242);
  EXPECT_DOUBLE_EQ(s.all_miss_speedup, 240.0 / 242);
  EXPECT_DOUBLE_EQ(play_kind(trace_of({{0, 0}, {1000, 0}}), PolicyKind::kLru, 10).speedup,
                   240.0 / (121 + 25));
}

TEST(Simulator, WhatIsNotSharedLoadsByItselfAndIsNotAskedFor) {
  const Trace trace = trace_of({{0, 0}, {1000, 0}});
  Simulated alone = kModel;
  alone.shared = false;
  const Simulation s =
      simulate(trace, std::vector{alone}, {.memory = Bytes{10}, .ask = Nanos{1}, .policy = {}});
  EXPECT_EQ(s.misses, 2u);
  EXPECT_EQ(s.peak, Bytes{0});
  EXPECT_DOUBLE_EQ(s.speedup, 1);
}

TEST(Simulator, PrewarmingTurnsAColdStartIntoAHit) {
  Trace trace{.requests = {}, .models = {"m"}};
  for (std::int64_t i = 0; i < 30; ++i) trace.requests.push_back({.at_ns = i * 1000});
  PolicySpec policy{.kind = PolicyKind::kHistogram};
  policy.histogram = {.bin = Nanos{100}, .bins = 50, .prewarm = true};
  const SimulatorOptions options{.memory = Bytes{10}, .ask = Nanos{1}, .policy = policy};
  const Simulation warm = simulate(trace, std::vector{kModel}, options);
  EXPECT_EQ(warm.misses, 1u);
  EXPECT_GT(warm.hits, 25u);
  EXPECT_GT(warm.prewarms, 25u);
  EXPECT_EQ(warm.expirations, 29u);  // it was out of memory before each
}

/// Random requests, models and options.
struct RandomCase {
  Trace trace;
  std::vector<Simulated> models;
  SimulatorOptions options;
};

RandomCase random_case(stats::Random& random, const PolicySpec& policy) {
  const auto draw = [&](std::size_t below) {
    return static_cast<std::int64_t>(random.below(below));
  };
  RandomCase out;
  const std::size_t models = 1 + random.below(8);
  for (std::size_t i = 0; i < models; ++i) {
    out.trace.models.emplace_back("m");
    out.models.push_back({.bytes = Bytes{1 + draw(20)},
                          .own_load = Nanos{draw(60)},
                          .prepared_load = Nanos{draw(30)},
                          .lease = Nanos{draw(4)},
                          .run = Nanos{draw(40)}});
  }
  std::int64_t at = draw(100);
  for (int i = 0; i < 300; ++i) {
    at += draw(3) == 0 ? 0 : draw(40);
    out.trace.requests.push_back({.at_ns = at,
                                  .run_ns = draw(2) == 0 ? Request::kRunOfModel : draw(50),
                                  .model = static_cast<std::uint32_t>(random.below(models))});
  }
  out.options = {.memory = Bytes{draw(60)},
                 .disk = draw(2) == 0 ? std::nullopt : std::optional(Bytes{draw(60)}),
                 .ask = Nanos{draw(5)},
                 .policy = policy,
                 .clients = static_cast<std::uint32_t>(random.below(4))};
  return out;
}

TEST(Simulator, DoesWhatAScanOfAllListsDoes) {
  stats::Random random(3);
  for (const PolicySpec& policy : all_policies())
    for (int i = 0; i < 60; ++i) {
      const RandomCase c = random_case(random, policy);
      const Simulation fast = simulate(c.trace, c.models, c.options);
      const Simulation slow = NaiveSimulation(c.trace, c.models, c.options).run();
      ASSERT_EQ(counts_of(fast), counts_of(slow)) << word(policy.kind) << ", case " << i;
      ASSERT_EQ(fast.cold.p50, slow.cold.p50);
      ASSERT_EQ(fast.cold.p99, slow.cold.p99);
      ASSERT_LE(fast.peak, c.options.memory);
      ASSERT_EQ(fast.hits + fast.joined + fast.disk_loads + fast.misses, fast.requests);
    }
}

TEST(Simulator, NothingToPlayIsNothing) {
  EXPECT_EQ(simulate({}, {}, {.memory = Bytes{1}, .policy = {}}).requests, 0u);
}

}  // namespace
}  // namespace ridge::sharing
