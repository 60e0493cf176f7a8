// A model under one binding of its free sizes: every shape, every small value, every node's work
// and bytes.
//
//   Bindings b;  b.sizes["batch"] = 8;
//   Result<analysis::Resolved> r = analysis::resolve(model, b);
//   r->counts(node).macs
//
// Side tables by dense id; the model is untouched, and weights are never read (only small integer
// constants are). Resolving again is cheap.
// Ownership: keeps the Model alive. Thread rule: immutable once made.
// Cost: O(nodes + values + folded elements); 200,000 nodes in about 100 ms.
// Errors (input class): a free size without a binding (named, with the flag to set it), a binding
// that names nothing, shapes that cannot be.
#pragma once

#include <bitset>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/bound_sizes.h"
#include "analysis/count_table.h"
#include "base/result.h"
#include "graph/model.h"
#include "ops/operator.h"

namespace ridge::analysis {

/// What becomes of a size that nobody fixed.
enum class FreeSizes : std::uint8_t {
  kAsk,       ///< leading dimensions of inputs are 1, any other is an input error that names it
  kSymbolic,  ///< they stay symbols, unnamed ones as "input[2]": counts are expressions of them
};

/// What the user fixed. `sizes` binds dimension names; `shapes` a whole input ("input" ->
/// {1,3,224,224}).
struct Bindings {
  BoundSizes sizes;
  std::map<std::string, std::vector<std::int64_t>> shapes;
  FreeSizes free = FreeSizes::kAsk;
  bool takes_arrays = false;  ///< --input gives sizes as well: hints name it
};

/// The sums of what is known. A figure in `incomplete` lacks at least one node, so it is a lower
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
  /// An upper bound of the MACs; unknown where a node has none.
  ops::Dim macs_max{0};
  std::int64_t params = 0;            ///< each tensor once
  std::int64_t weight_bytes = 0;      ///< of those tensors, as stored
  ops::Dim peak_activation_bytes{0};  ///< live activations at the worst moment of file order
  std::int64_t counted = 0, zero = 0, unknown = 0;
  std::bitset<7> incomplete;  ///< by Figure
};

/// The figures of a node that are not known, by Totals::Figure.
std::bitset<7> unknown_figures(const NodeCounts& counts);

class Resolved {
 public:
  const graph::Model& model() const { return *model_; }
  const ops::Type& type(graph::ValueId v) const { return types_[v]; }
  /// Folded small constant tensor, or nullptr.
  const ops::Value* value(graph::ValueId v) const {
    const ops::Value* value = values_[v];
    return value != nullptr && value->members == nullptr ? value : nullptr;
  }
  const NodeCounts& counts(graph::NodeId n) const { return counts_[n]; }
  /// Executions of the bodies around a node: 1 in the main graph.
  ops::Dim repeat(graph::NodeId n) const { return repeats_[model_->graph_of(n)]; }
  /// An upper bound of a node's MACs where they are unknown and bounded; else unknown.
  ops::Dim macs_max(graph::NodeId n) const {
    const auto found = macs_max_.find(n);
    return found == macs_max_.end() ? ops::Dim() : found->second;
  }
  const Totals& totals() const { return totals_; }
  /// Every size that is in force, the assumed ones marked.
  const BoundSizes& bindings() const { return bindings_; }
  ops::DimPool& dims() const { return *dims_; }

  /// A weight or computed from weights and constants only: no activation is needed to know it.
  bool constant(graph::ValueId v) const { return constant_[v]; }
  /// A weight in the sense of `params`: constant of floating or quantised type with more than one
  /// element, also through Identity, Reshape, Transpose, Cast, DequantizeLinear, ConstantOfShape.
  bool weight(graph::ValueId v) const { return weight_[v]; }
  /// Warnings for standard error: unknown operators, unsorted file, assumed sizes.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  friend class Resolver;
  std::shared_ptr<const graph::Model> model_;
  std::shared_ptr<Arena> arena_;
  std::shared_ptr<ops::DimPool> dims_;
  std::vector<ops::Type> types_;
  std::vector<const ops::Value*> values_;
  CountTable counts_;
  std::vector<ops::Dim> repeats_;  // of a graph
  std::unordered_map<graph::NodeId, ops::Dim> macs_max_;
  std::vector<bool> constant_, weight_;
  Totals totals_;
  BoundSizes bindings_;
  std::vector<std::string> notes_;
};

/// `defaults`: sizes that a zoo network assumes where the user said nothing.
Result<Resolved> resolve(std::shared_ptr<const graph::Model> model, const Bindings& bindings,
                         const std::map<std::string, std::int64_t>& defaults = {});

}  // namespace ridge::analysis
