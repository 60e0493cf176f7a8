// SPDX-License-Identifier: Apache-2.0
#include "accelerator/moves.h"

#include <algorithm>
#include <array>
#include <map>

#include "accelerator/placement.h"
#include "accelerator/products.h"
#include "accelerator/strides.h"

namespace ridge::accelerator {
namespace {

using analysis::Fusion;
using analysis::Resolved;
using analysis::Storage;
using graph::kNone;
using graph::NodeId;
using graph::ValueId;

constexpr std::string_view kReturned = "the graph returns it";
constexpr std::string_view kInnerAxis =
    "its axis is not the outermost one with more than one element";
constexpr std::string_view kApart = "its part is not contiguous";
constexpr std::string_view kElsewhere =
    "an input is a constant or an input of the graph, or has another place";
constexpr std::string_view kOrder =
    "its order is not one that a matrix product reads or writes by strides";

/// Assigns a move to each node, in execution order.
class Planner {
 public:
  Planner(const Resolved& r, const Fusion& fusion, const Storage& storage,
          std::vector<NodeMove>& moves, std::vector<Broadcast>& broadcasts)
      : r_(r),
        model_(r.model()),
        storage_(storage),
        strides_(r, fusion, storage),
        placement_(r, storage),
        moves_(moves),
        broadcasts_(broadcasts) {}

  void plan() {
    for (const graph::Graph& g : model_.graphs())
      for (const NodeId n : g.order)
        if (strides_.alone(n)) moves_[n] = move_of(n);
  }

 private:
  NodeMove move_of(NodeId n) {
    const graph::Node node = model_.node(n);
    if (!node.domain.empty() || !node.bodies.empty() || node.inputs.empty() ||
        node.outputs.empty() || node.inputs[0] == kNone || node.outputs[0] == kNone)
      return {};
    const analysis::Form f(r_, n);
    if (!f.input(0) || !f.output(0) || r_.constant(node.outputs[0]) ||
        r_.value(node.outputs[0]) != nullptr)
      return {};
    if (node.op_type == "Concat") return concat(n, f);
    if (is_part(node.op_type)) return part(n, f);
    if (node.op_type == "Expand") return expand(f);
    if (node.op_type == "Transpose") return transpose(n, f);
    return scattered(f);
  }

  static bool is_part(std::string_view op) {
    return op == "Split" || op == "Slice" || op == "Gather";
  }
  bool handed(ValueId v) const { return placement_.handed(storage_.home(v)); }
  static NodeMove copy(std::string_view why) { return {.kind = Move::kCopy, .reason = why}; }

  /// A cache: a graph input that a node returns with more or other rows.
  bool is_cache(ValueId from, ValueId to) const {
    const ValueId home = storage_.home(from);
    return model_.value(home).producer == kNone && model_.value(home).graph == 0 &&
           !r_.constant(home) && handed(to) && !handed(from);
  }

  NodeMove concat(NodeId n, const analysis::Form& f) {
    const graph::Node node = model_.node(n);
    const Sizes out = *f.output(0);
    const auto axis = axis_of(f.integer("axis", 0), out.size());
    if (!axis) return {};
    std::vector<ValueId> inputs;
    Sizes sizes;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const auto shape = f.input(i);
      if (!shape) return {};
      if (product(*shape) == 0) continue;
      inputs.push_back(storage_.home(node.inputs[i]));
      sizes.push_back(product(*shape));
    }
    const bool outermost =
        std::all_of(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(*axis),
                    [](std::int64_t size) { return size == 1; });
    if (inputs.empty()) return {.kind = Move::kView};
    const bool cache = inputs.size() > 1 && is_cache(inputs[0], node.outputs[0]);
    if (!cache && !outermost) return copy(kInnerAxis);
    const ValueId home = storage_.home(node.outputs[0]);
    const std::vector<bool> copied =
        cache ? placement_.append(home, inputs) : placement_.concatenate(home, inputs, sizes);
    return joined(cache ? Move::kAppend : Move::kInPlace, inputs, sizes, copied);
  }

