// SPDX-License-Identifier: Apache-2.0
#include "analysis/traffic/fuser.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "analysis/traffic/fusion_groups.h"

namespace ridge::analysis {
namespace {

/// Operators that are element-wise over inputs of one shape (or broadcast to it). Sorted.
// clang-format off
constexpr std::array<std::string_view, 72> kElementwise = {
    "Abs", "Acos", "Acosh", "Add", "And", "Asin", "Asinh", "Atan", "Atanh",
    "BatchNormalization", "BitShift", "BitwiseAnd", "BitwiseNot", "BitwiseOr", "BitwiseXor",
    "Cast", "CastLike", "Ceil", "Celu", "Clip", "Cos", "Cosh", "DequantizeLinear", "Div", "Elu",
    "Equal", "Erf", "Exp", "Floor", "Gelu", "Greater", "GreaterOrEqual", "HardSigmoid",
    "HardSwish", "IsInf", "IsNaN", "LeakyRelu", "Less", "LessOrEqual", "Log", "Max", "Mean",
    "Min", "Mish", "Mod", "Mul", "Neg", "Not", "Or", "PRelu", "Pow", "QuantizeLinear",
    "Reciprocal", "Relu", "Round", "Selu", "Shrink", "Sigmoid", "Sign", "Sin", "Sinh",
    "Softplus", "Softsign", "Sqrt", "Sub", "Sum", "Swish", "Tan", "Tanh", "ThresholdedRelu",
    "Where", "Xor",
};
// clang-format on
/// Element-wise operators of com.microsoft.
constexpr std::array<std::string_view, 4> kContributed = {"BiasGelu", "FastGelu", "Gelu",
                                                          "QuickGelu"};

bool elementwise(const FusionGroups& groups, graph::NodeId n) {
  const graph::Node& node = groups.node(n);
  if (node.domain == "com.microsoft")
    return std::find(kContributed.begin(), kContributed.end(), node.op_type) != kContributed.end();
  return node.domain.empty() && node.bodies.empty() &&
         std::binary_search(kElementwise.begin(), kElementwise.end(), node.op_type);
}

/// Finds, for a value, the smallest region of element-wise nodes through which all its uses pass:
/// the value enters it, one value leaves it, and both have one shape. Example: x -> s = Sigmoid(x)
/// -> y = Mul(x, s). Among the readers of x, Sigmoid and Mul, the first leaves two values in use, x
/// and s. Mul reads both and leaves y alone, so the region is both nodes.
class Region {
 public:
  Region(const FusionGroups& groups, graph::ValueId entry) : groups_(groups), entry_(entry) {
    open(entry);
    while (valid_ && (members_.empty() || unread_.size() > 1)) take_first();
  }

  bool valid() const { return valid_; }
  /// Members in order; the last one produces the value that leaves.
  const std::vector<graph::NodeId>& members() const { return members_; }

 private:
  /// Larger regions are not fused: the search stays linear in the number of nodes.
  static constexpr std::size_t kMaxMembers = 256;

  /// Requires the readers of `v` to be members. A value that leaves its graph stays unread.
  void open(graph::ValueId v) {
    const graph::Value& value = groups_.model().value(v);
    const auto consumers = groups_.model().consumers(v);
    const std::set<graph::NodeId> readers(consumers.begin(), consumers.end());
    for (const graph::NodeId n : readers) {
      valid_ = valid_ && groups_.node(n).graph == value.graph;
      waiting_.insert({groups_.position(n), n});
    }
    unread_[v] = readers.size() + (value.graph_output || readers.empty() ? 1 : 0);
  }

