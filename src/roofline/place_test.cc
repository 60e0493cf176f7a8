// SPDX-License-Identifier: Apache-2.0
#include "roofline/place.h"

#include <gtest/gtest.h>

namespace ridge::roofline {
namespace {

profile::Layer layer(std::string type, std::string module, std::int64_t macs, std::int64_t bytes,
                     double ns) {
  profile::Layer l{
      .type = std::move(type), .precision = "float32", .corrected_ns = ns, .share = ns / 10e6};
  l.work.macs = macs;
  l.bytes = bytes;
  l.least = {.macs = macs, .bytes = bytes, .line_bytes = bytes};
  l.module = std::move(module);
  return l;
}

Roofs placing_roofs() {
  Roofs r;
  r.compute.push_back({.kind = "compute", .dtype = "float32", .unit = "FLOP/s", .value = 100e9});
  r.levels.push_back({"memory", 0, 10e9});
  return r;
}

profile::Profile network() {
  profile::Profile p;
  p.layers = {layer("Conv", "a/b", 100'000'000, 1'000'000, 4e6),
              layer("Conv", "a/c", 200'000'000, 1'000'000, 5e6),
              layer("Relu", "a", 0, 1'000'000, 1e6)};
  p.layers[2].work.flops = 250'000;
  return p;
}

TEST(Place, RatesAreExecutedWorkOverCorrectedTime) {
  profile::Profile p = network();
  place(p, placing_roofs());
  EXPECT_DOUBLE_EQ(*p.layers[0].flop_per_s, 2e8 / 4e-3);
  EXPECT_DOUBLE_EQ(*p.layers[0].bytes_per_s, 1e6 / 4e-3);
  EXPECT_DOUBLE_EQ(*p.layers[2].intensity, 0.25);
  EXPECT_EQ(p.layers[0].bound.kind, "compute");
  EXPECT_DOUBLE_EQ(*p.layers[0].bound.roof_share, 0.5);
  EXPECT_EQ(p.layers[2].bound.kind, "memory:memory");
}

TEST(Place, ALayerWithoutTimeHasNoRate) {
  profile::Profile p = network();
  p.layers[0].corrected_ns = 0;
  place(p, placing_roofs());
  EXPECT_FALSE(p.layers[0].flop_per_s);
  EXPECT_FALSE(p.layers[0].bound.roof_share);
}

TEST(Place, ALayerBelowTheResolutionHasNoRateAndNoShareOfItsBound) {
  profile::Profile p = network();
  p.layers[0].below_resolution = true;
  place(p, placing_roofs());
  EXPECT_FALSE(p.layers[0].flop_per_s);
  EXPECT_FALSE(p.layers[0].bytes_per_s);
  EXPECT_FALSE(p.layers[0].bound.roof_share);
  EXPECT_TRUE(p.layers[0].bound.time_ns);
  EXPECT_EQ(p.layers[0].bound.reason, "no time was measured above the profiler's own cost");
}

/// 800 MB of weights pass the memory at 10 GB/s, less 200 MB that a cache may keep: 60 ms in all, of
/// which each layer has its share.
TEST(Place, WhatTheRunStreamsPastTheCachesGoesToMemory) {
  profile::Profile p = network();
  p.layers[0].least.streamed = 600'000'000;
  p.layers[1].least.streamed = 200'000'000;
  Roofs r = placing_roofs();
  r.levels = {{"L2", 200'000'000, 100e9, 100e9}, {"memory", 0, 20e9, 10e9}};
  place(p, r);
  EXPECT_EQ(p.layers[0].bound.kind, "memory:memory");
  EXPECT_DOUBLE_EQ(*p.layers[0].bound.time_ns, 45e6);
  EXPECT_DOUBLE_EQ(*p.layers[1].bound.time_ns, 15e6);
  r.levels[0].capacity = 800'000'000;  // all of it fits
  place(p, r);
  EXPECT_EQ(p.layers[1].bound.kind, "compute");
}

TEST(Place, ControlFlowTimedAsAWholeHasNoBound) {
  profile::Profile p = network();
  p.nodes.resize(9);
  p.nodes[8].parent = 7;
  p.layers[2].members = {{7, profile::Role::kExecutes, profile::Evidence::kRuntimeList},
                         {8, profile::Role::kExecutes, profile::Evidence::kRegion}};
  place(p, placing_roofs());
  EXPECT_TRUE(p.layers[2].flop_per_s);
  EXPECT_FALSE(p.layers[2].bound.time_ns);
  EXPECT_EQ(p.layers[2].bound.reason, "the runtime times this control flow as a whole");
  EXPECT_TRUE(p.layers[0].bound.time_ns);
}

TEST(RollUp, EveryModuleHoldsItsDescendants) {
  const auto modules = roll_up(network().layers);
  ASSERT_EQ(modules.size(), 4U);
  EXPECT_EQ(modules[0].path, "");
  EXPECT_DOUBLE_EQ(modules[0].time_ns, 10e6);
  EXPECT_EQ(modules[1].path, "a");
  EXPECT_EQ(*modules[1].work.macs, 300'000'000);
  EXPECT_EQ(modules[1].bytes, 3'000'000);
  EXPECT_EQ(modules[1].layers, 3U);
  EXPECT_EQ(modules[3].path, "a/c");
  EXPECT_EQ(modules[3].depth, 2U);
}

TEST(RollUp, AnUnknownCountMakesTheSumUnknownNotSmaller) {
  auto layers = network().layers;
  layers[0].work.macs = std::nullopt;
  const auto modules = roll_up(layers);
  EXPECT_FALSE(modules[0].work.macs);
  EXPECT_TRUE(modules[0].bytes);
  EXPECT_TRUE(modules[3].work.macs);
}

TEST(RollUp, ModulesComeInTheOrderOfATree) {
  const std::vector<profile::Layer> layers = {
      layer("Conv", "f.10", 1, 1, 1), layer("Conv", "f.2/x", 1, 1, 1),
      layer("Conv", "f.2-a", 1, 1, 1), layer("Conv", "f.2", 1, 1, 1),
      layer("Conv", "f.02", 1, 1, 1)};
  std::vector<std::string> paths;
  for (const profile::Module& m : roll_up(layers)) paths.push_back(m.path);
  EXPECT_EQ(paths, (std::vector<std::string>{"", "f.02", "f.2", "f.2/x", "f.2-a", "f.10"}));
}

TEST(Lever, IsTheTypeFurthestFromItsBoundsInTime) {
  profile::Profile p = network();
  place(p, placing_roofs());
  const auto lever = biggest_lever(p);
  ASSERT_TRUE(lever);
  EXPECT_EQ(text(*lever),
            "Biggest lever: 2 Conv layers take 9.000 ms (90 % of the layers' time); at their "
            "bounds, mostly the compute roof, they would take "
            "6.000 ms.");
}

/// Profile with bounds of 2, 4, 0.1 and 2 ms: the reported times respect them, but the correction
/// subtracted half.
profile::Profile overcorrected() {
  profile::Profile p = network();
  p.layers.push_back(layer("Conv", "a", 100'000'000, 1'000'000, 1e6));
  const double reported[] = {2.2e6, 4.4e6, 0.2e6, 2.2e6};
  for (std::size_t i = 0; i < p.layers.size(); ++i) {
    profile::Layer& l = p.layers[i];
    l.time_ns = {reported[i], {{reported[i], reported[i]}}};
    l.corrected_ns = reported[i] / 2;
    l.corrected = stats::Estimate{l.corrected_ns, {{0, reported[i]}}};
    l.runs_ns = {1, 2, 3};
  }
  p.latency.ns.value = 5e6;
  p.profiling.layer_times = profile::kCorrectedTimes;
  p.profiling.profiled_latency_ns.value = 10e6;
  p.profiling.raw_sum_ns = 9e6;
  p.profiling.corrected_sum_ns = 4.5e6;
  return p;
}

TEST(Place, LayersThatBeatTheirBoundsByTheCorrectionAloneAreShownAsReported) {
  profile::Profile p = overcorrected();
  place(p, placing_roofs());
  EXPECT_EQ(p.profiling.layer_times, profile::kReportedTimes);
  EXPECT_EQ(p.layers[1].corrected_ns, 4.4e6);
  EXPECT_NEAR(*p.layers[1].bound.roof_share, 4 / 4.4, 1e-9);
  EXPECT_TRUE(p.layers[1].runs_ns.empty());
  EXPECT_DOUBLE_EQ(p.modules[0].time_ns, 9e6);
  EXPECT_DOUBLE_EQ(p.profiling.outside_layers_ns, 1e6);
  ASSERT_EQ(p.notes.size(), 1U);
  EXPECT_EQ(p.notes[0],
            "layer times are as reported, with the profiler's cost in them: the correction is not "
            "usable here (by it alone 3 layers, with 98 % of the time, beat their bounds); measure "
            "with more --processes, for longer (--budget) or on a quieter machine");
}

TEST(Place, OneLayerPastItsBoundOrABoundThatIsWrongIsNotTheCorrectionsFault) {
  profile::Profile p = overcorrected();
  p.layers[0].corrected_ns = 2.1e6;
  place(p, placing_roofs());
  EXPECT_EQ(p.profiling.layer_times, profile::kCorrectedTimes);
  p = overcorrected();
  p.layers[0].time_ns.value = 1.9e6;  // even the reported time is below its bound
  place(p, placing_roofs());
  EXPECT_EQ(p.profiling.layer_times, profile::kCorrectedTimes);
}

TEST(Lever, IsTheTimeOutsideLayersWhereThatIsMore) {
  profile::Profile p = network();
  p.latency.ns.value = 118e6;
  p.profiling.corrected_sum_ns = 30e6;
  p.profiling.outside_layers_ns = 88e6;
  place(p, placing_roofs());
  EXPECT_EQ(
      text(*biggest_lever(p)),
      "Biggest lever: 88.00 ms of the latency (75 %) lie outside layers: between them, in the "
      "runtime's own work, or waiting.");
  // Reported times: the profiler's overhead between layers is not counted.
  p.profiling.corrected_sum_ns = 117e6;
  EXPECT_EQ(biggest_lever(p)->type, "Conv");
}

TEST(Lever, CountsTheLayersOfTheTable) {
  profile::Profile p = network();
  p.layers.push_back(layer("Conv", "a", 1, 1, 2e6));
  p.layers.back().least.macs = std::nullopt;
  p.layers.push_back(layer("Conv", "a", 1, 1, 0));
  place(p, placing_roofs());
  EXPECT_EQ(text(*biggest_lever(p)),
            "Biggest lever: 4 Conv layers take 11.00 ms (110 % of the layers' time); at their "
            "bounds, mostly the compute roof, they would take 8.000 ms (1 without a known bound "
            "counted as it is).");
}

TEST(Lever, IsNothingWhereNothingWasTimed) { EXPECT_FALSE(biggest_lever(profile::Profile{})); }

}  // namespace
}  // namespace ridge::roofline
