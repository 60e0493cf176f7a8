// SPDX-License-Identifier: Apache-2.0
#include "attribution/anchors.h"

#include <algorithm>
#include <unordered_map>

#include "attribution/names.h"
#include "base/checked.h"

namespace ridge::attribution {
namespace {

using profile::Evidence;

constexpr std::string_view kBlockedSuffix = "_nchwc";

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

bool take_suffix(std::string_view& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return false;
  text.remove_suffix(suffix.size());
  return true;
}

bool channels_last(const graph::Node& node) {
  const onnx::Attribute* a = graph::attribute(node, "channels_last");
  return a != nullptr && a->i != 0;
}

/// Returns the tensor in the name of a blocked kernel; kNone for other names.
ValueId blocked_stem(const Original& original, std::string_view name) {
  name = without_token(name);
  if (!take_suffix(name, kBlockedSuffix)) return kNone;
  take_suffix(name, "_bn");
  return original.tensor(name);
}

class Finder {
 public:
  Finder(const Original& original, const ValueNumbers& numbers, const OptimizedGraph& graph,
         const OptimizedGraph* reference)
      : original_(original), numbers_(numbers), graph_(graph) {
    const std::size_t values = graph.model->values().size();
    found_.value.assign(values, kNone);
    found_.evidence.assign(values, Evidence::kRenamed);
    found_.blocked.assign(values, false);
    if (reference != nullptr) read_reference(*reference);
  }

  Anchors run() {
    const graph::Model& model = *graph_.model;
    for (ValueId v = 0; v < model.values().size(); ++v)
      if (model.value(v).kind != graph::ValueKind::kNodeOutput) anchor_by_name(v);
    for (const NodeId k : graph_.order) {
      if (graph_.listed.empty())
        anchor_kernel(k);
      else
        anchor_listed(k);
    }
    return std::move(found_);
  }

 private:
  void anchor_kernel(NodeId k) {
    const graph::Node& kernel = graph_.kernel(k);
    const bool reorders_out = kernel.op_type == "ReorderOutput";
    bool blocked = is_blocked(kernel) && !reorders_out;
    for (const ValueId v : kernel.inputs)
      blocked = blocked || (v != kNone && found_.blocked[v] && !reorders_out);
    for (std::size_t j = 0; j < kernel.outputs.size(); ++j) {
      const ValueId v = kernel.outputs[j];
      if (v == kNone || anchor_by_name(v)) continue;
      found_.blocked[v] = blocked;
      const ValueId value = blocked ? blocked_output(kernel, j) : referenced(kernel, j);
      if (value != kNone) anchor(v, value, Evidence::kRenamed);
    }
  }

  void anchor_listed(NodeId k) {
    const graph::Node& kernel = graph_.kernel(k);
    const NodeId last = last_made(original_, graph_.listed[k]);
    if (last == kNone) {
      if (kernel.op_type == "Reorder" && !kernel.inputs.empty() && kernel.inputs[0] != kNone &&
          !kernel.outputs.empty())
        hold(kernel.outputs[0], found_.value[kernel.inputs[0]]);
      return;
    }
    std::vector<ValueId> tensors(kernel.outputs.begin(), kernel.outputs.end());
    std::vector<ValueId> made;
    for (const ValueId v : original_.node(last).outputs) made.push_back(original_.origin(v));
    if (tensors.size() != made.size()) std::erase(made, kNone);
    if (tensors.size() == 1 && made.size() > 1) made = {listed_output(k, last)};
    if (tensors.size() > made.size())
      std::erase_if(tensors,
                    [&](ValueId v) { return v == kNone || graph_.model->consumers(v).empty(); });
    if (tensors.size() != made.size()) return;
    for (std::size_t j = 0; j < made.size(); ++j) hold(tensors[j], made[j]);
  }

  /// Returns the output listed by the runtime, for a node with several outputs.
  ValueId listed_output(NodeId k, NodeId last) const {
    ValueId found = kNone;
    for (const std::string& name : graph_.listed[k].originals)
      if (const ValueId v = original_.tensor(name); v != kNone && original_.producer(v) == last)
        found = v;
    return found;
  }

  void hold(ValueId v, ValueId value) {
    if (v == kNone || value == kNone || !as_large(v, value)) return;
    anchor(v, value, Evidence::kSameTensor);
  }

  bool as_large(ValueId v, ValueId value) const {
    const ops::Type& type = original_.resolved().type(value);
    if (!graph_.elements[v] || !type.shape.known()) return true;
    std::optional<std::int64_t> elements = 1;
    for (const ops::Dim d : type.shape.span())
      if (elements) elements = checked_mul(*elements, d.value());
    return !elements || *elements == *graph_.elements[v];
  }

  void anchor(ValueId v, ValueId original, Evidence evidence) {
    found_.value[v] = original;
    found_.evidence[v] = evidence;
  }

  bool anchor_by_name(ValueId v) {
    std::string_view name = graph_.model->value(v).name;
    ValueId value = original_.tensor(name);
    if (value != kNone) {
      anchor(v, value, Evidence::kSameTensor);
      return true;
    }
    bool renamed = take_prefix(name, "InsertedPrecisionFreeCast_");
    // A tensor of an If inside another If was inlined twice, so it has two prefixes.
    while (take_prefix(name, "_if_then_branch_") || take_prefix(name, "_if_else_branch_"))
      renamed = true;
    renamed = take_suffix(name, "/duplicated") || renamed;
    if (!renamed) return false;
    value = original_.tensor(without_token(name));
    if (value == kNone) return false;
    anchor(v, value, Evidence::kRenamed);
    return true;
  }

