// SPDX-License-Identifier: Apache-2.0
#include "machine/roof_meter.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>

#include "machine/pinned.h"

namespace ridge::machine {
namespace {

TEST(RunTogether, RunsEveryBurstOnEveryThreadOfItsOwnProcessor) {
  const std::vector<int> cpus = allowed_cpus();
  ASSERT_FALSE(cpus.empty());
  std::atomic<int> set_ups = 0, bodies = 0, strays = 0;
  const auto bursts = run_together(
      cpus, 5, steady_clock(),
      {[&](int) { ++set_ups; },
       [&](int thread, int) {
         ++bodies;
         if (allowed_cpus() != std::vector<int>{cpus[static_cast<std::size_t>(thread)]}) ++strays;
       }});
  ASSERT_TRUE(bursts.ok());
  EXPECT_EQ(set_ups.load(), static_cast<int>(cpus.size()));
  EXPECT_EQ(bodies.load(), static_cast<int>(5 * cpus.size()));
  EXPECT_EQ(strays.load(), 0);
  ASSERT_EQ(bursts->size(), 5u);
  for (const Burst& b : *bursts) {
    EXPECT_EQ(b.thread.size(), cpus.size());
    for (const Nanos t : b.thread) EXPECT_LE(t, b.wall);
  }
}

TEST(RunTogether, StartsABurstOnlyWhenAllHaveArrived) {
  const std::vector<int> cpus(3, allowed_cpus().front());
  std::atomic<int> finished = 0;
  std::atomic<bool> early = false;
  const auto bursts = run_together(cpus, 20, steady_clock(), {{}, [&](int, int burst) {
                                                                if (finished.load() < 3 * burst)
                                                                  early = true;
                                                                ++finished;
                                                              }});
  ASSERT_TRUE(bursts.ok());
  EXPECT_FALSE(early.load());
}

TEST(RunTogether, NamesAProcessorThatItMayNotUse) {
  const auto bursts =
      run_together({allowed_cpus().front(), 99'999}, 1, steady_clock(), {{}, [](int, int) {}});
  ASSERT_FALSE(bursts.ok());
  EXPECT_EQ(bursts.error().code(), "RIDGE-MACH-0001");
  EXPECT_EQ(bursts.error().message(), "cannot run a thread on processor 99999: Invalid argument");
}

TEST(RunTogether, LeavesTheCallersAffinityAlone) {
  const std::vector<int> before = allowed_cpus();
  ASSERT_TRUE(run_together({before.front()}, 1, steady_clock(), {{}, [](int, int) {}}).ok());
  EXPECT_EQ(allowed_cpus(), before);
}

constexpr MeterOptions kShort{.bursts = 4, .max_rounds = 1, .burst = {20'000}};

TEST(RoofMeter, MeasuresEveryKernelThatCanRun) {
  const auto features = kernels::detect_features(kernels::native_cpuid());
  RoofMeter meter(allowed_cpus(), steady_clock(), kShort);
  for (const kernels::ComputeKernel* k : kernels::usable_compute_kernels(features)) {
    const auto samples = meter.compute(*k);
    ASSERT_TRUE(samples.ok()) << k->name;
    EXPECT_EQ(samples->rates.size(), 4u);
    EXPECT_GT(samples->best, 0);
    EXPECT_GE(samples->best, samples->rates.front());
  }
  for (const kernels::StreamKind kind : kernels::kStreamKinds) {
    for (const kernels::StreamKernel* k : kernels::usable_stream_kernels(features, kind)) {
      for (const std::int64_t bytes : {100, 100'000}) {
        const auto samples = meter.stream(*k, bytes);
        ASSERT_TRUE(samples.ok()) << k->name;
        EXPECT_GT(samples->best, 0) << k->name;
      }
    }
  }
}

TEST(RoofMeter, SaysHowMuchMemoryItCouldNotGet) {
  const auto kernels = kernels::usable_stream_kernels(
      kernels::detect_features(kernels::native_cpuid()), kernels::StreamKind::kRead);
  RoofMeter meter({allowed_cpus().front()}, steady_clock(), kShort);
  const auto samples = meter.stream(*kernels.front(), std::int64_t{1} << 50);
  ASSERT_FALSE(samples.ok());
  EXPECT_EQ(samples.error().code(), "RIDGE-MACH-0002");
}

}  // namespace
}  // namespace ridge::machine
