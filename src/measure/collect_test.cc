// SPDX-License-Identifier: Apache-2.0
#include "measure/collect.h"

#include <gtest/gtest.h>

namespace ridge::measure {
namespace {

using runtime::Mode;

/// A process with `rounds` rounds; kernel k takes (k + 1) us in every profiled run.
ProcessMeasurement named_process(const std::vector<std::string>& names, std::uint32_t rounds,
                                 const std::vector<std::uint32_t>& order) {
  ProcessMeasurement p{.load_ns = 5, .measurement = {}};
  for (const std::string& name : names)
    p.measurement.kernels.push_back({.name = name, .type = "Conv"});
  auto& samples = p.measurement.samples;
  samples.push_back({.mode = Mode::kFirst, .wall = Nanos{999}});
  for (std::uint32_t r = 0; r < rounds; ++r) {
    samples.push_back(
        {.mode = Mode::kUnprofiled, .round = r, .wall = Nanos{100}, .foreign_cpus = -1});
    samples.push_back(
        {.mode = Mode::kProfiled, .round = r, .wall = Nanos{150}, .foreign_cpus = 0.5});
    runtime::ProfiledRun run{.sample = static_cast<std::uint32_t>(samples.size() - 1),
                             .model_run_ns = 140};
    std::int64_t at = 0;
    for (const std::uint32_t k : order) {
      run.events.push_back({.kernel = k,
                            .start_ns = at++,
                            .duration_ns = (k + 1) * 1000,
                            .exclusive_ns = (k + 1) * 1000});
    }
    p.measurement.profiled.push_back(std::move(run));
  }
  return p;
}

TEST(Collect, ARoundIsAPair) {
  const Collected c = collect({named_process({"a", "b"}, 3, {0, 1})});
  ASSERT_EQ(c.processes.size(), 1U);
  EXPECT_EQ(c.processes[0].plain.size(), 3U);
  EXPECT_EQ(c.processes[0].profiled.size(), 3U);
  EXPECT_EQ(c.processes[0].first_run_ns, 999);
  // The runtime's own duration, without writing its report.
  EXPECT_EQ(c.processes[0].profiled[0].wall_ns, 140);
  EXPECT_EQ(c.processes[0].plain[0].foreign_cpus, 0);
  EXPECT_EQ(c.processes[0].profiled[1].events[1].duration_ns, 2000);
}

TEST(Collect, KernelsWithOtherTokensAreMatchedByOrderOfExecution) {
  const auto first = named_process({"reorder_token_3", "x_nchwc"}, 2, {0, 1});
  const auto second = named_process({"x_nchwc", "reorder_token_41"}, 2, {1, 0});
  const Collected c = collect({first, second});
  ASSERT_EQ(c.processes.size(), 2U);
  // The second process's kernel 1 ran first and is the first process's kernel 0.
  EXPECT_EQ(c.processes[1].profiled[0].events[0].kernel, 0U);
  EXPECT_EQ(c.processes[1].profiled[0].events[0].duration_ns, 2000);
  EXPECT_TRUE(c.notes.empty());
}

TEST(Collect, AProcessThatRanOtherKernelsIsLeftOutAndNamed) {
  const Collected c =
      collect({named_process({"a", "b"}, 2, {0, 1}), named_process({"a", "c"}, 2, {0, 1})});
  ASSERT_EQ(c.processes.size(), 2U);
  EXPECT_EQ(c.processes[0].plain.size(), 2U);
  EXPECT_TRUE(c.processes[1].plain.empty());
  ASSERT_EQ(c.notes.size(), 1U);
  EXPECT_EQ(c.notes[0], "process 2 ran other kernels than the first one and was left out");
}

TEST(Collect, ARoundThatWasCutShortIsNoPair) {
  auto p = named_process({"a"}, 3, {0});
  p.measurement.profiled.pop_back();
  const Collected c = collect({p});
  EXPECT_EQ(c.processes[0].plain.size(), 2U);
  EXPECT_EQ(c.processes[0].rounds, (std::vector<std::uint32_t>{0, 1}));
}

TEST(Collect, AProcessThatMeasuredNothingKeepsItsPlace) {
  const Collected c = collect({named_process({"a"}, 2, {0}), {}, named_process({"a"}, 3, {0})});
  ASSERT_EQ(c.processes.size(), 3U);
  EXPECT_TRUE(c.processes[1].plain.empty());
  EXPECT_EQ(c.processes[2].plain.size(), 3U);
  EXPECT_TRUE(c.notes.empty());
}

TEST(Collect, OnlyTokenNumbersAreLeftOut) {
  EXPECT_EQ(without_numbers("r12.0_token_7_nchwc"), "r12.0_token__nchwc");
}

}  // namespace
}  // namespace ridge::measure
