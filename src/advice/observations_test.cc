// SPDX-License-Identifier: Apache-2.0
#include "advice/observations.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ridge::advice {
namespace {

profile::Layer layer(std::uint32_t node, double ns, double bound_ns) {
  profile::Layer out{.index = node, .precision = "float32"};
  out.corrected_ns = ns;
  out.bound.kind = "compute";
  out.bound.time_ns = bound_ns;
  out.work.macs = 1000;
  out.members = {{.node = node, .role = profile::Role::kExecutes}};
  return out;
}

profile::Profile observed_run(std::vector<profile::Layer> layers) {
  profile::Profile out;
  for (const profile::Layer& l : layers) out.latency.ns.value += l.corrected_ns;
  out.layers = std::move(layers);
  return out;
}

const Finding* find(const std::vector<Finding>& findings, const std::string& id) {
  const auto found = std::ranges::find(findings, id, &Finding::id);
  return found == findings.end() ? nullptr : &*found;
}

TEST(Observations, TheDistanceNamesTheFewestLayersWithHalfOfIt) {
  // Above the bounds: 400, 300, 200, 0 of 1200 us.
  const auto found = observations(observed_run({layer(0, 300e3, 100e3), layer(1, 500e3, 100e3),
                                                layer(2, 350e3, 50e3), layer(3, 50e3, 50e3)}),
                                  {.model = "m.onnx"});
  const Finding* distance = find(found, "distance");
  ASSERT_NE(distance, nullptr);
  EXPECT_EQ(distance->nodes, (std::vector<graph::NodeId>{1, 2}));
  EXPECT_EQ(
      distance->evidence,
      "layers take 900.0 µs more than the roofs require (75 % of the run), half of it in 2 of "
      "4 layers, which take 850.0 µs at 18 % of their roofs");
  EXPECT_FALSE(distance->gain_ns);
}

TEST(Observations, NothingIsFoundNearTheRoofs) {
  EXPECT_TRUE(
      observations(observed_run({layer(0, 100e3, 95e3), layer(1, 100e3, 92e3)}), {}).empty());
  profile::Layer unknown = layer(0, 100e3, 0);
  unknown.bound.time_ns = {};
  EXPECT_TRUE(observations(observed_run({unknown}), {}).empty());
}

TEST(Observations, TimeBesideTheWorkIsOverhead) {
  profile::Layer reorder = layer(0, 3e3, 3e3), shape = layer(1, 4e3, 4e3);
  reorder.inserted = true;
  reorder.members.clear();
  shape.precision = "int64";
  shape.work.macs = 0;
  profile::Profile p = observed_run({layer(2, 93e3, 93e3), reorder, shape});
  p.profiling.gaps_ns = 5e3;
  p.latency.ns.value += p.profiling.gaps_ns;
  const std::vector<Finding> found = observations(p, {});
  ASSERT_NE(find(found, "inserted"), nullptr);
  EXPECT_EQ(find(found, "inserted")->no_price, "at most 3.000 µs, if none of it were needed");
  ASSERT_NE(find(found, "shape_arithmetic"), nullptr);
  EXPECT_EQ(find(found, "shape_arithmetic")->nodes, (std::vector<graph::NodeId>{1}));
  EXPECT_NE(find(found, "outside_layers"), nullptr);
  EXPECT_EQ(found.size(), 3U);
  p.latency.ns.value = 1e6;  // each below 2 % of it
  EXPECT_TRUE(observations(p, {}).empty());
}

TEST(Observations, WeightsAreReadAgainOnlyIfTheyExceedTheCache) {
  profile::Layer waiting = layer(0, 100e3, 95e3);
  waiting.bound.kind = "memory:memory";
  waiting.least.streamed = 30'000'000;
  const profile::Profile p = observed_run({waiting});
  EXPECT_TRUE(observations(p, {.cache_bytes = 30'000'000}).empty());
  EXPECT_TRUE(observations(p, {.cache_bytes = 0}).empty());
  const std::vector<Finding> found = observations(p, {.cache_bytes = 20'000'000});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, "weights_reread");
  EXPECT_NE(
      found[0].evidence.find("a run reads 30.0 MB of weights and inputs, the caches hold 20.0 "
                             "MB: every run reads at least 10.0 MB from memory"),
      std::string::npos)
      << found[0].evidence;
}

}  // namespace
}  // namespace ridge::advice
