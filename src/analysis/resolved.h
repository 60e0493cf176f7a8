// SPDX-License-Identifier: Apache-2.0
// A model under one binding of its free sizes: shapes, small constant values, and work and bytes of
// every node.
//
//   Bindings b;  b.sizes["batch"] = 8;
//   Result<analysis::Resolved> r = analysis::resolve(model, b);
//   r->counts(node).macs
//
// Results are side tables indexed by dense id; the model is not modified, and weights are never
// read (only small constants are). Resolving again is cheap.
// Ownership: keeps the Model alive. Thread safety: immutable once created.
// Cost: O(nodes + values + folded elements); 200,000 nodes in about 100 ms.
// Errors (input class): a free size without a binding (named, with the flag to set it), a binding
// of an unknown name, inconsistent shapes.
#pragma once

#include <bitset>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/count_table.h"
#include "analysis/sizes/bound_sizes.h"
#include "base/result.h"
#include "graph/model.h"
#include "ops/operator.h"

namespace ridge::analysis {

/// Treatment of free sizes without a binding.
enum class FreeSizes : std::uint8_t {
  kAsk,       ///< leading dimensions of inputs default to 1, any other is an input error
  kSymbolic,  ///< they remain symbols ("input[2]" if unnamed), and counts are expressions of them
};

/// Elements that the user gives for an input.
struct InputValue {
  onnx::DataType type = onnx::DataType::kUndefined;
  /// nullopt: the shape is the input's; one element is then the value of all.
  std::optional<std::vector<std::int64_t>> dims;
  std::vector<std::byte> bytes;  ///< as in raw_data of a TensorProto
  std::string source;            ///< a file, or the elements, as the user wrote it
};

/// User-specified sizes: `sizes` binds dimension names, `shapes` a whole input ("input" ->
/// {1,3,224,224}). `values` gives elements of inputs, on which shapes and trip counts may depend.
struct Bindings {
  BoundSizes sizes;
  std::map<std::string, std::vector<std::int64_t>> shapes;
  FreeSizes free = FreeSizes::kAsk;
  bool takes_arrays = false;  ///< hints may suggest --input, which also determines sizes
  std::map<std::string, InputValue> values = {};
};

/// Sums of the known counts. A count in `incomplete` lacks at least one node, so it is a lower
/// bound.
struct Totals {
  enum Figure : std::uint8_t {
    kMacs,
    kFlops,
    kSpecial,
    kIntOps,
    kBytesRead,
    kBytesWritten,
    kPeakActivationBytes
  };