  /// Makes the first waiting reader a member; forgets the values that it reads last.
  void take_first() {
    valid_ = !waiting_.empty() && members_.size() < kMaxMembers;
    if (!valid_) return;
    const graph::NodeId n = waiting_.begin()->second;
    waiting_.erase(waiting_.begin());
    const graph::ValueId out = groups_.output(n);
    valid_ = out != graph::kNone && elementwise(groups_, n) && groups_.same_shape(entry_, out);
    if (!valid_) return;
    members_.push_back(n);
    const graph::Node node = groups_.node(n);
    for (const graph::ValueId v : std::set(node.inputs.begin(), node.inputs.end()))
      if (const auto found = unread_.find(v); found != unread_.end() && --found->second == 0)
        unread_.erase(found);
    open(out);
  }

  const FusionGroups& groups_;
  const graph::ValueId entry_;
  bool valid_ = true;
  std::map<graph::ValueId, std::size_t> unread_;  ///< by value: readers that are no members yet
  std::set<std::pair<std::uint32_t, graph::NodeId>> waiting_;  ///< these readers, in order
  std::vector<graph::NodeId> members_;
};

/// Fuses regions into the producers of their entries, and element-wise nodes that one group reads
/// alone into that group.
class Epilogues {
 public:
  explicit Epilogues(FusionGroups& groups)
      : groups_(groups), carried_(groups.model().nodes().size()) {}

  void fuse() {
    for (const graph::Graph& g : groups_.model().graphs()) {
      for (auto n = g.order.rbegin(); n != g.order.rend(); ++n) take_region_of(*n);
      for (auto n = g.order.rbegin(); n != g.order.rend(); ++n) join_only_reader(*n);
    }
  }

 private:
  /// Producers are visited last first, so among several that could carry a node the one produced
  /// last does.
  void take_region_of(graph::NodeId producer) {
    const graph::ValueId v = groups_.output(producer);
    if (v == graph::kNone || groups_.constant(v) || groups_.model().value(v).graph_output ||
        groups_.model().consumers(v).empty() || !groups_.moves(producer))
      return;
    const Region region(groups_, v);
    if (!region.valid()) return;
    const std::vector<graph::NodeId>& members = region.members();
    for (const graph::NodeId n : members) {
      const auto within = [&](graph::NodeId by) {
        return std::find(members.begin(), members.end(), by) != members.end();
      };
      if (carried_[n] && !within(*carried_[n])) return;
    }
    groups_.join(producer, members.back());
    for (const graph::NodeId n : members)
      if (n != members.back()) groups_.join(n, members.back());
    for (const graph::NodeId n : members) carried_[n] = producer;
  }

  /// Fuses a group of element-wise nodes alone into the group that is its only reader, and whose
  /// element-wise nodes read it.
  void join_only_reader(graph::NodeId last) {
    const graph::ValueId v = groups_.output(last);
    if (v == graph::kNone || groups_.group(last) != last || !is_elementwise(last)) return;
    const auto readers = groups_.model().consumers(v);
    if (groups_.constant(v) || groups_.model().value(v).graph_output || readers.empty()) return;
    const graph::NodeId to = groups_.group(readers[0]);
    for (const graph::NodeId n : readers)
      if (groups_.node(n).graph != groups_.node(last).graph || groups_.group(n) != to ||
          !elementwise(groups_, n) || !groups_.same_shape(v, groups_.output(n)))
        return;
    groups_.join(last, to);
  }

  /// True if all members of the group that ends with `last` are element-wise.
  bool is_elementwise(graph::NodeId last) const {
    graph::NodeId n = last;
    while (carried_[n]) n = *carried_[n];
    return elementwise(groups_, n) && groups_.moves(n);
  }

  FusionGroups& groups_;
  std::vector<std::optional<graph::NodeId>> carried_;  ///< by node: the producer that carries it
};

}  // namespace

Fusion assume_fusion(const Resolved& resolved, Fuse how) {
  FusionGroups groups(resolved);
  if (how == Fuse::kEpilogue) Epilogues(groups).fuse();
  if (how == Fuse::kRuntime) fuse_as_runtimes_do(groups);
  return groups.finish();
}

}  // namespace ridge::analysis
