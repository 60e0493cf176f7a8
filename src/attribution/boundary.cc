#include "attribution/boundary.h"

#include <algorithm>
#include <vector>

#include "base/checked.h"

namespace ridge::attribution {
namespace {

using analysis::Resolved;
using graph::NodeId;
using graph::ValueId;
using profile::Count;

Count known(ops::Dim d) { return d.known() ? Count(d.value()) : std::nullopt; }

void add(Count& sum, Count part) {
  sum = sum && part ? checked_add(*sum, *part) : std::nullopt;
}

bool is_view(const graph::Node& n) {
  const ops::Operator* op = ops::find(n.domain, n.op_type, n.opset);
  return op && op->kind == ops::Kind::kView;
}

Count stored_bytes(const Resolved& resolved, ValueId v) {
  const ops::Type& type = resolved.type(v);
  if (!type.shape.known()) return std::nullopt;
  std::int64_t elements = 1;
  for (const ops::Dim& d : type.shape.span()) {
    const auto product = checked_mul(elements, d.value());
    if (!product) return std::nullopt;
    elements = *product;
  }
  return onnx::storage_bytes(type.dtype, elements);
}

/// One layer against its surroundings.
class Cut {
 public:
  Cut(const Resolved& resolved, const Layer& layer) : resolved_(resolved), model_(resolved.model()) {
    for (const profile::Member& m : layer.members) {
      inside_.push_back(m.node);
      if (m.role == profile::Role::kAbsorbed) absorbed_.push_back(m.node);
    }
    std::sort(inside_.begin(), inside_.end());
  }

  Boundary measure() {
    Boundary out;
    const NodeId only = single_worker();
    if (only != graph::kNone) return {known(resolved_.counts(only).bytes_read), known(resolved_.counts(only).bytes_written)};
    for (const NodeId id : inside_)
      if (!is_view(model_.node(id))) read_by(id, out);
    for (const NodeId id : inside_)
      if (!is_view(model_.node(id))) written_by(id, out);
    return out;
  }

 private:
  bool holds(NodeId id) const { return std::binary_search(inside_.begin(), inside_.end(), id); }

  /// The one member that is no view, if there is one only: its own counts are exact.
  NodeId single_worker() const {
    NodeId worker = graph::kNone;
    for (const NodeId id : inside_) {
      if (is_view(model_.node(id))) continue;
      if (worker != graph::kNone) return graph::kNone;
      worker = id;
    }
    return worker;
  }

  /// The value that `v` is a view of, as far as the views are members.
  ValueId source(ValueId v) const {
    for (NodeId p = model_.value(v).producer; p != graph::kNone && holds(p) && is_view(model_.node(p)); p = model_.value(v).producer) {
      if (model_.node(p).inputs.empty() || model_.node(p).inputs[0] == graph::kNone) break;
      v = model_.node(p).inputs[0];
    }
    return v;
  }

  std::int64_t repeat(NodeId id) const {
    const ops::Dim d = resolved_.counts(id).repeat;
    return d.known() ? d.value() : 1;
  }

  void read_by(NodeId id, Boundary& out) {
    const graph::Node& n = model_.node(id);
    const bool absorbed = std::find(absorbed_.begin(), absorbed_.end(), id) != absorbed_.end();
    Count left = known(resolved_.counts(id).bytes_read);  // an operator that touches a part reads no more than that
    for (const ValueId input : n.inputs) {
      if (input == graph::kNone) continue;
      const ValueId v = source(input);
      const NodeId producer = model_.value(v).producer;
      if (producer != graph::kNone && holds(producer)) continue;
      if (absorbed && resolved_.constant(v)) continue;
      if (std::find(read_.begin(), read_.end(), v) != read_.end()) continue;
      read_.push_back(v);
      Count bytes = stored_bytes(resolved_, v);
      if (bytes) bytes = checked_mul(*bytes, repeat(id));
      if (bytes && left) bytes = std::min(*bytes, *left);
      add(out.read, bytes);
    }
  }

  /// Does anything outside read `v`, or a member's view of it? Iterative: chains of views may be long.
  bool escapes(ValueId v) const {
    std::vector<ValueId> open = {v};
    while (!open.empty()) {
      const ValueId at = open.back();
      open.pop_back();
      if (model_.value(at).graph_output) return true;
      for (const NodeId reader : model_.consumers(at)) {
        if (!holds(reader)) return true;
        const graph::Node& n = model_.node(reader);
        if (is_view(n) && !n.outputs.empty() && n.outputs[0] != graph::kNone && n.inputs[0] == at) open.push_back(n.outputs[0]);
      }
    }
    return false;
  }

  void written_by(NodeId id, Boundary& out) const {
    for (const ValueId v : model_.node(id).outputs) {
      if (v == graph::kNone || !escapes(v)) continue;
      Count bytes = stored_bytes(resolved_, v);
      if (bytes) bytes = checked_mul(*bytes, repeat(id));
      add(out.written, bytes);
    }
  }

  const Resolved& resolved_;
  const graph::Model& model_;
  std::vector<NodeId> inside_, absorbed_;
  std::vector<ValueId> read_;
};

}  // namespace

Boundary boundary_of(const Resolved& resolved, const Layer& layer) { return Cut(resolved, layer).measure(); }

Boundary boundary_of_kernels(const OptimisedGraph& graph, const Layer& layer) {
  Boundary out;
  const auto bytes = [&](ValueId v) { return v < graph.bytes.size() ? graph.bytes[v] : std::nullopt; };
  for (const std::uint32_t kernel : layer.kernels) {
    for (const ValueId v : graph.kernel(kernel).inputs)
      if (v != graph::kNone) add(out.read, bytes(v));
    for (const ValueId v : graph.kernel(kernel).outputs)
      if (v != graph::kNone) add(out.written, bytes(v));
  }
  return out;
}

}  // namespace ridge::attribution
