// SPDX-License-Identifier: Apache-2.0
// Execution of a measurement plan, with a simulated target and clock.
#include "runtime/child/measuring_loop.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace ridge::runtime {
namespace {

class FakeClock final : public Clock {
 public:
  Nanos now() const override { return now_; }
  void advance(Nanos time) { now_ += time; }

 private:
  Nanos now_{1'000};
};

/// Each run takes `run_time`; a profiled one reports `events` events.
class FakeRunTarget final : public Target {
 public:
  explicit FakeRunTarget(FakeClock& clock) : clock_(clock) {}

  Result<void> run() override {
    clock_.advance(run_time);
    log += sink_.event != nullptr ? 'P' : 'u';
    if (log.size() == fail_at) return input_error("TEST-0001", "no more");
    for (int i = 0; i < events && sink_.event != nullptr; ++i) {
      RidgeEvent event{};
      event.size = sizeof(event);
      event.level = RIDGE_LEVEL_LAYER;
      event.name = "k";
      sink_.event(sink_.context, &event);
    }
    return {};
  }
  Result<void> profile(const RidgeProfileSink* sink) override {
    switches += sink == nullptr ? '-' : sink_.event != nullptr ? '=' : '+';
    sink_ = sink != nullptr ? *sink : RidgeProfileSink{};
    return {};
  }
  bool canceled() const override { return log.size() >= cancel_at; }

  Nanos run_time{1'000'000};
  int events = 2;
  std::size_t fail_at = 0, cancel_at = 1'000'000;
  std::string log;
  std::string switches;  ///< profiling turned on '+', off '-', left on '='

