// SPDX-License-Identifier: Apache-2.0
#include "analysis/bounds/min_work.h"

#include <algorithm>
#include <array>

#include "analysis/bounds/attended_reads.h"
#include "analysis/bounds/partial_reads.h"
#include "analysis/bounds/window_axes.h"
#include "analysis/form.h"
#include "analysis/node_bytes.h"
#include "base/checked.h"
#include "ops/rule.h"

namespace ridge::analysis {
namespace {

__extension__ using Wide = __int128;

bool moves_nothing(const Resolved& r, graph::NodeId node) {
  const NodeCounts& c = r.counts(node);
  return c.bytes_read.is(0) && c.bytes_written.is(0);
}

/// MACs of one execution, by the definition of the operator.
std::optional<std::int64_t> defined_macs(const Resolved& r, graph::NodeId node) {
  const ops::Dim macs = r.counts(node).macs, repeat = r.repeat(node);
  if (!macs.known() || !repeat.known()) return std::nullopt;
  return repeat.is(0) ? 0 : macs.value() / repeat.value();
}

/// Returns macs * part / whole, rounded down.
std::int64_t share(std::int64_t macs, Wide part, Wide whole) {
  return whole == 0 ? 0 : static_cast<std::int64_t>(Wide(macs) * part / whole);
}

/// Scales `macs` by the fraction of (window, tap) pairs that lie inside the tensor, axis by axis.
/// `macs` counts each pair once per channel and image.
std::int64_t inside(const SlidingWindow& window, std::int64_t macs) {
  for (const WindowAxis& a : window.axes)
    macs = share(macs, taps_inside(a), Wide(a.windows) * a.filter);
  return macs;
}

/// Ways in which data or another algorithm can reduce the multiplications of an operator.
enum class Macs : std::uint8_t {
  kMasked,     ///< attention whose mask may exclude pairs of query and key
  kUncertain,  ///< no multiplication is certain to be needed
  kLengths,    ///< no multiplication is certain if sequence lengths are an input
};
struct MinWorkRow {
  std::string_view domain, name;
  Macs macs;
  std::size_t lengths = 0;  ///< index of that input
};
using ops::kMicrosoft;
using enum Macs;
constexpr std::array kMinWorkRows = {
    MinWorkRow{"", "AffineGrid", kUncertain},  // one of the three columns is always 1
    MinWorkRow{"", "DeformConv", kUncertain},  // offsets may point outside
    MinWorkRow{"", "LinearAttention", kUncertain},
    MinWorkRow{"", "CausalConvWithState", kUncertain},
    MinWorkRow{"", "Attention", kMasked},
    MinWorkRow{"ai.onnx.preview", "FlexAttention", kUncertain},
    MinWorkRow{"", "LSTM", kLengths, 4},
    MinWorkRow{"", "GRU", kLengths, 4},
    MinWorkRow{"", "RNN", kLengths, 4},
    MinWorkRow{kMicrosoft, "DynamicQuantizeLSTM", kLengths, 4},
    MinWorkRow{kMicrosoft, "AttnLSTM", kUncertain},
    MinWorkRow{kMicrosoft, "Attention", kMasked},
    MinWorkRow{kMicrosoft, "QAttention", kMasked},
    MinWorkRow{kMicrosoft, "QOrderedAttention", kMasked},
    MinWorkRow{kMicrosoft, "MultiHeadAttention", kMasked},
    MinWorkRow{kMicrosoft, "DecoderMaskedSelfAttention", kUncertain},
    MinWorkRow{kMicrosoft, "DecoderMaskedMultiHeadAttention", kUncertain},
    MinWorkRow{kMicrosoft, "DecoderAttention", kUncertain},
    MinWorkRow{kMicrosoft, "GroupQueryAttention", kUncertain},
    MinWorkRow{kMicrosoft, "SparseAttention", kUncertain},
    MinWorkRow{kMicrosoft, "PagedAttention", kUncertain},
    MinWorkRow{kMicrosoft, "PackedAttention", kUncertain},
    MinWorkRow{kMicrosoft, "PackedMultiHeadAttention", kUncertain},
    MinWorkRow{kMicrosoft, "ConvTransposeWithDynamicPads", kUncertain},
    MinWorkRow{kMicrosoft, "CausalConvWithState", kUncertain},
    MinWorkRow{kMicrosoft, "VarlenCausalConvWithState", kUncertain},
    MinWorkRow{kMicrosoft, "LinearAttention", kUncertain},
    MinWorkRow{kMicrosoft, "GatedDeltaNet", kUncertain},
    MinWorkRow{kMicrosoft, "MoE", kUncertain},
    MinWorkRow{kMicrosoft, "QMoE", kUncertain},
    MinWorkRow{kMicrosoft, "SparseToDenseMatMul", kUncertain},
};

const MinWorkRow* min_work_row(const graph::Node& node) {
  const auto at = std::ranges::find_if(kMinWorkRows, [&](const MinWorkRow& r) {
    return r.name == node.op_type && r.domain == node.domain;
  });
  return at == kMinWorkRows.end() ? nullptr : &*at;
}

/// True if the node specifies no mask: each query attends to every key.
bool unmasked(const Form& f) {
  const bool own = f.node().domain == kMicrosoft;
  const std::size_t mask = !own                                       ? 3
                           : f.node().op_type == "QAttention"         ? 5
                           : f.node().op_type == "QOrderedAttention"  ? 15
                           : f.node().op_type == "MultiHeadAttention" ? 4
                                                                      : 3;
  const bool lengths = !own && f.has_input(6);
  return f.integer(own ? "unidirectional" : "is_causal", 0) == 0 && !f.has_input(mask) && !lengths;
}

}  // namespace

std::optional<Touch> min_read(const Resolved& r, graph::NodeId node, graph::ValueId value,
                              TakePart positions) {
  if (moves_nothing(r, node)) return Touch{};
  const auto inputs = r.model().inputs(node);
  std::optional<Touch> most;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] != value) continue;
    const auto attended = positions == TakePart::kAll ? attended_read(r, node, i) : std::nullopt;
    const auto part = attended ? attended : partial_read(r, node, i);
    if (!part) return std::nullopt;
    if (!most) most = Touch{};
    most->bytes = std::max(most->bytes, part->bytes);
    most->line_bytes = std::max(most->line_bytes, part->line_bytes);
  }
  return most;
}

std::optional<Touch> min_written(const Resolved& r, graph::NodeId node, graph::ValueId value) {
  const bool read = r.model().value(value).graph_output || !r.model().consumers(value).empty();
  if (!read || moves_nothing(r, node) || written_in_place(r, node, value)) return Touch{};
  const auto bytes = value_bytes(r, value);
  return bytes ? std::optional(all_of(*bytes)) : std::nullopt;
}

std::optional<std::int64_t> min_macs(const Resolved& r, graph::NodeId node) {
  const auto macs = defined_macs(r, node);
  if (!macs || *macs == 0) return macs;
  const Form f(r, node);
  if (const MinWorkRow* row = min_work_row(f.node())) {
    const bool counted = (row->macs == kMasked && unmasked(f)) ||
                         (row->macs == kLengths && !f.has_input(row->lengths));
    return counted ? *macs : 0;
  }
  // The order of multiplying three factors, and so the number of products, is up to the runtime.
  if (f.node().op_type == "Einsum" && f.node().inputs.size() > 2) return 0;
  const auto window = window_axes(r, node);
  return window ? inside(*window, *macs) : *macs;
}

}  // namespace ridge::analysis
