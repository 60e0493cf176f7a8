// SPDX-License-Identifier: Apache-2.0
// Networks for the tests of this folder: made by hand without a runtime, or loaded into ONNX
// Runtime.
//
//   const Network n = crafted(resolved(text));                        // a layer for every node
//   const Network n = crafted(resolved(text), {.layers = {{"conv", "relu"}}});
//   layers(n)     == "conv,relu pool"                                 // in the order of Network
//
//   LOAD_OR_SKIP(n, text);                                            // in suites that end in Slow
//   layers_and_kernels(*n) == "conv,relu[Conv] pool[MaxPool]"
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/testing.h"
#include "attribution/names.h"
#include "attribution/testing.h"
#include "bricks/loader.h"
#include "bricks/piece.h"
#include "measure/gate.h"
#include "measure/testing/one_run.h"

namespace ridge::bricks::testing {

using analysis::testing::resolved;

using attribution::testing::must;

inline constexpr measure::Host kHost{.processors = 2, .threads = 1};

/// Decisions of an invented runtime. Nodes and tensors have their names in the model.
struct Craft {
  std::vector<std::vector<std::string>> layers = {};  ///< nodes of fused layers; others are alone
  /// Nodes without a kernel. Their tensors are inputs of the optimized graph.
  std::map<std::string, profile::Why> without = {};
  std::map<std::string, std::string> merged_with = {};  ///< for Why::kMerged
  std::map<std::string, std::string> repeated_in = {};  ///< node -> node that computes it again
  std::set<std::string> blocked = {};                   ///< tensors stored in blocks of channels
};

/// Fills an attribution from a Craft. The optimized graph is the copy without the nodes that need
/// no kernel.
class Crafter {
 public:
  Crafter(const analysis::Resolved& r, const Craft& craft)
      : r_(r), model_(r.model()), craft_(craft) {}

  Network run() {
    attribution::Canonical copy = must(attribution::canonicalise(r_));
    for (const auto& [name, why] : craft_.without) {
      profile::WithoutLayer w{.node = node(name), .why = why, .with = {}};
      if (const auto with = craft_.merged_with.find(name); with != craft_.merged_with.end())
        w.with = node(with->second);
      out_.without_layer.push_back(w);
      without_.insert(w.node);
    }
    attribution::OptimizedGraph optimized = must(attribution::make_optimized(optimized_of(copy)));
    add_layers(*optimized.model);
    name_tensors(*optimized.model, copy);
    return must(make_network(r_, std::move(copy), std::move(optimized), std::move(out_)));
  }

 private:
  graph::NodeId node(std::string_view name) const { return analysis::testing::node(r_, name); }

  std::shared_ptr<const onnx::Document> optimized_of(const attribution::Canonical& copy) const {
    const onnx::Model& from = copy.document->model;
    auto document = std::make_shared<onnx::Document>();
    document->model = from;
    std::vector<onnx::Node> nodes;
    std::vector<onnx::ValueInfo> inputs(from.graph.inputs.begin(), from.graph.inputs.end());
    for (const onnx::Node& n : from.graph.nodes)
      if (!without_.contains(attribution::stem_of(n.name).node))
        nodes.push_back(n);
      else
        for (const std::string_view output : n.outputs) inputs.push_back({output, {}});
    document->model.graph.nodes = document->arena.copy(nodes);
    document->model.graph.inputs = document->arena.copy(inputs);
    return document;
  }

  void add_layers(const graph::Model& optimized) {
    std::map<graph::NodeId, std::vector<std::uint32_t>> kernels;  // by node of the model
    for (graph::NodeId k = 0; k < optimized.nodes().size(); ++k) {
      const graph::Node kernel = optimized.node(k);
      out_.kernels.push_back({std::string(kernel.name), std::string(kernel.op_type),
                              std::string(kernel.domain), kernel.parent});
      graph::NodeId owner = k;
      while (optimized.node(owner).parent != graph::kNone) owner = optimized.node(owner).parent;
      const graph::NodeId of = attribution::stem_of(optimized.node(owner).name).node;
      if (of != graph::kNone) kernels[of].push_back(k);
    }
    out_.layer_of.assign(out_.kernels.size(), graph::kNone);
    std::set<graph::NodeId> together;
    for (const std::vector<std::string>& names : craft_.layers) {
      std::vector<graph::NodeId> nodes;
      for (const std::string& name : names) nodes.push_back(node(name));
      together.insert(nodes.begin(), nodes.end());
      add_layer(std::move(nodes), kernels);
    }
    for (const auto& [n, of] : kernels)
      if (!together.contains(n)) add_layer({n}, kernels);
  }

  void add_layer(std::vector<graph::NodeId> nodes,
                 const std::map<graph::NodeId, std::vector<std::uint32_t>>& kernels) {
    attribution::Layer layer{.name = {},
                             .type = std::string(model_.node(nodes[0]).op_type),
                             .kernels = {},
                             .members = {},
                             .layout = {}};
    std::vector<profile::Member> members;
    for (const graph::NodeId n : nodes) {
      members.push_back({n, profile::Role::kExecutes, profile::Evidence::kRuntimeList});
      if (const auto of = kernels.find(n); of != kernels.end())
        layer.kernels.insert(layer.kernels.end(), of->second.begin(), of->second.end());
    }
    for (const auto& [name, in] : craft_.repeated_in)
      if (std::ranges::find(nodes, node(in)) != nodes.end())
        members.push_back({node(name), profile::Role::kPart, profile::Evidence::kRuntimeList});
    std::ranges::sort(members, {}, &profile::Member::node);
    layer.members = std::move(members);
    for (const std::uint32_t k : layer.kernels)
      out_.layer_of[k] = static_cast<std::uint32_t>(out_.layers.size());
    out_.layers.push_back(std::move(layer));
  }

