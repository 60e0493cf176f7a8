// SPDX-License-Identifier: Apache-2.0
#include "scenario/testing/lindley.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "scenario/arrivals.h"
#include "scenario/exact_random.h"

namespace ridge::scenario::testing {
namespace {

/// When queries are done, by advancing the queue nanosecond by nanosecond.
std::vector<std::int64_t> stepped_waits(const std::vector<std::int64_t>& arrivals,
                                        std::vector<std::int64_t> services, const Stalls& stalls) {
  std::vector<std::int64_t> done;
  for (std::int64_t now = 0; done.size() < arrivals.size(); ++now) {
    while (done.size() < arrivals.size() && services[done.size()] == 0) done.push_back(now);
    const std::size_t next = done.size();
    const bool stalled = stalls.period_ns > 0 && now % stalls.period_ns < stalls.length_ns;
    if (next < arrivals.size() && arrivals[next] <= now && !stalled) --services[next];
  }
  return done;
}

TEST(Queue, EqualsAStepByStepSimulation) {
  stats::Random random(11);
  for (int round = 0; round < 300; ++round) {
    Stalls stalls;
    if (random.below(2) == 0) {
      stalls.period_ns = 2 + static_cast<std::int64_t>(random.below(40));
      stalls.length_ns =
          static_cast<std::int64_t>(random.below(static_cast<std::size_t>(stalls.period_ns)));
    }
    std::vector<std::int64_t> arrivals, services, done;
    std::int64_t now = 0;
    Queue queue(stalls);
    for (int i = 0; i < 40; ++i) {
      arrivals.push_back(now += static_cast<std::int64_t>(random.below(10)));
      services.push_back(1 + static_cast<std::int64_t>(random.below(15)));
      done.push_back(queue.serve(arrivals.back(), services.back()));
    }
    EXPECT_EQ(done, stepped_waits(arrivals, services, stalls)) << round;
  }
}

// Mean time in the system: 1 / (mu - lambda) for exponential service, 1/mu + rho / (2 mu (1 - rho))
// for constant service (Pollaczek and Khinchine).
TEST(QueueSlow, HasTheKnownMeans) {
  constexpr double kLoad = 0.7, kService = 1e6;
  constexpr int kQueries = 2'000'000;
  auto arrivals = make_arrivals(Poisson{.rate = kLoad * 1e9 / kService}, 2);
  ASSERT_TRUE(arrivals.ok());
  stats::Random random(5);
  Queue exponential_service, constant_service;
  double sum[2] = {};
  for (int i = 0; i < kQueries; ++i) {
    const std::int64_t at = (*arrivals)->next();
    const auto service = static_cast<std::int64_t>(exponential(random) * kService);
    sum[0] += static_cast<double>(exponential_service.serve(at, service) - at);
    sum[1] +=
        static_cast<double>(constant_service.serve(at, static_cast<std::int64_t>(kService)) - at);
  }
  EXPECT_NEAR(sum[0] / kQueries / kService * (1 - kLoad), 1, 0.02);
  EXPECT_NEAR(sum[1] / kQueries / kService / (1 + kLoad / (2 * (1 - kLoad))), 1, 0.02);
}

}  // namespace
}  // namespace ridge::scenario::testing