  std::int64_t nodes = 0;
  ops::Dim macs{0}, flops{0}, special{0}, int_ops{0}, bytes_read{0}, bytes_written{0};
  /// Upper bound on the MACs; unknown if a node has none.
  ops::Dim macs_max{0};
  std::int64_t params = 0;            ///< each tensor once
  std::int64_t active_params = 0;     ///< parameters that one token uses
  std::int64_t weight_bytes = 0;      ///< stored bytes of those tensors
  ops::Dim peak_activation_bytes{0};  ///< maximum of the live activations in file order
  std::int64_t counted = 0, zero = 0, unknown = 0;
  std::bitset<7> incomplete;  ///< by Figure
};

/// Counts of a node that are unknown, by Totals::Figure.
std::bitset<7> unknown_figures(const NodeCounts& counts);

/// Input of which one execution reads only a part: experts that tokens choose, rows of a table that
/// positions name.
struct PartRead {
  graph::ValueId value = graph::kNone;
  ops::Dim bytes;  ///< read at most; unknown if a size is
  ops::Part part = {};
};

/// Equation of free sizes without which the model does not work: the file fixes a size inside.
struct FixedSize {
  ops::Dim left, right;
  graph::NodeId node = graph::kNone;  ///< the first with this equation
  std::int64_t nodes = 0;
};

class Resolved {
 public:
  const graph::Model& model() const { return *model_; }
  const std::shared_ptr<const graph::Model>& shared_model() const { return model_; }
  const ops::Type& type(graph::ValueId v) const { return types_[v]; }
  /// Small constant tensor, folded or decoded; nullptr if unknown.
  const ops::Value* value(graph::ValueId v) const { return steered(v) ? nullptr : any_value(v); }
  /// Also values that follow from those that the user gave for inputs (Bindings::values). They hold
  /// for this binding, but are no constants of the model.
  const ops::Value* any_value(graph::ValueId v) const {
    const ops::Value* value = values_[v];
    return value != nullptr && value->members == nullptr ? value : nullptr;
  }
  /// Inputs with given values that took part in the analysis, by name: the source of each.
  const std::map<std::string, std::string>& given_values() const { return given_values_; }
  const NodeCounts& counts(graph::NodeId n) const { return counts_[n]; }
  /// Executions of the node: product of the trips of the bodies around it, 1 in the main graph.
  ops::Dim repeat(graph::NodeId n) const { return repeats_[model_->graph_of(n)]; }
  /// Upper bound on the node's MACs over all executions, if one is recorded; else unknown.
  ops::Dim macs_max(graph::NodeId n) const {
    const auto found = macs_max_.find(n);
    return found == macs_max_.end() ? ops::Dim() : found->second;
  }
  /// The part of input `v` that node `n` reads; nullptr if there is no rule for a part.
  const PartRead* part_read(graph::NodeId n, graph::ValueId v) const;
  /// True if tokens choose among experts somewhere in the model.
  bool has_experts() const { return !active_params_.empty(); }
  /// Parameters of the node that one token uses: fewer than all if it has experts.
  std::int64_t active_params(graph::NodeId n) const {
    const auto found = active_params_.find(n);
    return found == active_params_.end() ? counts_[n].params : found->second;
  }
  /// Number of parameters in a weight: more than elements if it packs several into one.
  std::int64_t weight_elements(graph::ValueId root) const;
  const Totals& totals() const { return totals_; }
  /// Sizes that nodes inside the model fix, in the order of the nodes; at most kMaxFixed.
  const std::vector<FixedSize>& fixed_sizes() const { return fixed_; }
  static constexpr std::size_t kMaxFixed = 64;
  /// Values of all free sizes, with defaults marked.
  const BoundSizes& bindings() const { return bindings_; }
  ops::DimPool& dims() const { return *dims_; }

  /// True for a weight or a value computed from weights and constants alone, without activations.
  bool constant(graph::ValueId v) const { return constant_[v]; }
  /// True for a weight in the sense of `params`: a constant of floating or quantized type with more
  /// than one element, also through Identity, Reshape, Transpose, Cast, DequantizeLinear,
  /// ConstantOfShape.
  bool weight(graph::ValueId v) const { return weight_[v]; }
  /// Warnings for standard error: unknown operators, unsorted file, default sizes.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  friend class Resolver;
  /// True if the value of `v` depends on values given for inputs.
  bool steered(graph::ValueId v) const { return !steered_.empty() && steered_[v]; }

  std::shared_ptr<const graph::Model> model_;
  std::shared_ptr<Arena> arena_;
  std::shared_ptr<ops::DimPool> dims_;
  std::vector<ops::Type> types_;
  std::vector<const ops::Value*> values_;
  CountTable counts_;
  std::vector<ops::Dim> repeats_;  // by graph
  std::unordered_map<graph::NodeId, ops::Dim> macs_max_;
  std::unordered_map<graph::NodeId, std::vector<PartRead>> parts_;
  std::unordered_map<graph::NodeId, std::int64_t> active_params_;  // of nodes with experts
  std::unordered_map<graph::ValueId, std::int64_t> packed_;  // by root: weights in packed tensors
  std::vector<FixedSize> fixed_;
  std::vector<bool> constant_, weight_;
  std::vector<bool> steered_;  // by value; empty if no input has a given value
  std::map<std::string, std::string> given_values_;
  Totals totals_;
  BoundSizes bindings_;
  std::vector<std::string> notes_;
};

/// `defaults`: default sizes of a zoo network, for sizes that the user does not bind.
Result<Resolved> resolve(std::shared_ptr<const graph::Model> model, const Bindings& bindings,
                         const std::map<std::string, std::int64_t>& defaults = {});

}  // namespace ridge::analysis
