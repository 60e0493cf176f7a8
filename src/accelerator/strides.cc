// SPDX-License-Identifier: Apache-2.0
#include "accelerator/strides.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>

#include "accelerator/products.h"

namespace ridge::accelerator {
namespace {

using graph::kNone;
using graph::NodeId;
using graph::ValueId;

/// Operators whose operands are matrices with their batch in front. Sorted.
constexpr std::array<std::string_view, 5> kMatrixProducts = {"FusedMatMul", "Gemm", "MatMul",
                                                             "MatMulInteger", "QLinearMatMul"};
constexpr std::array<std::string_view, 5> kMoves = {"Expand", "Gather", "Slice", "Split",
                                                    "Transpose"};

bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
  return std::binary_search(names.begin(), names.end(), name);
}

/// True if a reshape only merges axes and splits them evenly, so that each of its axes is made of
/// parts of axes.
/// Example: [6, 4] to [2, 12] splits 6 into 2 x 3 and merges 3 x 4; [6, 4] to [8, 3] does not.
bool regroups(const Sizes& from, const Sizes& to) {
  const auto ends = [](const Sizes& shape) {
    Sizes out;
    std::int64_t all = 1;
    for (const std::int64_t size : shape) out.push_back(all = times({all, size}));
    return out;
  };
  const auto splits = [](const Sizes& axes, const Sizes& at) {
    std::int64_t begin = 1;
    for (const std::int64_t end : axes) {
      for (const std::int64_t border : at)
        if (border > begin && border < end && (border % begin != 0 || end % border != 0))
          return false;
      begin = end;
    }
    return true;
  };
  const Sizes a = ends(from), b = ends(to);
  return product(from) == product(to) && product(from) > 0 && splits(a, b) && splits(b, a);
}

std::optional<Part> split_part(const Form& f, std::size_t i, Part part) {
  const auto axis = axis_of(f.integer("axis", 0), part.size.size());
  const auto out = f.output(i);
  if (!axis || !out || out->size() != part.size.size()) return std::nullopt;
  for (std::size_t before = 0; before < i && !part.start.empty(); ++before) {
    const auto size = f.output(before);
    if (size)
      part.start[*axis] += (*size)[*axis];
    else
      part.start.clear();  // an output without a name: its size is not known here
  }
  part.size[*axis] = (*out)[*axis];
  return part;
}

std::optional<Part> gathered_part(const Form& f, Part part) {
  const auto axis = axis_of(f.integer("axis", 0), part.size.size());
  const auto indices = f.integers(1);
  if (!axis || !indices || indices->size() != 1) return std::nullopt;
  const std::int64_t at = (*indices)[0];
  part.start[*axis] = at < 0 ? at + part.size[*axis] : at;
  part.size[*axis] = 1;
  return part;
}

/// A list that is input `i` of a node, or the attribute `name` in old versions.
std::optional<Sizes> listed(const Form& f, std::size_t i, std::string_view name) {
  if (f.has_input(i)) return f.integers(i);
  Sizes out;
  for (std::int64_t k = 0; k < f.length(name); ++k)
    out.push_back(f.listed(name, static_cast<std::size_t>(k), 0));
  return out;
}

std::optional<Part> sliced_part(const Form& f, Part part) {
  const auto out = f.output(0);
  if (!out || out->size() != part.size.size()) return std::nullopt;
  const Sizes whole = part.size;
  part.size = *out;
  const auto starts = listed(f, 1, "starts"), axes = listed(f, 3, "axes"),
             steps = f.has_input(4) ? f.integers(4) : std::optional(Sizes());
  part.dense = steps.has_value();
  if (!starts || !axes || !steps) {
    part.start.clear();
    return part;
  }
  for (std::size_t i = 0; i < starts->size(); ++i) {
    const auto axis =
        axis_of(i < axes->size() ? (*axes)[i] : static_cast<std::int64_t>(i), whole.size());
    if (!axis) return std::nullopt;
    if (i < steps->size() && (*steps)[i] != 1 && (*out)[*axis] > 1) part.dense = false;
    const std::int64_t at = (*starts)[i], size = whole[*axis];
    part.start[*axis] = std::clamp<std::int64_t>(at < 0 ? at + size : at, 0, size);
  }
  return part;
}

}  // namespace

std::optional<std::size_t> axis_of(std::int64_t axis, std::size_t rank) {
  const auto size = static_cast<std::int64_t>(rank);
  if (axis < -size || axis >= size) return std::nullopt;
  return static_cast<std::size_t>(axis < 0 ? axis + size : axis);
}

std::optional<std::vector<std::size_t>> permutation(const Form& f, std::size_t rank) {
  std::vector<std::size_t> out;
  const bool given = f.length("perm") > 0;
  for (std::size_t i = 0; i < rank; ++i) {
    const auto reversed = static_cast<std::int64_t>(rank - 1 - i);
    const auto axis = axis_of(given ? f.listed("perm", i, -1) : reversed, rank);
    if (!axis || std::find(out.begin(), out.end(), *axis) != out.end()) return std::nullopt;
    out.push_back(*axis);
  }
  return out;
}

bool Part::contiguous(const Sizes& whole) const {
  if (!dense) return false;
  std::size_t axis = 0;
  while (axis < size.size() && size[axis] == 1) ++axis;
  for (++axis; axis < size.size(); ++axis)
    if (size[axis] != whole[axis]) return false;
  return true;
}

