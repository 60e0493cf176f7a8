// SPDX-License-Identifier: Apache-2.0
#include "export/formats/stacks.h"

#include <gtest/gtest.h>

#include "export/profile/testing.h"

namespace ridge::exports {
namespace {

TEST(Stacks, AreModelModulesAndOperatorsAndAddUpToARun) {
  const profile::Profile p = two_layers();
  const auto found = stacks(p);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].frames,
            (std::vector<std::string>{"m.onnx", "block", "block/conv", "Conv + Relu"}));
  EXPECT_EQ(found[0].flops, 42);
  EXPECT_EQ(found[1].frames, (std::vector<std::string>{"m.onnx", "Reorder"}));
  EXPECT_FALSE(found[1].flops);  // unknown is not 0
  EXPECT_EQ(found[2].frames.back(), "(outside layers)");
  EXPECT_EQ(found[0].time_ns + found[1].time_ns + found[2].time_ns, 160);
}

std::int64_t total(const profile::Profile& p) {
  std::int64_t sum = 0;
  for (const StackSample& s : stacks(p)) sum += s.time_ns;
  return sum;
}

TEST(Stacks, AddUpToTheLatencyWhateverTheResidual) {
  profile::Profile p = two_layers();
  p.latency.ns.value = 171;  // 11 ns more than layers and outside_layers_ns
  EXPECT_EQ(total(p), 171);
  EXPECT_EQ(stacks(p)[0].time_ns, 100);
  p.latency.ns.value = 121;  // medians of layers add up to more
  EXPECT_EQ(total(p), 121);
  EXPECT_EQ(stacks(p)[0].time_ns, 81);
  EXPECT_EQ(stacks(p).size(), 2U);
  p.profiling.profiled_latency_ns.value = 200;
  p.profiling.outside_layers_ns = std::numeric_limits<double>::quiet_NaN();
  for (const double none : {std::numeric_limits<double>::quiet_NaN(), 0.0}) {  // imported
    p.latency.ns.value = none;
    EXPECT_EQ(total(p), 200);
  }
  p.profiling.profiled_latency_ns.value = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(total(p), 150);  // no run time is known: sum of the layers
}

TEST(Stacks, FlopsPast64BitsAreUnknown) {
  profile::Profile p = two_layers();
  p.layers[0].work.macs = std::numeric_limits<std::int64_t>::max();
  EXPECT_FALSE(stacks(p)[0].flops);
}

TEST(CollapsedStacks, KeepHostileNamesInTheirFrame) {
  profile::Profile p = two_layers();
  p.subject.path = "a;b\x1b[0m\n.onnx";
  p.layers.pop_back();
  p.latency.ns.value = 100;
  EXPECT_EQ(collapsed_stacks(p), "a,b\\x1b[0m\\x0a.onnx;block;block/conv;Conv + Relu 100\n");
}

}  // namespace
}  // namespace ridge::exports