  /// Move of a node whose inputs are placed, or copied where `copied` says so.
  NodeMove joined(Move kind, const std::vector<ValueId>& inputs, const Sizes& sizes,
                  const std::vector<bool>& copied) const {
    NodeMove out{.kind = kind};
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!copied[i]) continue;
      const std::int64_t behind = broadcasts_[inputs[i]].elements;
      out.read += behind > 0 ? std::min(behind, sizes[i]) : sizes[i];
      out.written += sizes[i];
    }
    if (out.written == 0) return out;
    out.reason = kElsewhere;
    if (kind == Move::kAppend) return out;
    const bool all = std::find(copied.begin(), copied.end(), false) == copied.end();
    out.kind = all ? Move::kCopy : Move::kPart;
    return out;
  }

  /// Split, Slice, or Gather of one known index.
  NodeMove part(NodeId n, const analysis::Form& f) {
    const graph::Node node = model_.node(n);
    const Sizes whole = *f.input(0);
    NodeMove out{.kind = Move::kView};
    std::int64_t parts = 0, copied = 0;
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      const ValueId v = node.outputs[i];
      if (v == kNone || (model_.consumers(v).empty() && !handed(v))) continue;
      const std::optional<Part> taken = part_of(f, i);
      if (!taken) return {};
      ++parts;
      const bool contiguous = taken->contiguous(whole);
      if (contiguous && !handed(v)) {
        view(v, node.inputs[0], taken->offset(whole), product(taken->size));
      } else if (!handed(v) && strides_.read(v)) {
        placement_.fix(storage_.home(v));
        out.kind = Move::kStridedRead;
      } else {
        ++copied;
        out.read += product(taken->size), out.written += product(taken->size);
        out.reason = handed(v) ? kReturned : kApart;
      }
    }
    if (copied > 0) out.kind = copied == parts ? Move::kCopy : Move::kPart;
    return out;
  }

  /// Makes `v`, of `size` elements, a part of `whole`.
  void view(ValueId v, ValueId whole, std::int64_t offset, std::int64_t size) {
    const ValueId home = storage_.home(v), from = storage_.home(whole);
    placement_.view(home, from, offset);
    const Broadcast& whole_of = broadcasts_[from];
    if (whole_of.elements > 0) broadcasts_[home] = {std::min(size, whole_of.elements), 1, 0};
  }

  NodeMove expand(const analysis::Form& f) {
    const ValueId in = f.node().inputs[0], out = f.node().outputs[0];
    if (handed(out)) return copy(kReturned);
    const ValueId home = storage_.home(out);
    Sizes from = *f.input(0);
    const Sizes to = *f.output(0);
    from.insert(from.begin(), to.size() - std::min(to.size(), from.size()), 1);
    Broadcast made{std::max<std::int64_t>(1, product(from)), 1, 1};
    bool inside = true;  // axes inside the innermost one that is repeated
    for (std::size_t axis = to.size(); axis-- > 0;) {
      const bool repeats = from[axis] != to[axis];
      inside = inside && !repeats;
      if (inside) made.inner = times({made.inner, to[axis]});
      if (repeats) made.copies = times({made.copies, to[axis]});
    }
    const Broadcast& source = broadcasts_[storage_.home(in)];
    if (source.elements > 0) made = {source.elements, 1, 0};
    broadcasts_[home] = made;
    placement_.fix(home);
    return {.kind = Move::kBroadcast};
  }

  NodeMove transpose(NodeId n, const analysis::Form& f) {
    const Sizes shape = *f.input(0);
    const auto order = permutation(f, shape.size());
    if (!order) return {};
    const ValueId in = f.node().inputs[0], out = f.node().outputs[0];
    std::vector<std::size_t> moved;  // axes of more than one element
    for (const std::size_t axis : *order)
      if (shape[axis] != 1) moved.push_back(axis);
    if (std::is_sorted(moved.begin(), moved.end())) {
      if (handed(out) && !placement_.movable(storage_.home(in))) return copy(kReturned);
      view(out, in, 0, product(shape));
      return {.kind = Move::kView};
    }
    if (strides_.read(out) && strides_.keeps_runs(shape, *order)) {
      placement_.fix(storage_.home(out));
      broadcasts_[storage_.home(out)] = turned(broadcasts_[storage_.home(in)], shape, *order);
      return {.kind = Move::kStridedRead};
    }
    if (moved.back() == *std::max_element(moved.begin(), moved.end()) && strides_.written(n)) {
      placement_.fix(storage_.home(in));
      return {.kind = Move::kStridedWrite};
    }
    return copy(kOrder);
  }

  /// Broadcast whose axes are read in another order: the repeated one must stay outside.
  static Broadcast turned(Broadcast from, const Sizes& shape,
                          const std::vector<std::size_t>& order) {
    std::size_t outside = shape.size();
    for (std::int64_t inner = 1; outside > 0 && inner < from.inner;) inner *= shape[--outside];
    for (std::size_t i = 0; i < outside; ++i)
      if (order[i] != i) from.copies = 1, from.inner = 0;
    return from;
  }

  /// Updates of a tensor that nobody else reads.
  NodeMove scattered(const analysis::Form& f) {
    const graph::Node& node = f.node();
    const bool tensor = node.op_type == "TensorScatter";
    if (!tensor && node.op_type != "ScatterND" && node.op_type != "ScatterElements") return {};
    if (!node_is_plain(f)) return {};
    const std::size_t updates = tensor ? 1 : 2, indices = tensor ? 2 : 1;
    const auto rows = f.input(updates);
    if (!rows) return {};
    const bool cache = is_cache(node.inputs[0], node.outputs[0]);
    if (!cache && !strides_.only_reader(node.inputs[0], f.node().outputs[0])) return {};
    placement_.fix(storage_.home(node.inputs[0]));
    const auto where = f.input(indices);
    return {.kind = cache ? Move::kAppend : Move::kInPlace,
            .read = product(*rows) + (where ? product(*where) : 0),
            .written = product(*rows)};
  }
  /// False for a reduction, which reads what it updates.
  static bool node_is_plain(const analysis::Form& f) {
    const std::string_view reduction = f.text("reduction", "none");
    return reduction == "none";
  }

  const Resolved& r_;
  const graph::Model& model_;
  const Storage& storage_;
  const Strides strides_;
  Placement placement_;
  std::vector<NodeMove>& moves_;
  std::vector<Broadcast>& broadcasts_;
};

}  // namespace

Moves::Moves(const Resolved& r, const Fusion& fusion)
    : storage_(r, fusion),
      moves_(r.model().nodes().size()),
      broadcasts_(r.model().values().size()) {
  Planner(r, fusion, storage_, moves_, broadcasts_).plan();
}

std::optional<std::int64_t> Moves::behind(ValueId v) const {
  const std::int64_t elements = broadcasts_[storage_.home(v)].elements;
  return elements > 0 ? std::optional(elements) : std::nullopt;
}

std::int64_t Moves::copies_of_matrix(ValueId v, std::int64_t elements) const {
  const Broadcast& b = broadcasts_[storage_.home(v)];
  return b.inner > 0 && elements > 0 && b.inner % elements == 0 ? b.copies : 1;
}

}  // namespace ridge::accelerator
