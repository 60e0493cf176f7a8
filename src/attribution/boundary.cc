// SPDX-License-Identifier: Apache-2.0
#include "attribution/boundary.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "analysis/bounds/min_work.h"
#include "analysis/node_bytes.h"
#include "attribution/original.h"
#include "base/checked.h"

namespace ridge::attribution {
namespace {

using analysis::NodeCounts;
using analysis::Touch;
using profile::Count;
using profile::Role;

Count known_count(ops::Dim d) { return d.known() ? Count(d.value()) : std::nullopt; }

Count plus(Count a, Count b) { return a && b ? checked_add(*a, *b) : std::nullopt; }

std::optional<Touch> plus(std::optional<Touch> a, std::optional<Touch> b) {
  return a && b ? std::optional(*a + *b) : std::nullopt;
}

std::optional<Touch> at_most(std::optional<Touch> touch, Count bytes) {
  if (!touch || !bytes) return touch;
  return Touch{std::min(touch->bytes, *bytes), std::min(touch->line_bytes, *bytes)};
}

class Boundary {
 public:
  Boundary(const analysis::Resolved& resolved, const OptimizedGraph& graph, const Attribution& a,
           analysis::TakePart positions)
      : resolved_(resolved), graph_(graph), a_(a), positions_(positions) {}

  std::vector<LayerTraffic> run() {
    std::vector<LayerTraffic> all;
    for (std::uint32_t l = 0; l < a_.layers.size(); ++l) {
      all.push_back(of_layer(l));
      all.back().least = min_of(l);
    }
    for (const auto& [tensor, reader] : streams_)
      add(all[reader.layer].least.streamed, reader.bytes);
    return all;
  }

 private:
  /// The layer that reads most of a tensor which each run reads anew.
  struct Reader {
    std::uint32_t layer = 0;
    std::int64_t bytes = 0;
  };

  static void add(Count& sum, std::int64_t bytes) {
    if (sum) sum = checked_add(*sum, bytes);
  }

  /// Takes down that a layer reads a weight or an input of the model.
  void note_stream(std::uint32_t l, ValueId v, ValueId value, const std::optional<Touch>& touch) {
    const bool input = value != kNone &&
                       resolved_.model().value(value).kind == graph::ValueKind::kInput &&
                       resolved_.model().value(value).graph == 0;
    if (!touch || (!graph_.is_constant(v) && !input)) return;
    // Constants without a counterpart are numbered behind the model's constants.
    const std::uint64_t key = value != kNone ? std::uint64_t{value}
                                             : resolved_.model().values().size() + std::uint64_t{v};
    const auto [at, first] = streams_.try_emplace(key, Reader{l, touch->bytes});
    if (!first && touch->bytes > at->second.bytes) at->second = {l, touch->bytes};
  }

  LayerTraffic of_layer(std::uint32_t l) {
    const Layer& layer = a_.layers[l];
    if (only_views(layer)) return {0, 0, {}};
    if (is_whole_node(resolved_, graph_, a_, layer)) {
      const NodeCounts& counts = resolved_.counts(layer.members[0].node);
      return {plus(known_count(counts.bytes_read), added_by_width(l)),
              known_count(counts.bytes_written), counts.reason};
    }
    LayerTraffic t{reads(l), writes(l), {}};
    if (!t.read || !t.written)
      t.reason = "a tensor of the runtime has no counterpart in the model and no size was reported";
    const std::int64_t times = repeat(layer);
    if (t.read) t.read = checked_mul(*t.read, times);
    if (t.written) t.written = checked_mul(*t.written, times);
    return t;
  }

  profile::Least min_of(std::uint32_t l) {
    const Layer& layer = a_.layers[l];
    profile::Least least{.macs = 0, .trips = repeat(layer), .streamed = 0};
    for (const profile::Member& m : layer.members)
      if (m.role == Role::kExecutes)
        least.macs = plus(least.macs, analysis::min_macs(resolved_, m.node));
    if (least.macs) least.macs = checked_mul(fewer_outputs(layer, *least.macs), least.trips);
    const auto moved = only_views(layer) ? std::optional(Touch{})
                       : is_whole_node(resolved_, graph_, a_, layer)
                           ? min_of_node(l, layer.members[0].node)
                           : plus(min_reads(l), min_writes(l));
    if (moved) least.bytes = moved->bytes, least.line_bytes = moved->line_bytes;
    return least;
  }

