// SPDX-License-Identifier: Apache-2.0
#include "measure/self_check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "measure/event_cost.h"
#include "measure/gate.h"
#include "measure/replicates.h"
#include "stats/random.h"
#include "stats/samples.h"

namespace ridge::measure {
namespace {

constexpr Host kCheckHost{.processors = 2, .threads = 1};
constexpr double kGap = 2'000, kOutside = 10'000, kWall = 9'000, kInside = 3'000;
const std::vector<double> kLayers = {500'000, 80'000, 900'000, 20'000, 300'000};

/// Distorts a run's events, as a faulty profiler would.
using Lie = std::function<void(std::vector<Event>&)>;

class Simulation {
 public:
  explicit Simulation(Lie lie, double copy = 1) : lie_(std::move(lie)), copy_(copy) {}

  Replicates replicates() {
    estimates_ = estimate({process(), process(), process()}, kLayers.size(), cost(), kCheckHost);
    return Replicates(estimates_);
  }

 private:
  /// Runs layers in a row, plain or profiled.
  Run run(const std::vector<double>& layers, bool profiled, double copy = 1) {
    Run out;
    double ns = kOutside;
    for (std::uint32_t k = 0; k < layers.size(); ++k) {
      const double layer = layers[k] * copy * (0.98 + 0.04 * random_.uniform());
      ns += kGap + layer + (profiled ? kWall : 0);
      if (profiled) out.events.push_back({k, std::llround(layer + kInside)});
    }
    out.wall_ns = std::llround(ns);
    if (profiled) lie_(out.events);
    return out;
  }

  ProcessRuns process() {
    ProcessRuns out;
    for (int i = 0; i < 20; ++i) {
      out.plain.push_back(run(kLayers, false));
      out.profiled.push_back(run(kLayers, true, copy_));
    }
    return out;
  }

  LeveledRuns chain(int events) {
    LeveledRuns out{.events = events};
    const std::vector<double> layers(static_cast<std::size_t>(events), 50'000);
    for (int i = 0; i < 40; ++i) {
      const Run plain = run(layers, false), profiled = run(layers, true);
      double reported = 0;
      for (const Event& e : profiled.events) reported += static_cast<double>(e.duration_ns);
      out.plain_ns.push_back(static_cast<double>(plain.wall_ns));
      out.profiled_ns.push_back(static_cast<double>(profiled.wall_ns));
      out.reported_ns.push_back(reported);
    }
    return out;
  }

  const EventCost& cost() {
    cost_ = event_cost(chain(20), chain(60));
    cost_.cheapest_kernel_ns = 3'000;
    cost_.resolution_ns = 4'000;
    return cost_;
  }

  Lie lie_;
  double copy_;
  stats::Random random_{7};
  EventCost cost_;
  Estimates estimates_;
};

void each(std::vector<Event>& events, const std::function<double(double)>& change) {
  for (Event& e : events) e.duration_ns = std::llround(change(static_cast<double>(e.duration_ns)));
}

/// Share of a run that each planted fault removes, derived from kLayers.
double share_of(double ns) {
  double run = kOutside;
  for (const double layer : kLayers) run += kGap + layer;
  return ns / run;
}

stats::Estimate residual_with(const Lie& lie) {
  Simulation s(lie);
  return s.replicates().unscaled_residual();
}

TEST(SelfCheck, AnHonestProfilerLeavesNothing) {
  Simulation s([](std::vector<Event>&) {});
  const Replicates r = s.replicates();
  EXPECT_NEAR(r.unscaled_residual().value, 0, 0.005);
  EXPECT_NEAR(r.factor().value, 1, 0.01);
  EXPECT_NEAR(r.predicted_ratio().value, 1, 0.005);
}

TEST(SelfCheck, HalvedDurationsAreMissed) {
  const auto e = residual_with(
      [](std::vector<Event>& events) { each(events, [](double ns) { return ns / 2; }); });
  EXPECT_NEAR(e.value, -share_of(900'000), 0.02);  // half of all layers
  EXPECT_LT(e.high(), -0.45);
}

TEST(SelfCheck, ASlowestLayerOfNothingIsMissed) {
  const auto e = residual_with([](std::vector<Event>& events) {
    if (events.size() == kLayers.size()) events[2].duration_ns = 0;
  });
  EXPECT_NEAR(e.value, -share_of(900'000), 0.01);
}

TEST(SelfCheck, EventsThatDoNotComeAreMissed) {
  const auto e = residual_with([](std::vector<Event>& events) {
    if (events.size() != kLayers.size()) return;
    events.erase(events.begin() + 4);
    events.erase(events.begin());
  });
  EXPECT_NEAR(e.value, -share_of(800'000), 0.01);
}

TEST(SelfCheck, DoubledDurationsAreTooMuch) {
  const auto e = residual_with(
      [](std::vector<Event>& events) { each(events, [](double ns) { return ns * 2; }); });
  EXPECT_NEAR(e.value, share_of(1'800'000), 0.02);
}

TEST(SelfCheck, TheCorrectionsOwnSumsSeeNoneOfThat) {
  Simulation s([](std::vector<Event>& events) { each(events, [](double ns) { return ns / 2; }); });
  EXPECT_NEAR(s.replicates().factor().value, 1, 0.02);
}

TEST(SelfCheck, AProfiledCopyThatIsFasterIsScaledAndSaid) {
  Simulation s([](std::vector<Event>&) {}, 0.8);
  const Replicates r = s.replicates();
  EXPECT_NEAR(r.factor().value, 1.25, 0.05);
  EXPECT_NEAR(r.unscaled_residual().value, -0.2, 0.02);
  EXPECT_NEAR(r.predicted_ratio().value, 1.25, 0.03);
}

TEST(SelfCheck, AProfilerWhoseCostRisesIsNotSteady) {
  std::vector<std::vector<PairTimes>> processes(2);
  for (auto& pairs : processes)
    for (int i = 0; i < 16; ++i)
      pairs.push_back({.plain_ns = 1e6, .profiled_ns = 1.02e6 + 100.0 * (i % 3)});
  EXPECT_FALSE(drift_note(processes));
  for (auto& pairs : processes)
    for (std::size_t i = 8; i < 16; ++i) pairs[i].profiled_ns += 0.05e6;
  EXPECT_EQ(drift_note(processes),
            "the cost of profiling changes while it measures: a profiled run takes 1.020 [1.020, "
            "1.020] times the plain run beside it in the first half of each process and 1.070 "
            "[1.070, 1.070] in the second; layers are corrected with what it costs on average");
  processes.resize(1);
  processes[0].resize(8);
  EXPECT_FALSE(drift_note(processes));  // too few to tell
}

profile::Profile with(stats::Estimate factor, stats::Estimate unscaled, stats::Estimate predicted) {
  profile::Profile p;
  p.profiling.layer_times = profile::kCorrectedTimes;
  p.profiling.factor = factor;
  p.profiling.unscaled_residual = unscaled;
  p.profiling.predicted_ratio = predicted;
  p.profiling.profiled_latency_ns = {10.2e6, {{10.1e6, 10.3e6}}};
  p.profiling.predicted_profiled_ns = {9.8e6, {{9.7e6, 9.9e6}}};
  return p;
}

using Notes = std::vector<std::string>;

TEST(SelfCheckNotes, SayNothingOfWhatMayBeNoise) {
  EXPECT_EQ(
      self_check_notes(with({0.9, {{0.8, 0.96}}}, {-0.2, {{-0.4, -0.04}}}, {0.9, {{0.8, 0.985}}})),
      Notes());
  EXPECT_EQ(self_check_notes(profile::Profile()), Notes());
}

TEST(SelfCheckNotes, NameTheFigureItsIntervalAndWhatItMayMean) {
  EXPECT_EQ(
      self_check_notes(
          with({0.9, {{0.88, 0.94}}}, {-0.2, {{-0.3, -0.1}}}, {0.961, {{0.95, 0.97}}})),
      (Notes{"layer times are scaled by 0.900 [0.880, 0.940] to fit the runs without the profiler, "
             "which is more than 5 % away from 1: profiled runs are not like the others, or the "
             "profiler reports wrong times",
             "the profiler's events leave a part of the run unexplained: unscaled residual -20.0 % "
             "[-30.0, -10.0]; they report too little, or this model spends that time between its "
             "layers",
             "a profiled run takes 10.20 ms [10.10 ms, 10.30 ms], and the plain run with the "
             "calibrated cost of its events predicts 9.800 ms [9.700 ms, 9.900 ms] (0.961 [0.950, "
             "0.970] of it): profiling costs more in this model than in the calibration's "
             "chains"}));
}

TEST(SelfCheckNotes, SayNothingOfAFactorThatWasNotUsed) {
  profile::Profile p = with({5, {{4.8, 5.2}}}, {0, {{0, 0}}}, {1, {{1, 1}}});
  p.profiling.layer_times = profile::kReportedTimes;
  EXPECT_EQ(self_check_notes(p), Notes());
}

}  // namespace
}  // namespace ridge::measure