std::int64_t Part::offset(const Sizes& whole) const {
  if (start.empty() && !whole.empty()) return -1;
  std::int64_t out = 0;
  for (std::size_t axis = 0; axis < whole.size(); ++axis) out = out * whole[axis] + start[axis];
  return out;
}

std::optional<Part> part_of(const Form& f, std::size_t i) {
  const auto whole = f.input(0);
  if (!whole) return std::nullopt;
  const Part all{Sizes(whole->size(), 0), *whole};
  const std::string_view op = f.node().op_type;
  return op == "Split"    ? split_part(f, i, all)
         : op == "Gather" ? gathered_part(f, all)
         : op == "Slice"  ? sliced_part(f, all)
                          : std::nullopt;
}

Strides::Strides(const analysis::Resolved& r, const analysis::Fusion& fusion,
                 const analysis::Storage& storage)
    : r_(r),
      fusion_(fusion),
      storage_(storage),
      members_(r.model().nodes().size()),
      multiplies_(r.model().nodes().size()),
      read_(r.model().values().size()) {
  const graph::Model& model = r.model();
  for (NodeId n = 0; n < model.nodes().size(); ++n) {
    ++members_[fusion.runs_with[n]];
    if (!r.counts(n).macs.is(0)) multiplies_[fusion.runs_with[n]] = true;
  }
  for (const graph::Graph& g : model.graphs())
    for (auto n = g.order.rbegin(); n != g.order.rend(); ++n)
      for (const ValueId v : model.node(*n).outputs) {
        if (v == kNone || model.value(v).graph_output || r.constant(v)) continue;
        const auto readers = model.consumers(v);
        read_[v] = !readers.empty() && std::all_of(readers.begin(), readers.end(), [&](NodeId by) {
          return model.node(by).graph == model.value(v).graph && reads_by_strides(by, v);
        });
      }
}

bool Strides::reshapes(NodeId n) const {
  const graph::Node node = r_.model().node(n);
  if (node.inputs.empty() || node.outputs.empty() || node.inputs[0] == kNone ||
      node.outputs[0] == kNone || !node.bodies.empty())
    return false;
  const analysis::NodeCounts& c = r_.counts(n);
  if (!c.bytes_read.is(0) || !c.bytes_written.is(0)) return false;
  const Form f(r_, n);
  const auto from = f.input(0), to = f.output(0);
  return from && to && regroups(*from, *to);
}

bool Strides::reads_by_strides(NodeId reader, ValueId v) const {
  const graph::Node node = r_.model().node(reader);
  if (is_one_of(node.op_type, kMatrixProducts) && !r_.counts(reader).macs.is(0)) {
    const Factors factors = factors_of(node.domain, node.op_type);
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
      if (node.inputs[i] == v && i != factors.ifmap && i != factors.filter) return false;
    return true;
  }
  if (node.inputs.empty() || node.inputs[0] != v) return false;
  const bool moves = node.domain.empty() && is_one_of(node.op_type, kMoves) && alone(reader);
  if (!moves && !reshapes(reader)) return false;
  const auto outputs = node.outputs;
  if (node.op_type == "Transpose") {
    const Form f(r_, reader);
    const auto shape = f.input(0);
    const auto order = shape ? permutation(f, shape->size()) : std::nullopt;
    if (!order || !keeps_runs(*shape, *order)) return false;
  }
  return std::all_of(outputs.begin(), outputs.end(),
                     [&](ValueId out) { return out == kNone || read_[out]; });
}

bool Strides::keeps_runs(const Sizes& shape, const std::vector<std::size_t>& order) {
  std::size_t innermost = shape.size();
  while (innermost > 0 && shape[innermost - 1] == 1) --innermost;
  if (innermost == 0) return true;
  const auto at = std::find(order.begin(), order.end(), innermost - 1);
  return order.end() - at <= 2;
}

bool Strides::only_reader(ValueId v, ValueId out) const {
  const ValueId home = storage_.home(v);
  const graph::NodeId made = r_.model().value(home).producer;
  if (made == kNone || r_.constant(home)) return false;
  // Views from the home to `v`: each has one reader.
  for (ValueId at = v;; at = r_.model().node(r_.model().value(at).producer).inputs[0]) {
    const graph::Value& value = r_.model().value(at);
    if (value.graph_output || r_.model().consumers(at).size() != 1) return false;
    if (at == home) break;
    if (value.producer == kNone || r_.model().node(value.producer).inputs.empty()) return false;
  }
  return r_.model().consumers(v)[0] == r_.model().value(out).producer;
}

bool Strides::written(NodeId n) const {
  const graph::Node node = r_.model().node(n);
  const ValueId v = node.inputs[0], home = storage_.home(v);
  if (!only_reader(v, node.outputs[0])) return false;
  for (ValueId at = v; at != home;) {
    const NodeId view = r_.model().value(at).producer;
    if (!reshapes(view)) return false;
    at = r_.model().node(view).inputs[0];
  }
  const NodeId made = r_.model().value(home).producer;
  return r_.model().node(made).graph == node.graph && multiplies_[fusion_.runs_with[made]] &&
         fusion_.runs_with[made] == made;
}

}  // namespace ridge::accelerator