  std::optional<Touch> min_of_node(std::uint32_t l, NodeId n) {
    std::optional<Touch> sum = Touch{};
    seen_.clear();
    for (const ValueId v : resolved_.model().inputs(n))
      if (v != kNone && seen_.insert(v).second)
        sum = plus(sum, analysis::min_read(resolved_, n, v, positions_));
    seen_.clear();  // now of the runtime's tensors
    for_each_read(l, [&](std::size_t i, ValueId v) {
      const ValueId own = counterpart(a_.layers[l], i, v);
      if (own == kNone) return;
      const auto touch = analysis::min_read(resolved_, n, own, positions_);
      const auto stored = widened(touch, widening(v, own));
      if (sum && stored)
        sum = *sum + Touch{stored->bytes - touch->bytes, stored->line_bytes - touch->line_bytes};
      note_stream(l, v, own, stored);
    });
    for (const ValueId v : resolved_.model().outputs(n))
      if (v != kNone) sum = plus(sum, analysis::min_written(resolved_, n, v));
    return sum;
  }

  std::optional<Touch> min_reads(std::uint32_t l) {
    std::optional<Touch> sum = Touch{};
    seen_.clear();
    for_each_read(l, [&](std::size_t i, ValueId v) {
      const Layer& layer = a_.layers[l];
      const Count whole = graph_.is_constant(v) ? constant_bytes(layer, i, v) : tensor_bytes(v);
      const auto read = at_most(min_touched(layer, v, whole), graph_.bytes[v]);
      note_stream(l, v, counterpart(layer, i, v), read);
      sum = plus(sum, read);
    });
    return sum;
  }

  /// Returns the largest min_read() of the members that read the tensor; all of it if none does.
  std::optional<Touch> min_touched(const Layer& layer, ValueId v, Count whole) const {
    std::optional<Touch> most;
    const ValueId value = a_.tensor[v];
    for (const profile::Member& m : layer.members) {
      const std::span<const ValueId> inputs = resolved_.model().node(m.node).inputs;
      if (value == kNone || std::ranges::find(inputs, value) == inputs.end()) continue;
      const auto part = analysis::min_read(resolved_, m.node, value, positions_);
      if (part && (!most || part->line_bytes > most->line_bytes)) most = part;
    }
    if (most || !whole) return widened(most, widening(v, value));
    return analysis::all_of(*whole);
  }

  std::optional<Touch> min_writes(std::uint32_t l) const {
    std::optional<Touch> sum = Touch{};
    for (const std::uint32_t k : a_.layers[l].kernels)
      for (const ValueId v : graph_.kernel(k).outputs)
        if (v != kNone && leaves(l, v)) {
          const Count bytes = tensor_bytes(v);
          const auto made = bytes ? std::optional(analysis::all_of(*bytes)) : std::nullopt;
          sum = plus(sum, at_most(made, graph_.bytes[v]));
        }
    return sum;
  }

  /// Reduces MACs in proportion to the elements that the layer produces: a runtime that knows that
  /// a later stride skips outputs of a convolution does not compute them (OpenVINO moves strides of
  /// 1x1 convolutions up).
  std::int64_t fewer_outputs(const Layer& layer, std::int64_t macs) const {
    Count defined, made;
    for (const profile::Member& m : layer.members) {
      if (m.role != Role::kExecutes || resolved_.counts(m.node).macs.is(0)) continue;
      const ValueId v = resolved_.model().outputs(m.node).front();
      if (defined || v == kNone) return macs;
      defined = known_count(resolved_.dims().product(resolved_.type(v).shape.span()));
    }
    for (const ValueId v : graph_.kernel(layer.kernels.back()).outputs)
      if (v != kNone && !graph_.elements.empty()) made = graph_.elements[v];
    if (!made || !defined || *made >= *defined) return macs;
    return analysis::proportion(*made, macs, *defined);
  }

