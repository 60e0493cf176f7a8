// SPDX-License-Identifier: Apache-2.0
#include "advice/run_times.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace ridge::advice {
namespace {

profile::Profile timed_run(const std::vector<std::vector<std::int64_t>>& layers,
                           const std::vector<std::vector<std::int64_t>>& processes) {
  profile::Profile out;
  for (const auto& runs : layers) {
    profile::Layer& layer = out.layers.emplace_back();
    layer.runs_ns = runs;
    std::vector<std::int64_t> ascending = runs;
    std::ranges::sort(ascending);
    layer.corrected_ns = static_cast<double>(ascending[ascending.size() / 2]);
  }
  for (const auto& samples : processes) out.latency.processes.push_back({.samples_ns = samples});
  out.latency.ns.value = 10;
  return out;
}

double sum_of(const RunTimes& times) {
  return std::accumulate(times.layers_ns.begin(), times.layers_ns.end(), times.outside_ns);
}

TEST(RunTimes, LeaveOutDisturbedRunsAsAWhole) {
  // The third run is disturbed in its first layer; the fourth is the shortest.
  const RunTimes times = run_times(timed_run({{2, 2, 90, 2}, {7, 8, 7, 6}}, {{10, 11, 10, 9}}));
  EXPECT_EQ(times.kept, 2U);
  EXPECT_EQ(times.layers_ns, (std::vector<double>{2, 7.5}));
  EXPECT_EQ(times.latency_ns, 10.5);
  EXPECT_EQ(times.outside_ns, 1);
}

// Each run has a disturbance of 4 us on some layer, hardly ever the same: a fifth of the latency. A
// tenth of the runs are lost to something else altogether.
TEST(RunTimes, AddUpToTheLatencyWhateverTheTails) {
  std::mt19937_64 random(7);
  const std::size_t layers = 40, runs = 60;
  std::vector<std::vector<std::int64_t>> times(layers, std::vector<std::int64_t>(3 * runs));
  std::vector<std::vector<std::int64_t>> samples(3, std::vector<std::int64_t>(runs));
  for (std::size_t i = 0; i < 3 * runs; ++i) {
    for (std::size_t l = 0; l < layers; ++l)
      times[l][i] = 390 + static_cast<std::int64_t>(random() % 21);
    times[random() % layers][i] += 4'000;
    const bool lost = random() % 10 == 0;
    if (lost) times[random() % layers][i] += 70'000;
    samples[i / runs][i % runs] =
        21'500 + static_cast<std::int64_t>(random() % 101) + (lost ? 50'000 : 0);
  }
  const profile::Profile run = timed_run(times, samples);
  const RunTimes found = run_times(run);
  EXPECT_NEAR(sum_of(found), found.latency_ns, 1e-6);
  EXPECT_NEAR(found.latency_ns, 21'550, 20);  // 40 * 400 + 4,000 of layers and 1,550 outside
  EXPECT_NEAR(found.outside_ns, 1'550, 60);
  double medians = 0;
  for (const profile::Layer& layer : run.layers) medians += layer.corrected_ns;
  EXPECT_LT(medians, 16'400);  // what medians of single layers leave out
}

TEST(RunTimes, ArePartsOfTheLatency) {
  // The layers took longer than the runs beside them.
  const RunTimes times = run_times(timed_run({{6, 6}, {6, 6}}, {{8, 8}}));
  EXPECT_EQ(times.layers_ns, (std::vector<double>{4, 4}));
  EXPECT_EQ(times.outside_ns, 0);
}

TEST(RunTimes, OfADocumentWithoutRunsAreItsMedians) {
  profile::Profile run = timed_run({{2}, {6}}, {{9}});
  run.layers[0].runs_ns.clear();
  const RunTimes times = run_times(run);
  EXPECT_EQ(times.kept, 0U);
  EXPECT_EQ(times.layers_ns, (std::vector<double>{2, 6}));
  EXPECT_EQ(times.latency_ns, 10);
  EXPECT_EQ(times.outside_ns, 2);
  EXPECT_EQ(run_times({}).outside_ns, 0);
}

TEST(RunTimes, CountEveryProcess) {
  // The second process is slower: the middle half of all runs would leave it out.
  const RunTimes times =
      run_times(timed_run({{4, 4, 4, 4, 8, 8, 8, 8}}, {{5, 5, 5, 5}, {9, 9, 9, 9}}));
  EXPECT_EQ(times.latency_ns, 7);
  EXPECT_EQ(times.layers_ns, (std::vector<double>{6}));
}

}  // namespace
}  // namespace ridge::advice
