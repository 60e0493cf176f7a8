// SPDX-License-Identifier: Apache-2.0
#include "analysis/node_bytes.h"

#include <algorithm>

#include "analysis/bounds/window_rows.h"
#include "base/checked.h"

namespace ridge::analysis {

std::int64_t proportion(std::int64_t part, std::int64_t of, std::int64_t whole) {
  __extension__ using Wide = __int128;
  return whole == 0 ? 0 : static_cast<std::int64_t>(Wide(part) * of / whole);
}

std::optional<std::int64_t> value_bytes(const Resolved& r, graph::ValueId v) {
  const ops::Type& type = r.type(v);
  if (type.container != ops::Container::kTensor || !type.shape.ranked()) return std::nullopt;
  std::optional<std::int64_t> elements = 1;
  for (const ops::Dim& d : type.shape.span()) {
    if (!d.known() || d.value() < 0 || !elements) return std::nullopt;
    elements = checked_mul(*elements, d.value());
  }
  return elements ? onnx::storage_bytes(type.dtype, *elements) : std::nullopt;
}

bool NodeBytes::known(graph::NodeId n) const {
  const NodeCounts& c = r_.counts(n);
  return c.bytes_read.known() && c.bytes_written.known();
}

bool NodeBytes::moves(graph::NodeId n) const {
  const NodeCounts& c = r_.counts(n);
  return !c.bytes_read.is(0) || !c.bytes_written.is(0);
}

/// Converts a node's total over all executions to one execution.
std::optional<std::int64_t> NodeBytes::once(ops::Dim figure, graph::NodeId n) const {
  const ops::Dim repeat = r_.repeat(n);
  if (!figure.known() || !repeat.known() || repeat.is(0)) return std::nullopt;
  return figure.value() / repeat.value();
}

std::span<const NodeRead> NodeBytes::reads(graph::NodeId n) {
  reads_.clear();
  if (!moves(n)) return {};
  const graph::Node& node = r_.model().node(n);
  std::int64_t whole = 0;
  seen_.resize(r_.model().values().size());
  ++visits_;
  for (const graph::ValueId v : node.inputs) {
    if (v == graph::kNone || seen_[v] == visits_) continue;
    seen_[v] = visits_;
    const auto bytes = value_bytes(r_, v);
    if (!bytes) continue;
    const PartRead* part = r_.part_read(n, v);
    const bool partly = part != nullptr && part->bytes.known();
    const std::int64_t touched = partly ? std::min(*bytes, part->bytes.value()) : *bytes;
    reads_.push_back({.value = v, .size = *bytes, .touched = touched});
    whole = checked_add(whole, touched).value_or(INT64_MAX);
  }
  const std::optional<std::int64_t> read = once(r_.counts(n).bytes_read, n);
  if (reads_.empty() || !read) return reads_;
  if (*read < whole) {
    leave_out(whole - *read);
  } else if (*read > whole) {  // rows that are gathered more than once
    NodeRead& first = reads_.front();
    first.again_at_most = *read - whole;
    first.again = first.again_at_most -
                  proportion(std::min(cache_, first.size), first.again_at_most, first.size);
  }
  slide_window(n);
  return reads_;
}

void NodeBytes::leave_out(std::int64_t bytes) {
  if (reads_.front().size >= bytes) {
    reads_.front().touched -= bytes;
    return;
  }
  std::vector<NodeRead*> largest;
  for (NodeRead& read : reads_) largest.push_back(&read);
  std::sort(largest.begin(), largest.end(),
            [](const NodeRead* a, const NodeRead* b) { return a->touched > b->touched; });
  for (NodeRead* read : largest) {
    const std::int64_t cut = std::min(bytes, read->touched);
    read->touched -= cut;
    bytes -= cut;
  }
}

void NodeBytes::slide_window(graph::NodeId node) {
  const std::optional<WindowInput> window = window_input(r_, node);
  if (!window || reads_.front().value != r_.model().inputs(node)[0]) return;
  const auto bytes = [&](std::int64_t band) {
    const auto rows = rows_read(window->rows, band);
    const auto image = rows ? checked_mul(*rows, window->row_bytes) : std::nullopt;
    return image ? checked_mul(*image, window->images).value_or(INT64_MAX) : INT64_MAX;
  };
  NodeRead& input = reads_.front();
  input.touched = std::min(input.size, bytes(window->rows.outputs));
  input.again = bytes(largest_band(window->rows, window->row_bytes, cache_)) - input.touched;
  input.again_at_most = bytes(1) - input.touched;
}

std::span<const NodeWrite> NodeBytes::writes(graph::NodeId n) {
  writes_.clear();
  if (!moves(n)) return {};
  std::int64_t whole = 0;
  for (const graph::ValueId v : r_.model().node(n).outputs) {
    const auto bytes = v == graph::kNone ? std::nullopt : value_bytes(r_, v);
    if (!bytes) continue;
    writes_.push_back({v, *bytes, *bytes});
    whole = checked_add(whole, *bytes).value_or(INT64_MAX);
  }
  const std::optional<std::int64_t> written = once(r_.counts(n).bytes_written, n);
  std::int64_t less = written ? std::max<std::int64_t>(0, whole - *written) : 0;
  for (NodeWrite& at : writes_) {
    const std::int64_t cut = std::min(less, at.bytes);
    at.bytes -= cut;
    less -= cut;
  }
  return writes_;
}

}  // namespace ridge::analysis
