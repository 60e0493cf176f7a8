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
  l.module = std::move(module);
  return l;
}

Roofs roofs() {
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
  place(p, roofs());
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
  place(p, roofs());
  EXPECT_FALSE(p.layers[0].flop_per_s);
  EXPECT_FALSE(p.layers[0].bound.roof_share);
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
  place(p, roofs());
  const auto lever = biggest_lever(p);
  ASSERT_TRUE(lever);
  EXPECT_EQ(text(*lever),
            "Biggest lever: 2 Conv layers take 9.000 ms (90 % of the layers' time); at their "
            "bounds, mostly the compute roof, they would take "
            "6.000 ms.");
}

TEST(Lever, IsNothingWhereNothingWasTimed) { EXPECT_FALSE(biggest_lever(profile::Profile{})); }

}  // namespace
}  // namespace ridge::roofline
