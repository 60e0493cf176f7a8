// SPDX-License-Identifier: Apache-2.0
#include "sharing/replay/bounds.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sharing/policy/testing/naive_policy.h"
#include "sharing/replay/simulator.h"
#include "stats/random.h"

namespace ridge::sharing {
namespace {

Trace sequence(const std::vector<std::uint32_t>& models) {
  Trace out;
  for (const std::uint32_t model : models) {
    out.requests.push_back(
        {.at_ns = static_cast<std::int64_t>(out.requests.size()) * 10, .model = model});
    while (out.models.size() <= model) out.models.push_back("m");
  }
  return out;
}

struct Span {
  std::size_t begin, end, model;
};

/// The most intervals between requests that fit, by trying all their subsets.
std::uint64_t most_by_trying(const Trace& trace, const std::vector<Bytes>& sizes, Bytes memory) {
  std::vector<Span> spans;
  for (std::size_t i = 0; i < trace.requests.size(); ++i)
    for (std::size_t j = i; j-- > 0;)
      if (trace.requests[j].model == trace.requests[i].model) {
        spans.push_back({j, i, trace.requests[i].model});
        break;
      }
  std::uint64_t best = 0;
  for (std::uint64_t chosen = 0; chosen < std::uint64_t{1} << spans.size(); ++chosen) {
    bool fits = true;
    std::uint64_t hits = 0;
    for (std::size_t gap = 0; fits && gap + 1 < trace.requests.size(); ++gap) {
      Bytes used{0};
      for (std::size_t s = 0; s < spans.size(); ++s)
        if ((chosen >> s & 1) != 0 && spans[s].begin <= gap && gap < spans[s].end)
          used += sizes[spans[s].model];
      fits = used <= memory;
    }
    for (std::size_t s = 0; s < spans.size(); ++s) hits += chosen >> s & 1;
    if (fits) best = std::max(best, hits);
  }
  return best;
}

/// Belady's rule for equal sizes where a request may pass memory by: of what is in memory and what
/// is asked for, what is asked for again last goes.
std::uint64_t belady(const Trace& trace, std::size_t places) {
  const auto next = [&](std::size_t from, std::uint32_t model) {
    for (std::size_t i = from; i < trace.requests.size(); ++i)
      if (trace.requests[i].model == model) return i;
    return trace.requests.size();
  };
  std::vector<std::uint32_t> memory;
  std::uint64_t hits = 0;
  for (std::size_t i = 0; i < trace.requests.size(); ++i) {
    const std::uint32_t model = trace.requests[i].model;
    if (std::ranges::count(memory, model) > 0) {
      ++hits;
      continue;
    }
    memory.push_back(model);
    if (memory.size() > places)
      memory.erase(
          std::ranges::max_element(memory, {}, [&](std::uint32_t m) { return next(i + 1, m); }));
  }
  return hits;
}

// The example of the header: A 0-2 and A 2-5 fit, and B 1-4 does not beside them.
TEST(HitBounder, ItsExample) {
  const Trace trace = sequence({0, 1, 0, 2, 1, 0});
  const std::vector sizes = {Bytes{2}, Bytes{3}, Bytes{1}};
  const HitBounder bounder(trace, sizes, LoopKind::kOpen);
  EXPECT_EQ(bounder.optimum(Bytes{4}), 2u);
  EXPECT_EQ(bounder.scheduled(Bytes{4}), 2u);
  // Areas 4, 6 and 9 of 4 x 5.
  EXPECT_EQ(bounder.relaxed(Bytes{4}), 3u);
  EXPECT_EQ(bounder.relaxed(Bytes{3}), 2u);
}

TEST(HitBounder, EncloseWhatTryingEverythingFinds) {
  stats::Random random(11);
  for (int i = 0; i < 400; ++i) {
    std::vector<std::uint32_t> models;
    for (int k = 0; k < 12; ++k) models.push_back(static_cast<std::uint32_t>(random.below(4)));
    Trace trace = sequence(models);
    for (std::size_t k = 1; k < trace.requests.size(); ++k)
      trace.requests[k].at_ns =
          trace.requests[k - 1].at_ns + static_cast<std::int64_t>(random.below(30));
    std::vector<Bytes> sizes;
    for (int m = 0; m < 4; ++m) sizes.push_back({1 + static_cast<std::int64_t>(random.below(6))});
    const Bytes memory{static_cast<std::int64_t>(random.below(12))};
    const std::uint64_t best = most_by_trying(trace, sizes, memory);
    for (const LoopKind loop : {LoopKind::kOpen, LoopKind::kClosed}) {
      const HitBounder bounder(trace, sizes, loop);
      ASSERT_EQ(bounder.optimum(memory), best) << "case " << i;
      ASSERT_LE(bounder.scheduled(memory), best) << "case " << i;
      ASSERT_GE(bounder.relaxed(memory), best) << "case " << i;
      ASSERT_TRUE(bounder.within(memory).exact);
    }
  }
}

TEST(HitBounder, IsBeladysForEqualSizes) {
  stats::Random random(5);
  for (std::size_t places = 1; places < 9; ++places) {
    std::vector<std::uint32_t> models;
    for (int k = 0; k < 400; ++k)
      models.push_back(static_cast<std::uint32_t>(random.below(1 + random.below(10))));
    const Trace trace = sequence(models);
    const std::vector<Bytes> sizes(10, Bytes{7});
    const HitBounder bounder(trace, sizes, LoopKind::kOpen);
    const Bytes memory{static_cast<std::int64_t>(7 * places + 3)};
    ASSERT_EQ(bounder.optimum(memory), belady(trace, places)) << places;
    ASSERT_LE(bounder.scheduled(memory), belady(trace, places)) << places;
    ASSERT_GE(bounder.relaxed(memory), belady(trace, places)) << places;
  }
}

TEST(HitBounder, NoPolicyOfTheSimulatorHasMore) {
  stats::Random random(9);
  for (int i = 0; i < 40; ++i) {
    Trace trace;
    const std::size_t models = 20;
    trace.models.assign(models, "m");
    std::int64_t at = 0;
    for (int k = 0; k < 800; ++k) {
      at += static_cast<std::int64_t>(random.below(20));
      trace.requests.push_back(
          {.at_ns = at,
           .model = static_cast<std::uint32_t>(random.below(1 + random.below(models)))});
    }
    std::vector<Simulated> costs;
    std::vector<Bytes> sizes;
    for (std::size_t m = 0; m < models; ++m) {
      sizes.push_back({1 + static_cast<std::int64_t>(random.below(30))});
      costs.push_back({.bytes = sizes.back(),
                       .own_load = {static_cast<std::int64_t>(random.below(9))},
                       .prepared_load = {static_cast<std::int64_t>(random.below(5))},
                       .lease = {0},
                       .run = {static_cast<std::int64_t>(random.below(9))}});
    }
    const Bytes memory{20 + static_cast<std::int64_t>(random.below(200))};
    for (const std::uint32_t clients : {0U, 3U}) {
      const HitBounder bounder(trace, sizes, clients > 0 ? LoopKind::kClosed : LoopKind::kOpen);
      const HitBounds bounds = bounder.within(memory);
      ASSERT_FALSE(bounds.exact);
      ASSERT_LE(*bounds.at_least, bounds.at_most);
      for (const PolicySpec& policy : testing::all_policies())
        ASSERT_LE(simulate(trace, costs,
                           {.memory = memory, .disk = {}, .policy = policy, .clients = clients})
                      .hits,
                  bounds.at_most)
            << word(policy.kind) << ", case " << i;
    }
  }
}

TEST(HitBounder, OfNothingIsNothing) {
  const Trace trace;
  const HitBounds bounds = HitBounder(trace, {}, LoopKind::kOpen).within(Bytes{1});
  EXPECT_EQ(bounds.at_most, 0u);
  EXPECT_EQ(bounds.at_least, std::optional<std::uint64_t>(0));
}

}  // namespace
}  // namespace ridge::sharing
