// SPDX-License-Identifier: Apache-2.0
// The policy of batches against a simulation from event to event, and against one from nanosecond to
// nanosecond; and what is refused.
#include "scenario/batching.h"

#include <gtest/gtest.h>

#include "scenario/testing/batch_queue.h"
#include "stats/random.h"

namespace ridge::scenario {
namespace {

using testing::serve_in_batches;
using testing::ServedBatch;

std::int64_t done_of(std::size_t batch, std::uint32_t queries, std::int64_t at) {
  return at + 3 + static_cast<std::int64_t>(batch % 5) + 2 * std::int64_t{queries};
}

/// Batches as the policy makes them, by one worker.
std::vector<ServedBatch> by_policy(const std::vector<std::int64_t>& arrivals,
                                   const Batching& batching) {
  const Batcher batcher(batching);
  std::vector<ServedBatch> out;
  std::int64_t free = 0;
  for (std::size_t at = 0; at < arrivals.size();) {
    const Batch b = batcher.close(std::span(arrivals).subspan(at), free);
    free = done_of(out.size(), b.queries, b.at_ns);
    out.push_back({b.at_ns, free, b.queries});
    at += b.queries;
  }
  return out;
}

/// Batches by looking at the queue once in every nanosecond.
std::vector<ServedBatch> stepped_batches(const std::vector<std::int64_t>& arrivals,
                                         const Batching& batching) {
  std::vector<ServedBatch> out;
  std::size_t taken = 0;
  std::int64_t busy_until = 0;
  for (std::int64_t now = 0; taken < arrivals.size(); ++now) {
    if (now < busy_until) continue;
    std::size_t there = 0;
    while (taken + there < arrivals.size() && arrivals[taken + there] <= now) ++there;
    const bool waited = there > 0 && now - arrivals[taken] >= batching.wait.count;
    if (there < batching.most && !waited) continue;
    std::uint32_t queries = 0;
    for (std::uint32_t n = 1; n <= std::min<std::size_t>(there, batching.most); ++n)
      for (const std::uint32_t size : sizes_of(batching))
        if (n == size || (queries == 0 && size > there && n == there)) queries = n;
    busy_until = done_of(out.size(), queries, now);
    out.push_back({now, busy_until, queries});
    taken += queries;
  }
  return out;
}

TEST(Batcher, EqualsASimulationOfItsPolicy) {
  stats::Random random(7);
  const std::vector<std::vector<std::uint32_t>> sizes = {{}, {1, 8}, {4, 8}, {2, 3, 8}, {8}};
  for (int round = 0; round < 500; ++round) {
    Batching batching{.most = 8,
                      .wait = Nanos{static_cast<std::int64_t>(random.below(30))},
                      .sizes = sizes[random.below(sizes.size())]};
    if (batching.sizes.empty()) batching.most = 1 + static_cast<std::uint32_t>(random.below(9));
    std::vector<std::int64_t> arrivals;
    std::int64_t now = 0;
    const std::size_t widest = 1 + random.below(20);
    for (int i = 0; i < 60; ++i)
      arrivals.push_back(now += static_cast<std::int64_t>(random.below(widest)));
    const std::vector<ServedBatch> expected = stepped_batches(arrivals, batching);
    ASSERT_EQ(by_policy(arrivals, batching), expected) << round;
    ASSERT_EQ(serve_in_batches(arrivals, batching, 1, done_of), expected) << round;
  }
}

TEST(Batcher, ClosesAsItsHeaderShows) {
  const Batcher batcher({.most = 4, .wait = Nanos{10}, .sizes = {}});
  const auto closed = [&](std::vector<std::int64_t> due_times, std::int64_t free) {
    const Batch b = batcher.close(due_times, free);
    return std::vector<std::int64_t>{b.at_ns, b.queries, b.size};
  };
  using Closed = std::vector<std::int64_t>;
  EXPECT_EQ(closed({0, 3, 5, 6, 20}, 0), (Closed{6, 4, 4}));
  EXPECT_EQ(closed({20, 24, 50}, 8), (Closed{30, 2, 2}));
  EXPECT_EQ(closed({50, 51, 52, 53, 54}, 40), (Closed{53, 4, 4}));
  EXPECT_EQ(closed({54, 90}, 60), (Closed{64, 1, 1}));
  EXPECT_EQ(closed({1, 2, 3}, 100), (Closed{100, 2, 2}));  // the third is left
}

TEST(Batcher, PadsOnlyWhatIsBelowTheSmallestSize) {
  const Batch b = Batcher({.most = 8, .wait = {}, .sizes = {4, 8}})
                      .close(std::vector<std::int64_t>{0, 1, 2}, 5);
  EXPECT_EQ(b.queries, 3U);
  EXPECT_EQ(b.size, 4U);
}

TEST(Batching, HasPowersOfTwoUnlessSizesAreStated) {
  EXPECT_EQ(sizes_of({.most = 6, .wait = {}, .sizes = {}}),
            (std::vector<std::uint32_t>{1, 2, 4, 6}));
  EXPECT_EQ(sizes_of({.most = 1, .wait = {}, .sizes = {}}), (std::vector<std::uint32_t>{1}));
}

TEST(Batching, ThatCannotBeIsRefused) {
  const auto message = [](const Batching& b) { return check(b).error().message(); };
  EXPECT_TRUE(check({.most = 8, .wait = Nanos{2'000'000}, .sizes = {1, 8}}).ok());
  EXPECT_EQ(message({.most = 0, .wait = {}, .sizes = {}}), "a batch has 1 to 1024 queries");
  EXPECT_EQ(message({.most = 4, .wait = Nanos{-1}, .sizes = {}}),
            "a query waits at most 60 s for others of its batch");
  for (const std::vector<std::uint32_t>& sizes :
       std::vector<std::vector<std::uint32_t>>{{0, 4}, {1, 8}, {2, 2, 4}, {4, 1}})
    EXPECT_EQ(message({.most = 4, .wait = {}, .sizes = sizes}),
              "the sizes of batches ascend, and the last is the largest, 4");
}

}  // namespace
}  // namespace ridge::scenario
