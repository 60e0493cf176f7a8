// SPDX-License-Identifier: Apache-2.0
// Bounds of hand-made runs under hand-made roofs: 1 GFLOP/s and 1 GB/s per processor, on two
// processors twice as much arithmetic and the same memory. A MAC takes 2 ns, a byte 1 ns.
#include "advice/bound.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "graph/sketch.h"
#include "roofline/bound.h"

namespace ridge::advice {
namespace {

roofline::Roofs thread_roofs(std::int32_t threads) {
  return {.threads = threads,
          .compute = {{.kind = "compute",
                       .dtype = "float32",
                       .level = "",
                       .unit = "FLOP/s",
                       .instruction = "",
                       .threads = threads,
                       .value = 1e9 * threads}},
          .levels = {{.name = "memory", .capacity = 0, .bytes_per_s = 1e9}}};
}

struct Work {
  std::int64_t macs = 0, bytes = 0;
  double measured_ns = 1e9;
};

/// A run with one thread whose n-th layer executes the n-th node.
profile::Profile bounded_run(const std::vector<std::optional<Work>>& layers) {
  profile::Profile out;
  for (std::uint32_t n = 0; n < layers.size(); ++n) {
    profile::Layer layer{.index = n, .precision = "float32"};
    layer.members = {{.node = n, .role = profile::Role::kExecutes}};
    if (const std::optional<Work>& work = layers[n]) {
      layer.least = {.macs = work->macs, .bytes = work->bytes, .line_bytes = work->bytes};
      layer.corrected_ns = work->measured_ns;
    } else {
      layer.corrected_ns = 500;
    }
    layer.bound =
        roofline::bound_of({layer.least, "float32"}, thread_roofs(1), 0, layer.corrected_ns);
    out.layers.push_back(layer);
  }
  return out;
}

KernelBound bound(std::string_view text, const profile::Profile& profile) {
  Result<graph::Model> model = graph::Model::build(graph::Sketch::document(text));
  EXPECT_TRUE(model.ok());
  return bound_of(LayerGraph(*model, profile), profile, thread_roofs(2));
}

constexpr std::string_view kFork = R"(graph main
    input x
    Relu(x) -> a
    Neg(a) -> b
    Sin(a) -> c
    Add(b, c) -> d
    output d)";

constexpr std::string_view kApart = R"(graph main
    input x y
    Neg(x) -> b
    Sin(y) -> c
    output b c)";

TEST(AdviceBound, ASequenceAddsUpAndAPathIsTheLongest) {
  const KernelBound b =
      bound(kFork, bounded_run({Work{100, 0}, Work{0, 300}, Work{50, 0}, Work{10, 0}}));
  EXPECT_DOUBLE_EQ(*b.sequential_ns, 200 + 300 + 100 + 20);
  EXPECT_DOUBLE_EQ(*b.critical_path_ns, 100 + 300 + 10);  // arithmetic alone takes 160
  EXPECT_EQ(b.coverage.nodes, 1);
  EXPECT_TRUE(b.beyond.empty());
}

TEST(AdviceBound, LayersAtTheSameTimeShareTheProcessors) {
  const KernelBound b =
      bound(kFork, bounded_run({Work{10, 0}, Work{300, 0}, Work{300, 0}, Work{10, 0}}));
  EXPECT_DOUBLE_EQ(*b.critical_path_ns, 620);  // 2 * 620 / 2, and not 320
}

TEST(AdviceBound, AndTheMemoryUnlessOneTransferServesBoth) {
  const profile::Profile two = bounded_run({Work{0, 3000}, Work{0, 3000}});
  EXPECT_DOUBLE_EQ(*bound(kApart, two).critical_path_ns, 6000);
  const profile::Profile fork = bounded_run({Work{0, 0}, Work{0, 3000}, Work{0, 3000}, Work{0, 0}});
  EXPECT_DOUBLE_EQ(*bound(kFork, fork).critical_path_ns, 3000);
}

TEST(AdviceBound, NoOrderOfTheLayersIsFaster) {
  // Brute force: two processors, each layer on one of them with half of the arithmetic, or on both.
  const profile::Profile p = bounded_run({Work{40, 0}, Work{300, 0}, Work{120, 0}, Work{10, 0}});
  const double best = 40 + std::min(std::max(2 * 300, 2 * 120), 300 + 120) + 10;
  EXPECT_LE(*bound(kFork, p).critical_path_ns, best);
}

TEST(AdviceBound, AnUnknownLayerCountsAsZeroAndIsListed) {
  const KernelBound b =
      bound(kFork, bounded_run({Work{100, 0, 1500}, std::nullopt, Work{50, 0, 0}, Work{10, 0, 0}}));
  EXPECT_DOUBLE_EQ(*b.sequential_ns, 320);
  EXPECT_EQ(b.coverage.unknown, (std::vector<graph::NodeId>{1}));
  EXPECT_DOUBLE_EQ(b.coverage.nodes, 0.75);
  EXPECT_DOUBLE_EQ(b.coverage.time, 0.75);
  EXPECT_FALSE(bound(kApart, bounded_run({std::nullopt, std::nullopt})).sequential_ns);
}

TEST(AdviceBound, ALayerFasterThanItsRoofIsListed) {
  const KernelBound b = bound(kApart, bounded_run({Work{100, 0, 150}, Work{100, 0, 250}}));
  EXPECT_EQ(b.beyond, (std::vector<graph::NodeId>{0}));
}

/// A run of two layers of 1 ms with bounds of 0.5 ms, in 2.5 ms.
profile::Profile two_layers(const std::string& type, double second_ns = 1e6) {
  profile::Profile p = bounded_run({Work{250'000, 0, 1e6}, Work{250'000, 0, second_ns}});
  p.layers[1].type = type;
  p.latency.ns.value = 1.5e6 + second_ns;
  return p;
}

TEST(AdviceThreads, LayersKeepTheirShareOfTheRoof) {
  EXPECT_DOUBLE_EQ(*scaled_to(two_layers("Conv"), thread_roofs(2)), 0.5e6 + 0.5e6 + 0.5e6);
}

TEST(AdviceThreads, OperatorsOfOneThreadAndBriefLayersStay) {
  for (const char* type : {"Transpose", "Concat", "Split", "LSTM", "GRU"})
    EXPECT_DOUBLE_EQ(*scaled_to(two_layers(type), thread_roofs(2)), 0.5e6 + 0.5e6 + 1e6) << type;
  EXPECT_DOUBLE_EQ(*scaled_to(two_layers("Conv", 19e3), thread_roofs(2)), 0.5e6 + 0.5e6 + 19e3);
}

TEST(AdviceThreads, MoreThreadsAreNeverSlower) {
  const profile::Profile p = two_layers("Conv");
  roofline::Roofs slower = thread_roofs(2);
  slower.compute[0].value = 0.5e9;
  EXPECT_DOUBLE_EQ(*scaled_to(p, slower), p.latency.ns.value);
  profile::Profile over = p;  // the layers take more than the run
  over.latency.ns.value = 0.5e6;
  EXPECT_DOUBLE_EQ(*scaled_to(over, thread_roofs(2)), 0.5e6);
}

}  // namespace
}  // namespace ridge::advice
