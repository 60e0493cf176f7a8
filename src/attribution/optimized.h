// SPDX-License-Identifier: Apache-2.0
// The graph that a runtime executes, parsed from its dump.
//
//   OptimizedGraph graph = TRY(read_optimized(dump_bytes));
//   graph.kernel(k).name
//
// A kernel is a node of the dump, identified by its NodeId there: the main graph in order of
// execution, bodies after it. Operators of domains unknown to ONNX are only names here. The dump
// lacks tensor sizes; they may be added from events (size_tensors). Ownership: owns the model.
// Thread rule: immutable once filled. Errors (input class): as onnx::read_bytes and
// graph::Model::build.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/model.h"

namespace ridge::attribution {

/// Description of a layer by a runtime that lists its layers.
struct Listing {
  /// Tensors of the copy that the layer produces; with prefix '~': that it contributes to.
  std::vector<std::string> originals;
  std::string precision, layout;  ///< named as in roofs and profile::Layer
};

struct OptimizedGraph {
  std::shared_ptr<const graph::Model> model;
  std::vector<graph::NodeId> order;  ///< kernels in order of execution, bodies before their owner
  /// By ValueId of the dump: size of a tensor in memory, if known.
  std::vector<std::optional<std::int64_t>> bytes;
  std::vector<std::optional<std::int64_t>> elements;  ///< likewise, only for listed graphs
  std::vector<Listing> listed;  ///< by kernel; empty if the graph is a dump (listed.h)
  std::int32_t block = 0;       ///< channels per block of a blocked layout; 0: unknown

  graph::Node kernel(graph::NodeId k) const { return model->node(k); }
  bool is_constant(graph::ValueId v) const {
    return model->value(v).kind == graph::ValueKind::kConstant;
  }
};

Result<OptimizedGraph> read_optimized(std::string_view bytes);
Result<OptimizedGraph> make_optimized(std::shared_ptr<const onnx::Document> document);

/// Data of a profiling event that identify its kernel. `shapes` as ONNX Runtime prints them:
/// [{"float":[1,64,56,56]},...].
struct KernelEvent {
  std::string_view name, op_type;
  std::string_view shapes = {};
};

/// Maps the events of one run, in the order in which the kernels ended, to kernels, or kNone: by
/// name; kernels without a name in the dump (from functions that the runtime expanded itself) by
/// their position among the unnamed ones of the same operator.
std::vector<graph::NodeId> join_events(const OptimizedGraph& graph,
                                       std::span<const KernelEvent> events);
/// Fills `bytes` from the shapes of the events.
void size_tensors(OptimizedGraph& graph, std::span<const KernelEvent> events);

}  // namespace ridge::attribution