  ValueId blocked_output(const graph::Node& kernel, std::size_t j) const {
    if (kernel.op_type == "ReorderInput") return reordered(kernel);
    if (const ValueId stem = blocked_stem(original_, kernel.name); stem != kNone && j == 0)
      return is_product(kernel.op_type) ? after_fusion(kernel, stem) : stem;
    const Stem stem = stem_of(kernel.name);
    if (stem.node == kNone || stem.output != kNone || stem.node >= original_.order().size())
      return kNone;
    const std::span<const ValueId> outputs = original_.node(stem.node).outputs;
    if (outputs.size() != kernel.outputs.size() || outputs[j] == kNone) return kNone;
    return original_.origin(outputs[j]);
  }

  ValueId reordered(const graph::Node& kernel) const {
    if (kernel.inputs.empty() || kernel.inputs[0] == kNone) return kNone;
    const ValueId value = found_.value[kernel.inputs[0]];
    if (value == kNone || !channels_last(kernel)) return value;
    // This ReorderInput reads channels last, so it also does the work of the model's Transpose from
    // NHWC to NCHW: its result is what that Transpose gives.
    constexpr std::int64_t kToChannelsFirst[] = {0, 3, 1, 2};
    for (const NodeId n : original_.readers(value)) {
      const onnx::Attribute* perm = graph::attribute(original_.node(n), "perm");
      if (original_.op(n) == "Transpose" && perm != nullptr &&
          std::ranges::equal(perm->ints, kToChannelsFirst))
        return original_.origin(original_.node(n).outputs[0]);
    }
    return kNone;
  }

  /// A blocked Conv may add its fourth input to the tensor in its name and then apply an
  /// activation; returns the resulting original value.
  ValueId after_fusion(const graph::Node& kernel, ValueId value) const {
    constexpr std::size_t kSummed = 3;
    if (kernel.inputs.size() > kSummed && kernel.inputs[kSummed] != kNone) {
      const ValueId other = found_.value[kernel.inputs[kSummed]];
      value = other == kNone ? kNone : sum_of(value, other);
    }
    const onnx::Attribute* activation = graph::attribute(kernel, "activation");
    if (value == kNone || activation == nullptr) return value;
    const NodeId last = original_.producer(value);
    if (last != kNone && original_.op(last) == activation->s) return value;
    for (const NodeId n : original_.readers(value))
      if (original_.op(n) == activation->s) return original_.origin(original_.node(n).outputs[0]);
    return value;
  }

  /// Returns the original value of value + other; kNone if the original does not compute it.
  ValueId sum_of(ValueId value, ValueId other) const {
    for (const NodeId n : original_.readers(value)) {
      const graph::Node& node = original_.node(n);
      if ((original_.op(n) != "Add" && original_.op(n) != "Sum") || node.inputs.size() != 2)
        continue;
      const ValueId a = original_.origin(node.inputs[0]), b = original_.origin(node.inputs[1]);
      if (a == kNone || b == kNone) continue;
      if (numbers_.of(a == value ? b : a) == numbers_.of(other))
        return original_.origin(node.outputs[0]);
    }
    return kNone;
  }

  ValueId referenced(const graph::Node& kernel, std::size_t j) const {
    const NodeId node = named_node(original_, kernel);
    const auto at = node == kNone ? reference_.end() : reference_.find(node);
    if (at == reference_.end() || at->second.size() != kernel.outputs.size()) return kNone;
    return at->second[j];
  }

  /// Records the anchored outputs of the reference's kernels, by the node that each is named after.
  void read_reference(const OptimizedGraph& reference) {
    const Anchors anchors = find_anchors(original_, numbers_, reference);
    for (const NodeId k : reference.order) {
      const graph::Node& kernel = reference.kernel(k);
      const NodeId node = named_node(original_, kernel);
      if (node == kNone) continue;
      std::vector<ValueId> outputs;
      for (const ValueId v : kernel.outputs)
        outputs.push_back(v == kNone ? kNone : anchors.value[v]);
      reference_.emplace(node, std::move(outputs));
    }
  }

  const Original& original_;
  const ValueNumbers& numbers_;
  const OptimizedGraph& graph_;
  Anchors found_;
  std::unordered_map<NodeId, std::vector<ValueId>> reference_;
};

}  // namespace

NodeId last_made(const Original& original, const Listing& listing) {
  NodeId last = kNone;
  for (const std::string& name : listing.originals) {
    const ValueId v = original.tensor(name);
    const NodeId n = v == kNone ? kNone : original.producer(original.origin(v));
    if (n != kNone && (last == kNone || original.rank(n) > original.rank(last))) last = n;
  }
  return last;
}

bool is_blocked(const graph::Node& kernel) { return kernel.domain == "com.microsoft.nchwc"; }

NodeId named_node(const Original& original, const graph::Node& kernel) {
  const Stem stem = stem_of(kernel.name);
  if (stem.node != kNone) return stem.node < original.order().size() ? stem.node : kNone;
  return original.producer(blocked_stem(original, kernel.name));
}

// Example: the original is r0 Conv(x) -> a, r1 Conv(a) -> c, r2 Add(c, a) -> t, r3 Relu(t) -> y; a
// dump in blocked layout has ReorderInput(x) -> k0, "r0.0_nchwc" Conv(k0) -> k1,
// "r1.0_nchwc_token_3" Conv(k1, sum input k1) -> k2, "r3" Relu(k2) -> k4, ReorderOutput(k4) -> y.
// Then k0 is x; k1 is tensor r0.0 = a; k2 is r1.0 = c plus a, which r2 computes: t; k4 is blocked
// and named after r3: y. The last output keeps its name: y.
Anchors find_anchors(const Original& original, const ValueNumbers& numbers,
                     const OptimizedGraph& graph, const OptimizedGraph* reference) {
  return Finder(original, numbers, graph, reference).run();
}

}  // namespace ridge::attribution
