// SPDX-License-Identifier: Apache-2.0
// Run time of building a Model from a Document in memory: resolving names, placing modules,
// indexing consumers.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <memory>
#include <vector>

#include "graph/model.h"

namespace ridge::graph {
namespace {

/// Residual network of `n` nodes in nested scopes: every node reads two earlier values and its own
/// weight, and the file declares the type of each value.
std::shared_ptr<onnx::Document> chain(std::int64_t n) {
  auto doc = std::make_shared<onnx::Document>();
  Arena& arena = doc->arena;
  const auto count = static_cast<std::size_t>(n);
  const auto nodes = arena.array<onnx::Node>(count);
  const auto weights = arena.array<onnx::Tensor>(count);
  const auto infos = arena.array<onnx::ValueInfo>(count);
  const auto value = [&](std::size_t i) {
    return arena.copy(fmt::format("/layer{}/block.{}/conv/Conv_{}_output_0", i / 1000, i / 10, i));
  };
  std::string_view before = "input", last = "input";
  for (std::size_t i = 0; i < count; ++i) {
    weights[i].name =
        arena.copy(fmt::format("layer{}.block.{}.conv.{}.weight", i / 1000, i / 10, i));
    infos[i].name = value(i);
    nodes[i].name = arena.copy(fmt::format("/layer{}/block.{}/conv/Conv_{}", i / 1000, i / 10, i));
    nodes[i].op_type = "Conv";
    nodes[i].inputs = arena.copy(std::vector<Text>{last, weights[i].name, before});
    nodes[i].outputs = arena.copy(std::vector<Text>{value(i)});
    nodes[i].attributes = arena.array<onnx::Attribute>(3);
    before = last;
    last = nodes[i].outputs[0];
  }
  doc->model.ir_version = 8;
  doc->model.opsets = arena.copy(std::vector<onnx::OperatorSet>{{"", 17}});
  doc->model.graph.nodes = nodes;
  doc->model.graph.initializers = weights;
  doc->model.graph.value_info = infos;
  doc->model.graph.inputs = arena.copy(std::vector<onnx::ValueInfo>{{"input", {}}});
  doc->model.graph.outputs = arena.copy(std::vector<onnx::ValueInfo>{{last, {}}});
  return doc;
}

void build_model(benchmark::State& state) {
  const auto doc = chain(state.range(0));
  for (auto _ : state) {
    auto model = Model::build(doc);
    if (!model.ok()) return state.SkipWithError(model.error().summary().c_str());
    benchmark::DoNotOptimize(model->nodes().size());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(build_model)->Arg(1'000)->Arg(200'000)->Unit(benchmark::kMillisecond);

void hash_structure(benchmark::State& state) {
  const auto model = Model::build(chain(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(structure_hash(*model));
}
BENCHMARK(hash_structure)->Arg(200'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ridge::graph
