// SPDX-License-Identifier: Apache-2.0
// Builds a Model from a Document; the only place that resolves names. Used by Model::build only.
//
// A name refers to the nearest enclosing definition: in the graph of the reader, at any position in
// that graph, then in the enclosing graphs. A function body cannot refer to names outside itself.
// An initializer with the name of a graph input is that input's default value, except in files of
// IR version < 4, where every initializer had to be listed as an input and is a constant.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include "graph/functions.h"
#include "graph/model.h"
#include "graph/modules.h"
#include "graph/name_table.h"
#include "graph/order.h"

namespace ridge::graph {

/// Attributes sorted by name; of several with the same name the first is used. Sorted, so that a
/// call with n attributes whose body has n references does not take O(n^2).
using AttributeIndex = std::span<const onnx::Attribute* const>;

class Builder {
 public:
  Builder(Model& model, const BuildLimits& limits);
  Result<void> run();

 private:
  /// Data of a graph that only the build needs; parallel to Model::graphs_.
  struct Scope {
    NameTable names = {};
    /// enclosing scope for names; kNone for the main graph and function bodies
    GraphId around = kNone;
    std::uint32_t frame = kNone;      ///< the call it belongs to
    ModuleId module = 0;              ///< module to which scoped node names are relative
    bool in_call = false;             ///< at any depth inside an expanded function
    int depth = 0;                    ///< number of enclosing graphs and calls
    std::string_view attribute = {};  ///< attribute of the owner that contains this body
  };
  /// One call of a function.
  struct Frame {
    const onnx::Function* function;
    NodeId call;
    int depth;
    AttributeIndex given, defaults;  ///< attributes of the call, and of the function
  };
  /// A graph or function body to be added.
  struct Pending {
    const onnx::Graph* graph = nullptr;
    const onnx::Function* function = nullptr;
    NodeId owner = kNone;
    GraphId around = kNone;
    std::uint32_t frame = kNone;
    std::string_view attribute = {};
    GraphId* slot = nullptr;  ///< where to store the body's id in the owner
  };
  /// Total lengths of the lists of a graph's nodes.
  struct Lengths {
    std::size_t inputs = 0, outputs = 0, attributes = 0;
  };
  struct Found {
    ValueId value = kNone;
    GraphId graph = kNone;
  };

  // builder.cc: graphs, bodies, calls, order
  Result<void> add_all(const Pending& root);
  Result<void> add_graph(const Pending& p);
  static Lengths lengths(std::span<const onnx::Node> nodes);
  Result<void> charge(const Pending& p, std::int64_t cost);
  bool inside_call(const Pending& p) const;
  Result<void> add_nodes(GraphId g, std::span<const onnx::Node> nodes);
  Result<void> add_node(GraphId g, const onnx::Node& source);
  Result<void> resolve_attributes(NodeId n);
  Model::NodeExtra& extra_of(NodeId n);
  std::pair<const onnx::Attribute*, GraphId> origin(GraphId g, const onnx::Attribute& source) const;
  void push_bodies(NodeId n, std::vector<Pending>& pending);
  Result<void> expand_calls();
  Result<void> expand_call(NodeId call, const onnx::Function& function);
  Result<void> use_opsets(GraphId g);
  Result<KindId> kind_of(const onnx::Node& source);
  Result<std::int32_t> opset_of(std::string_view domain) const;
  Result<void> order_graphs();
  void index_consumers();

  // builder_names.cc: values and name resolution
  template <typename Names, typename Use>
  Result<void> each_hashed(GraphId g, std::size_t count, const Names& names, const Use& use);
  std::span<ValueId> take_ids(std::uint32_t& first, std::size_t n);
  Result<void> add_inputs(GraphId g, const Pending& p);
  Result<void> add_constants(GraphId g, const onnx::Graph& graph);
  Result<void> add_constant(GraphId g, const Value& constant, std::uint64_t hash);
  void drop_constants_from_inputs(GraphId g);
  Result<void> add_outputs(GraphId g);
  Result<ValueId> define(GraphId g, const Value& value, std::uint64_t hash);
  Result<void> declare(GraphId g, std::span<const onnx::ValueInfo> infos);
  Result<void> resolve_inputs(GraphId g);
  Result<ValueId> resolve_input(GraphId g, NodeId n, std::size_t i, std::uint64_t hash);
  Result<void> resolve_outputs(GraphId g, const Pending& p);
  ValueId find_own(GraphId g, std::uint64_t hash, std::string_view name) const;
  Found find(GraphId g, std::uint64_t hash, std::string_view name) const;
  void note_capture(GraphId from, const Found& found);
  std::string place(GraphId g) const;
  std::string place(NodeId n, std::string_view what) const;
  std::string definition(const Value& value) const;

  Model& m_;
  const onnx::Document& document_;
  BuildLimits limits_;
  Arena& arena_;
  Arena scratch_;  ///< memory of the name tables
  std::uint64_t seed_;
  FunctionTable functions_;
  ModuleTree modules_;
  std::vector<Scope> scopes_;
  std::vector<Frame> frames_;
  std::vector<Capture> captures_;
  std::unordered_set<ValueId> omitted_;    ///< inputs of functions that their call leaves out
  std::vector<std::uint64_t> hashes_;      ///< hashes of the next names
  std::vector<NodeId> with_bodies_;        ///< nodes with bodies in the graph just added
  std::vector<onnx::OperatorSet> opsets_;  ///< opsets of the graph being added, sorted by domain
  const onnx::Function* opsets_of_ = nullptr;  ///< function they belong to; nullptr: the model
  std::map<std::tuple<std::string_view, std::string_view, std::int32_t>, KindId> kinds_;
  /// Kinds under opsets_, by the hash of the operator's name; saves the lookup.
  std::array<KindId, 64> recent_kinds_;
  std::int64_t total_ = 0, expanded_ = 0;  ///< budget used so far
};

}  // namespace ridge::graph
