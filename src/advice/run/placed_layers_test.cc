// SPDX-License-Identifier: Apache-2.0
// Networks of the zoo as runs with kernels that a runtime inserts anywhere: where the model is a
// chain, nothing runs beside anything.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "advice/layer_graph.h"
#include "advice/testing.h"
#include "zoo/zoo.h"

namespace ridge::advice {
namespace {

using graph::kNone;
using graph::NodeId;
using graph::ValueId;

/// Nodes of the main graph that depend on an input of the model, in order.
struct Varying {
  std::vector<NodeId> nodes;
  bool chain = true;  ///< each reads one of them or an input, and one reads it
};

Varying varying(const graph::Model& model) {
  Varying out;
  std::vector<bool> varies(model.values().size());
  for (const ValueId v : model.main().inputs) varies[v] = model.value(v).tensor == nullptr;
  const auto is = [&](ValueId v) { return v != kNone && varies[v]; };
  for (const NodeId n : model.main().order) {
    const auto read = std::ranges::count_if(model.inputs(n), is);
    if (read == 0) continue;
    out.nodes.push_back(n);
    out.chain = out.chain && read == 1 && model.bodies(n).empty();
    for (const ValueId v : model.outputs(n))
      if (v != kNone) varies[v] = true;
  }
  for (ValueId v = 0; v < varies.size(); ++v)
    if (varies[v] && model.consumers(v).size() > 1) out.chain = false;
  return out;
}

TEST(PlacedLayersOfTheZoo, InAChainTheTimeInParallelIsTheSum) {
  std::mt19937 random(3);
  std::vector<std::string_view> chains;
  for (const zoo::Entry& entry : zoo::entries()) {
    SCOPED_TRACE(entry.name);
    Result<onnx::Document> document = zoo::make(entry.name);
    ASSERT_TRUE(document.ok());
    const Result<graph::Model> model =
        graph::Model::build(std::make_shared<onnx::Document>(std::move(*document)));
    ASSERT_TRUE(model.ok());
    const Varying nodes = varying(*model);
    profile::Profile run;
    std::vector<double> times;
    const auto add = [&](const std::vector<profile::Member>& members) {
      profile::Layer& layer = run.layers.emplace_back();
      layer.inserted = members.empty();
      layer.members = members;
      times.push_back(static_cast<double>(1 + random() % 9));
    };
    for (const NodeId n : nodes.nodes) {
      if (random() % 3 == 0) add({});
      add({{.node = n}});
    }
    const double sum = std::accumulate(times.begin(), times.end(), 0.0);
    const LayerGraph graph(*model, run, testing::chained(run));
    const double parallel = graph.scheduled(times, 2);
    EXPECT_EQ(graph.scheduled(times, 1), sum);
    EXPECT_GE(parallel, std::max(graph.longest_path(times), sum / 2));
    EXPECT_LE(parallel, sum);
    if (!nodes.chain) continue;
    chains.push_back(entry.name);
    EXPECT_EQ(parallel, sum);
    EXPECT_EQ(graph.longest_path(times), sum);
  }
  EXPECT_GE(chains.size(), 5U);  // AlexNet, the VGGs, MobileNet v1
}

}  // namespace
}  // namespace ridge::advice