 private:
  FakeClock& clock_;
  RidgeProfileSink sink_{};
};

class MeasuringLoopTest : public ::testing::Test {
 protected:
  Measurement measure(const Plan& plan) {
    LoadMeter meter([] { return std::nullopt; }, clock_);
    MeasuringLoop loop(target_, plan, meter, clock_);
    while (loop.more()) loop.step();
    return loop.take_batch();
  }
  FakeClock clock_;
  FakeRunTarget target_{clock_};
};

TEST_F(MeasuringLoopTest, EachKindGoesFirstInOneOfTwoRoundsAndWhichIsDrawn) {
  measure({.warmup_runs = 2, .min_rounds = 40, .max_rounds = 40});
  EXPECT_EQ(target_.log.substr(0, 7),
            "uuu"
            "uP"
            "Pu");
  std::set<std::string> twos;
  for (std::size_t at = 3; at < target_.log.size(); at += 4) {
    const std::string two = target_.log.substr(at, 4);
    EXPECT_TRUE(two == "uPPu" || two == "PuuP") << two;
    twos.insert(two);
  }
  EXPECT_EQ(twos.size(), 2U);
}

TEST_F(MeasuringLoopTest, DeeperLevelsHaveRunsOfTheirOwnWhoseOrderIsDrawn) {
  const Measurement m = measure(
      {.warmup_runs = 0, .min_rounds = 20, .max_rounds = 20, .threads = true, .counters = true});
  constexpr std::size_t kKinds = 7;
  ASSERT_EQ(m.samples.size(), 1U + 20 * kKinds);
  std::set<std::vector<Mode>> orders;
  for (std::size_t at = 1; at < m.samples.size(); at += 2 * kKinds) {
    std::vector<Mode> there, back;
    for (std::size_t i = 0; i < kKinds; ++i) {
      there.push_back(m.samples[at + i].mode);
      back.push_back(m.samples[at + 2 * kKinds - 1 - i].mode);
    }
    EXPECT_EQ(there, back);
    orders.insert(there);
    std::sort(there.begin(), there.end());
    using enum Mode;
    EXPECT_EQ(there, (std::vector<Mode>{kUnprofiled, kProfiled, kThreadPart, kThread, kCounterPart,
                                        kCounter, kDeepest}));
  }
  EXPECT_GT(orders.size(), 5U);
  EXPECT_EQ(m.deep.size(), 20U * 5);
  EXPECT_EQ(m.profiled.size(), 20U * 2);
}

TEST_F(MeasuringLoopTest, RoundsMayHoldSeveralOfEachAndSettleFirst) {
  const Measurement m = measure({.warmup_runs = 0,
                                 .settle_runs = 1,
                                 .unprofiled_per_round = 2,
                                 .profiled_per_round = 1,
                                 .min_rounds = 2,
                                 .max_rounds = 2});
  EXPECT_EQ(target_.log,
            "u"
            "uuuP"
            "uPuu");
  EXPECT_EQ(m.samples[1].mode, Mode::kSettle);
  EXPECT_EQ(m.samples.back().round, 1U);
}

TEST_F(MeasuringLoopTest, LeavesProfilingOnWhereNoOtherRunsFollow) {
  const Plan plan{.warmup_runs = 0, .unprofiled_per_round = 0, .min_rounds = 3, .max_rounds = 3};
  measure(plan);
  EXPECT_EQ(target_.switches, "+-+-+-");
  Plan keep = plan;
  keep.keep_profiling = true;
  target_.log = target_.switches = "";
  const Measurement m = measure(keep);
  EXPECT_EQ(target_.switches, "+===");
  EXPECT_EQ(target_.log, "uPPP");
  ASSERT_EQ(m.profiled.size(), 3U);
  for (const ProfiledRun& run : m.profiled) EXPECT_EQ(run.events.size(), 2U);
}

TEST_F(MeasuringLoopTest, GoesOnUntilTheBudgetIsSpent) {
  measure({.warmup_runs = 0, .min_rounds = 2, .budget = Nanos{20'000'000}});
  EXPECT_EQ(target_.log.size(), 1U + 10 * 2);
}

TEST_F(MeasuringLoopTest, TheLimitCutsTheLeastNumberButNotTheFirstRound) {
  target_.run_time = Nanos{1'000'000'000};
  const Measurement m =
      measure({.warmup_runs = 5, .min_rounds = 10, .limit = Nanos{2'000'000'000}});
  EXPECT_EQ(m.profiled.size(), 1U);
  EXPECT_EQ(target_.log,
            "uu"
            "uP");
}

TEST_F(MeasuringLoopTest, WarmUpGoesOnForItsTime) {
  measure({.warmup_runs = 1, .warmup_time = Nanos{5'000'000}, .min_rounds = 1, .max_rounds = 1});
  EXPECT_EQ(target_.log,
            "u"
            "uuuuu"
            "uP");
}

TEST_F(MeasuringLoopTest, ManyEventsEndProfilingNotMeasuring) {
  target_.events = 100;
  const Measurement m =
      measure({.warmup_runs = 0, .min_rounds = 5, .max_rounds = 5, .max_events = 150});
  EXPECT_EQ(m.profiled.size(), 2U);
  EXPECT_EQ(target_.log,
            "u"
            "uP"
            "Pu"
            "u"
            "u"
            "u");
}

TEST_F(MeasuringLoopTest, WithoutProfiledRunsThereAreNoEvents) {
  const Measurement m =
      measure({.warmup_runs = 0, .profiled_per_round = 0, .min_rounds = 3, .max_rounds = 3});
  EXPECT_EQ(target_.log, "uuuu");
  EXPECT_TRUE(m.kernels.empty());
}

TEST_F(MeasuringLoopTest, AFailureKeepsWhatCameBefore) {
  target_.fail_at = 4;
  const Measurement m = measure({.warmup_runs = 0, .min_rounds = 5});
  EXPECT_EQ(m.samples.size(), 3U);
  ASSERT_TRUE(m.failure.has_value());
  EXPECT_EQ(m.failure->message(), "no more");
}

TEST_F(MeasuringLoopTest, ACanceledRunIsNoSample) {
  target_.cancel_at = 5;
  const Measurement m = measure({.warmup_runs = 0, .min_rounds = 5});
  EXPECT_EQ(m.samples.size(), 4U);
  EXPECT_TRUE(m.canceled);
  EXPECT_FALSE(m.failure.has_value());
}

TEST_F(MeasuringLoopTest, BatchesJoinedAreTheMeasurement) {
  LoadMeter meter([] { return std::nullopt; }, clock_);
  MeasuringLoop loop(target_, {.warmup_runs = 0, .min_rounds = 4, .max_rounds = 4}, meter, clock_);
  std::size_t samples = 0, kernels = 0;
  while (loop.more()) {
    loop.step();
    const Measurement part = loop.take_batch();
    samples += part.samples.size();
    kernels += part.kernels.size();
    for (const ProfiledRun& run : part.profiled) EXPECT_LT(run.sample, samples);
  }
  EXPECT_EQ(samples, 9U);
  EXPECT_EQ(kernels, 1U);  // the name is sent once
}

TEST(LoadMeter, ReadsTheSumOfAllProcessors) {
  const auto times = parse_cpu_times("cpu  10 2 30 400 50 6 7 8 0 0\ncpu0 1 2 3\n", 100);
  ASSERT_TRUE(times.has_value());
  EXPECT_EQ(times->busy, Nanos{(10 + 2 + 30 + 6 + 7) * 10'000'000});
  EXPECT_EQ(times->stolen, Nanos{80'000'000});
}

TEST(LoadMeter, OtherTextIsNoLoad) {
  for (const char* text :
       {"", "cpu", "cpu  1 2 3\n", "cpu0 1 2 3 4 5 6 7 8", "cpu  a b c d e f g h"}) {
    EXPECT_FALSE(parse_cpu_times(text, 100).has_value()) << text;
  }
  EXPECT_FALSE(parse_cpu_times("cpu  1 2 3 4 5 6 7 8", 0).has_value());
}

TEST(LoadMeter, ForeignLoadIsBusyTimeLessOurOwn) {
  FakeClock clock;
  CpuTimes times;
  LoadMeter meter([&] { return times; }, clock);
  meter.begin();
  EXPECT_FALSE(meter.due());
  clock.advance(Nanos{400'000'000});
  times = {Nanos{900'000'000}, Nanos{40'000'000}, Nanos{500'000'000}};
  EXPECT_TRUE(meter.due());
  const Load load = meter.lap();
  EXPECT_DOUBLE_EQ(load.foreign_cpus, 1.0);
  EXPECT_DOUBLE_EQ(load.stolen_cpus, 0.1);
  EXPECT_FALSE(meter.due());
}

TEST(LoadMeter, UnknownStaysUnknown) {
  FakeClock clock;
  LoadMeter meter([] { return std::nullopt; }, clock);
  meter.begin();
  clock.advance(Nanos{1'000'000'000});
  EXPECT_LT(meter.lap().foreign_cpus, 0);
}

}  // namespace
}  // namespace ridge::runtime
