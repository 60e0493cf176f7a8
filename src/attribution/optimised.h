// The graph that a runtime executes, read from its dump.
//
//   OptimisedGraph graph = TRY(read_optimised(dump_bytes));
//   graph.kernel_name(k)
//
// A kernel is a node of the dump; its number is its NodeId there: the main graph in order of
// execution, bodies after it. Operators of domains that ONNX does not know are only names here.
// Sizes of tensors are not in the dump; they may be added from events (size_tensors).
// Ownership: owns the model. Thread rule: immutable once filled. Errors (input class): those of
// onnx::read_bytes and graph::Model::build.
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

/// What a runtime says of a layer that it lists.
struct Listing {
  std::vector<std::string>
      originals;                  ///< tensors of the copy that its parts make; after '~': lead to
  std::string precision, layout;  ///< in the words of roofs and of profile::Layer
};

struct OptimisedGraph {
  std::shared_ptr<const graph::Model> model;
  std::vector<graph::NodeId> order;  ///< kernels in order of execution, bodies before their owner
  std::vector<std::optional<std::int64_t>>
      bytes;  ///< by ValueId of the dump: of a tensor as it lies in memory, where known
  std::vector<std::optional<std::int64_t>> elements;  ///< likewise, of listed graphs only
  std::vector<Listing> listed;  ///< by kernel; empty where the graph is a dump (listed.h)
  std::int32_t block = 0;       ///< channels of one block of a blocked layout; 0 = not known

  graph::Node kernel(graph::NodeId k) const { return model->node(k); }
  bool is_constant(graph::ValueId v) const {
    return model->value(v).kind == graph::ValueKind::kConstant;
  }
};

Result<OptimisedGraph> read_optimised(std::string_view bytes);
Result<OptimisedGraph> make_optimised(std::shared_ptr<const onnx::Document> document);

/// What an event says of the kernel it belongs to. `shapes` as ONNX Runtime prints them:
/// [{"float":[1,64,56,56]},...].
struct KernelEvent {
  std::string_view name, op_type;
  std::string_view shapes = {};
};

/// For the events of one run, in the order in which the kernels ended: the kernel of each, or
/// kNone. By name; kernels that the dump does not name (from functions that the runtime expanded
/// itself) by their position among unnamed ones of the same operator.
std::vector<graph::NodeId> join_events(const OptimisedGraph& graph,
                                       std::span<const KernelEvent> events);
/// Fills `bytes` from the shapes of events.
void size_tensors(OptimisedGraph& graph, std::span<const KernelEvent> events);

}  // namespace ridge::attribution