  bool only_views(const Layer& layer) const {
    return !layer.members.empty() &&
           std::ranges::all_of(layer.members, [&](const profile::Member& m) {
             const NodeCounts& c = resolved_.counts(m.node);
             return c.bytes_read.is(0) && c.bytes_written.is(0) &&
                    resolved_.model().node(m.node).bodies.empty();
           });
  }

  /// Returns the number of executions of the outermost member: a body may be part of the layer that
  /// runs it.
  std::int64_t repeat(const Layer& layer) const {
    Count least;
    for (const profile::Member& m : layer.members)
      if (const Count times = known_count(resolved_.repeat(m.node)))
        least = std::min(*times, least.value_or(*times));
    return least.value_or(1);
  }

  Count reads(std::uint32_t l) {
    Count sum = 0;
    seen_.clear();
    for_each_read(l, [&](std::size_t i, ValueId v) {
      sum = plus(sum, graph_.is_constant(v) ? constant_bytes(a_.layers[l], i, v)
                                            : touched(a_.layers[l], v));
    });
    return sum;
  }

  /// Calls `read(input, tensor)` for each tensor that enters the layer and is not in seen_.
  template <typename Read>
  void for_each_read(std::uint32_t l, Read&& read) {
    for (const std::uint32_t k : a_.layers[l].kernels) {
      const std::span<const ValueId> inputs = graph_.kernel(k).inputs;
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        const ValueId v = inputs[i];
        if (v == kNone || !seen_.insert(v).second) continue;
        const NodeId maker = graph_.model->value(v).producer;
        if (maker == kNone || a_.layer_of[maker] != l) read(i, v);
      }
    }
  }

  Count writes(std::uint32_t l) {
    Count sum = 0;
    for (const std::uint32_t k : a_.layers[l].kernels) {
      for (const ValueId v : graph_.kernel(k).outputs) {
        if (v != kNone && leaves(l, v)) sum = plus(sum, tensor_bytes(v));
      }
    }
    return sum;
  }

  bool leaves(std::uint32_t l, ValueId v) const {
    const std::span<const NodeId> readers = graph_.model->consumers(v);
    return graph_.model->value(v).graph_output ||
           std::ranges::any_of(readers, [&](NodeId r) { return a_.layer_of[r] != l; });
  }

  /// Returns the size in the model's type, which is the runtime's unless it computes in another
  /// precision; for a tensor without counterpart the runtime's size.
  Count tensor_bytes(ValueId v) const {
    if (graph_.bytes[v] && a_.tensor[v] == kNone) return graph_.bytes[v];
    return a_.tensor[v] == kNone ? std::nullopt : value_bytes(resolved_, a_.tensor[v]);
  }

  /// Factor by which the runtime holds a constant of the model in a wider type; 1 otherwise.
  std::int64_t widening(ValueId v, ValueId value) const {
    const onnx::Tensor* held = graph_.model->value(v).tensor;
    if (held == nullptr || value == kNone || !graph_.is_constant(v)) return 1;
    const onnx::DataTypeInfo *own = onnx::info(resolved_.type(value).dtype),
                             *now = onnx::info(held->type);
    const bool wider = own != nullptr && now != nullptr && own->floating && now->floating &&
                       own->bits >= 8 && now->bits > own->bits;
    return wider ? now->bits / own->bits : 1;
  }

  static std::optional<Touch> widened(const std::optional<Touch>& touch, std::int64_t factor) {
    if (!touch) return touch;
    return Touch{touch->bytes * factor, touch->line_bytes * factor};
  }

  /// The value of the model that a tensor of the runtime stands for; of a constant without one, the
  /// constant that the layer's product reads in its place.
  ValueId counterpart(const Layer& layer, std::size_t input, ValueId v) const {
    if (a_.tensor[v] != kNone || !graph_.is_constant(v)) return a_.tensor[v];
    for (const profile::Member& m : layer.members) {
      const graph::Node& node = resolved_.model().node(m.node);
      if (is_product(node.op_type) && input < node.inputs.size() && node.inputs[input] != kNone &&
          resolved_.constant(node.inputs[input]))
        return node.inputs[input];
    }
    return kNone;
  }

