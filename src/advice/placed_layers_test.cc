// SPDX-License-Identifier: Apache-2.0
#include "advice/placed_layers.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "advice/testing.h"
#include "analysis/testing.h"

namespace ridge::advice {
namespace {

using testing::chained;

constexpr std::string_view kPlacedChain = R"(graph main
    input x[1,8]
    Relu(x) -> a
    Neg(a) -> b
    Sin(b) -> y
    output y)";

profile::Layer executing(std::uint32_t node) {
  profile::Layer out{.type = "Op"};
  out.members = {{.node = node}};
  return out;
}

profile::Layer reorder(std::int64_t bytes) {
  profile::Layer out{.type = "Reorder", .inserted = true};
  out.bytes = bytes;
  out.output_bytes = bytes / 2;
  return out;
}

TEST(PlacedLayers, WithoutCounterpartsTheyAreInAChain) {
  profile::Profile run;
  run.layers = {executing(0), reorder(8), reorder(8), executing(1), reorder(4)};
  EXPECT_EQ(chained(run), (std::vector<LayerEdge>{{0, 1}, {1, 2}, {1, 2}, {2, 3}, {3, 4}}));
}

/// Chains of any length with kernels that the runtime inserted anywhere: nothing runs beside
/// anything.
TEST(PlacedLayers, InAChainTheTimeInParallelIsTheSum) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 100; ++trial) {
    const auto nodes = static_cast<std::uint32_t>(1 + random() % 9);
    std::string text = "graph main\ninput v0[1,8]\n";
    profile::Profile run;
    std::vector<double> times;
    const auto add = [&](profile::Layer layer) {
      layer.corrected_ns = static_cast<double>(1 + random() % 9);
      times.push_back(layer.corrected_ns);
      run.layers.push_back(std::move(layer));
    };
    for (std::uint32_t n = 0; n < nodes; ++n) {
      text += fmt::format("Relu(v{}) -> v{}\n", n, n + 1);
      while (random() % 2 == 0) add(reorder(64));
      add(executing(n));
    }
    while (random() % 2 == 0) add(reorder(64));
    const auto model = analysis::testing::model(fmt::format("{}output v{}", text, nodes));
    const double sum = std::accumulate(times.begin(), times.end(), 0.0);
    const LayerGraph graph(*model, run, chained(run));
    EXPECT_EQ(graph.longest_path(times), sum);
    EXPECT_EQ(graph.scheduled(times, 4), sum);
    run.subject.threads = 1;
    run.latency.ns.value = sum + 5;
    EXPECT_EQ(graph.scheduled(run, 4), sum + 5);
  }
}

/// Graph that a runtime would execute for kPlacedChain, with a reorder behind the first node and one that
/// nothing was measured of.
struct Executed {
  analysis::Resolved model = analysis::testing::resolved(kPlacedChain);
  attribution::OptimizedGraph kernels;
  attribution::Attribution layers;

  Executed() {
    kernels.model = analysis::testing::model(R"(graph main
      input x[1,8]
      Relu(x) -> a
      ReorderOutput(a) -> r
      Neg(r) -> b
      Cast(b) -> s
      Sin(s) -> y
      output y)");
    const std::size_t values = kernels.model->values().size();
    kernels.order = {0, 1, 2, 3, 4};
    kernels.bytes.assign(values, 16);
    kernels.elements.assign(values, 4);
    layers.tensor.assign(values, graph::kNone);
    layers.layer_of = {0, 1, 2, 3, 4};
    for (std::uint32_t k = 0; k < 5; ++k) {
      attribution::Layer layer{.name = {}, .type = k == 1 ? "Reorder" : "Op", .kernels = {k}};
      if (k == 0 || k == 2 || k == 4) layer.members = {{.node = k / 2}};
      layers.layers.push_back(layer);
    }
  }
  ExecutedGraph graph() const { return {&model, &kernels, &layers}; }
};

TEST(PlacedLayers, StandBetweenProducerAndReaderOfTheirTensors) {
  const Executed executed;
  profile::Profile run;  // the reorder is measured last, away from its neighbors
  run.layers = {executing(0), executing(1), executing(2), reorder(32)};
  run.layers[3].bytes = 32;
  run.layers[3].output_bytes = 16;
  EXPECT_EQ(placed_layers(run, executed.graph()), (std::vector<LayerEdge>{{0, 3}, {3, 1}}));
  const LayerGraph graph(executed.model.model(), run, placed_layers(run, executed.graph()));
  const double times[] = {1, 2, 3, 4};
  EXPECT_EQ(graph.longest_path(times), 10);
}

TEST(PlacedLayers, ALayerWithoutACounterpartIsInAChain) {
  const Executed executed;
  profile::Profile run;
  run.layers = {executing(0), reorder(999), executing(1), executing(2)};
  EXPECT_EQ(placed_layers(run, executed.graph()), (std::vector<LayerEdge>{{0, 1}, {1, 2}}));
}

}  // namespace
}  // namespace ridge::advice