  void name_tensors(const graph::Model& optimized, const attribution::Canonical& copy) {
    std::map<std::string_view, graph::ValueId> values;
    for (graph::ValueId v = 0; v < copy.value_name.size(); ++v)
      if (!copy.value_name[v].empty()) values.emplace(copy.value_name[v], v);
    const std::size_t size = optimized.values().size();
    out_.tensor.assign(size, graph::kNone);
    out_.tensor_evidence.assign(size, profile::Evidence::kRuntimeList);
    out_.tensor_blocked.assign(size, false);
    for (graph::ValueId v = 0; v < size; ++v) {
      const auto of = values.find(optimized.value(v).name);
      if (of == values.end()) continue;
      out_.tensor[v] = of->second;
      out_.tensor_blocked[v] = craft_.blocked.contains(std::string(model_.value(of->second).name));
    }
  }

  const analysis::Resolved& r_;
  const graph::Model& model_;
  const Craft& craft_;
  std::set<graph::NodeId> without_;
  attribution::Attribution out_;
};

inline Network crafted(const analysis::Resolved& r, const Craft& craft = {}) {
  return Crafter(r, craft).run();
}

inline Network crafted(std::string_view text, const Craft& craft = {}) {
  return crafted(resolved(text), craft);
}

inline analysis::Resolved resolved_document(std::shared_ptr<const onnx::Document> document,
                                            const std::map<std::string, std::int64_t>& sizes = {}) {
  return must(analysis::resolve(
      std::make_shared<const graph::Model>(must(graph::Model::build(std::move(document)))), {},
      sizes));
}

/// Name of a node, or its operator if it has none.
inline std::string label(const Network& n, graph::NodeId node) {
  const graph::Node of = n.resolved.model().node(node);
  return std::string(of.name.empty() ? of.op_type : of.name);
}

/// Nodes of the layers, in the order of the network: "conv,relu pool".
inline std::string layers(const Network& n) {
  std::string out;
  for (const FusedLayer& layer : n.layers) {
    std::vector<std::string> names;
    for (const graph::NodeId node : layer.nodes) names.push_back(label(n, node));
    out += fmt::format("{}{}", out.empty() ? "" : " ", fmt::join(names, ","));
  }
  return out;
}

/// Likewise, with the kernels of each: "conv,relu[Conv] pool[MaxPool]".
inline std::string layers_and_kernels(const Network& n) {
  std::string out;
  for (const FusedLayer& layer : n.layers) {
    std::vector<std::string> names, kernels;
    for (const graph::NodeId node : layer.nodes) names.push_back(label(n, node));
    for (const graph::NodeId k : layer.kernels) kernels.emplace_back(n.optimized.kernel(k).op_type);
    out += fmt::format("{}{}[{}]", out.empty() ? "" : " ", fmt::join(names, ","),
                       fmt::join(kernels, ","));
  }
  return out;
}

/// Nodes that no layer stands for: "range: computed at load time".
inline std::string left_over(const Network& n) {
  std::string out;
  for (const LeftOverNode& l : n.left_over)
    out += fmt::format("{}{}: {}", out.empty() ? "" : "; ", label(n, l.node), l.why);
  return out;
}

/// Fails unless every node is in one layer or left over, the MACs of the layers and of the nodes
/// left over are the model's MACs, and every layer comes after those it reads from.
inline void expect_complete(const Network& n) {
  const graph::Model& model = n.resolved.model();
  std::vector<int> places(model.nodes().size(), 0);
  std::int64_t macs = 0;
  const auto macs_of = [&](graph::NodeId node) {
    const ops::Dim count = n.resolved.counts(node).macs;
    return count.known() ? count.value() : 0;
  };
  for (const FusedLayer& layer : n.layers) {
    std::int64_t sum = 0;
    for (const graph::NodeId node : layer.nodes) ++places[node], sum += macs_of(node);
    EXPECT_EQ(layer.macs, sum);
    macs += sum;
  }
  for (const LeftOverNode& l : n.left_over) {
    ++places[l.node], macs += macs_of(l.node);
    EXPECT_NE(l.why, "") << label(n, l.node);
  }
  for (graph::NodeId node = 0; node < places.size(); ++node)
    EXPECT_EQ(places[node], 1) << label(n, node);
  const ops::Dim total = n.resolved.totals().macs;
  if (total.known()) {
    EXPECT_EQ(macs, total.value());
  }
}

inline Loader make_loader() { return Loader(measure::testing::options("ort")); }

/// A model as ONNX Runtime executes it; nullptr without an installed ONNX Runtime.
inline std::unique_ptr<Network> loaded(const analysis::Resolved& r) {
  if (!measure::testing::installed("ort")) return nullptr;
  return std::make_unique<Network>(must(make_loader().load(r)));
}

inline std::unique_ptr<Network> loaded(std::string_view text) { return loaded(resolved(text)); }

#define LOAD_OR_SKIP(variable, ...)                                    \
  const auto variable = ::ridge::bricks::testing::loaded(__VA_ARGS__); \
  if (variable == nullptr) GTEST_SKIP() << "the runtime 'ort' is not installed"

}  // namespace ridge::bricks::testing