  /// Bytes that a layer's constants have beyond the model's constants.
  Count added_by_width(std::uint32_t l) {
    const Layer& layer = a_.layers[l];
    Count sum = 0;
    seen_.clear();
    for_each_read(l, [&](std::size_t i, ValueId v) {
      const ValueId own = counterpart(layer, i, v);
      const std::int64_t factor = widening(v, own);
      if (factor == 1) return;
      const Count bytes = a_.tensor[v] != kNone ? touched(layer, v) : value_bytes(resolved_, own);
      sum = plus(sum, bytes ? checked_mul(*bytes, (factor - 1) * repeat(layer)) : bytes);
    });
    return sum;
  }

  /// Returns the size of a constant: for a product's weight the size in the model, since the
  /// runtime may pad or reorder it; for others the size in the dump. A wider type counts as the
  /// runtime's.
  Count constant_bytes(const Layer& layer, std::size_t input, ValueId v) const {
    if (const ValueId own = counterpart(layer, input, v); own != kNone) {
      const Count bytes = a_.tensor[v] != kNone ? touched(layer, v) : value_bytes(resolved_, own);
      return bytes ? checked_mul(*bytes, widening(v, own)) : bytes;
    }
    const onnx::Tensor* tensor = graph_.model->value(v).tensor;
    return tensor == nullptr ? std::nullopt : onnx::storage_bytes(tensor->type, tensor->elements);
  }

  /// Returns the bytes of a tensor that the layer's members read: less than all if only a Gather,
  /// Slice or similar reads it.
  Count touched(const Layer& layer, ValueId v) const {
    const Count whole = tensor_bytes(v);
    const ValueId value = a_.tensor[v];
    if (value == kNone || !whole) return whole;
    Count least;
    for (const profile::Member& m : layer.members) {
      const std::span<const ValueId> inputs = resolved_.model().node(m.node).inputs;
      if (std::ranges::find(inputs, value) == inputs.end()) continue;
      const Count part = part_read(m.node, value);
      if (!part || *part >= *whole) return whole;
      least = std::max(least.value_or(0), *part);
    }
    return least ? least : whole;
  }

  /// Returns the bytes that a node reads of one input: by its part rule, else all that it reads
  /// less its other inputs.
  Count part_read(NodeId n, ValueId value) const {
    if (const analysis::PartRead* part = resolved_.part_read(n, value))
      return known_count(part->bytes);
    const NodeCounts& counts = resolved_.counts(n);
    const Count times = known_count(resolved_.repeat(n));
    Count left = known_count(counts.bytes_read);
    if (!left || !times || *times < 1) return std::nullopt;
    *left /= *times;
    std::unordered_set<ValueId> others;
    for (const ValueId v : resolved_.model().node(n).inputs) {
      if (v == kNone || v == value || !others.insert(v).second) continue;
      const analysis::PartRead* part = resolved_.part_read(n, v);
      const Count bytes = part != nullptr ? known_count(part->bytes) : value_bytes(resolved_, v);
      if (!bytes || *bytes > *left) return std::nullopt;
      *left -= *bytes;
    }
    return left;
  }

  const analysis::Resolved& resolved_;
  const OptimizedGraph& graph_;
  const Attribution& a_;
  analysis::TakePart positions_;
  std::unordered_set<ValueId> seen_;
  std::map<std::uint64_t, Reader> streams_;
};

}  // namespace

bool is_whole_node(const analysis::Resolved& resolved, const OptimizedGraph& graph,
                   const Attribution& a, const Layer& layer) {
  if (layer.kernels.size() != 1 || layer.members.size() != 1) return false;
  if (layer.members[0].role != Role::kExecutes) return false;
  const graph::Node& kernel = graph.kernel(layer.kernels[0]);
  const NodeId node = layer.members[0].node;
  for (const ValueId v : kernel.outputs)
    if (v != kNone &&
        (a.tensor[v] == kNone || resolved.model().value(a.tensor[v]).producer != node))
      return false;
  return std::ranges::all_of(kernel.inputs, [&](ValueId v) {
    return v == kNone || graph.is_constant(v) || a.tensor[v] != kNone;
  });
}

std::vector<LayerTraffic> boundary_traffic(const analysis::Resolved& resolved,
                                           const OptimizedGraph& graph, const Attribution& a,
                                           analysis::TakePart positions) {
  return Boundary(resolved, graph, a, positions).run();
}

}  // namespace ridge::attribution
