#include "analysis/bounds/least_work.h"

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
struct LeastWorkRow {
  std::string_view domain, name;
  Macs macs;
  std::size_t lengths = 0;  ///< index of that input
};
using ops::kMicrosoft;
using enum Macs;
constexpr std::array kLeastWorkRows = {
    LeastWorkRow{"", "AffineGrid", kUncertain},  // one of the three columns is always 1
    LeastWorkRow{"", "DeformConv", kUncertain},  // offsets may point outside
    LeastWorkRow{"", "LinearAttention", kUncertain},
    LeastWorkRow{"", "CausalConvWithState", kUncertain},
    LeastWorkRow{"", "Attention", kMasked},
    LeastWorkRow{"ai.onnx.preview", "FlexAttention", kUncertain},
    LeastWorkRow{"", "LSTM", kLengths, 4},
    LeastWorkRow{"", "GRU", kLengths, 4},
    LeastWorkRow{"", "RNN", kLengths, 4},
    LeastWorkRow{kMicrosoft, "DynamicQuantizeLSTM", kLengths, 4},
    LeastWorkRow{kMicrosoft, "AttnLSTM", kUncertain},
    LeastWorkRow{kMicrosoft, "Attention", kMasked},
    LeastWorkRow{kMicrosoft, "QAttention", kMasked},
    LeastWorkRow{kMicrosoft, "QOrderedAttention", kMasked},
    LeastWorkRow{kMicrosoft, "MultiHeadAttention", kMasked},
    LeastWorkRow{kMicrosoft, "DecoderMaskedSelfAttention", kUncertain},
    LeastWorkRow{kMicrosoft, "DecoderMaskedMultiHeadAttention", kUncertain},
    LeastWorkRow{kMicrosoft, "DecoderAttention", kUncertain},
    LeastWorkRow{kMicrosoft, "GroupQueryAttention", kUncertain},
    LeastWorkRow{kMicrosoft, "SparseAttention", kUncertain},
    LeastWorkRow{kMicrosoft, "PagedAttention", kUncertain},
    LeastWorkRow{kMicrosoft, "PackedAttention", kUncertain},
    LeastWorkRow{kMicrosoft, "PackedMultiHeadAttention", kUncertain},
    LeastWorkRow{kMicrosoft, "ConvTransposeWithDynamicPads", kUncertain},
    LeastWorkRow{kMicrosoft, "CausalConvWithState", kUncertain},
    LeastWorkRow{kMicrosoft, "VarlenCausalConvWithState", kUncertain},
    LeastWorkRow{kMicrosoft, "LinearAttention", kUncertain},
    LeastWorkRow{kMicrosoft, "GatedDeltaNet", kUncertain},
    LeastWorkRow{kMicrosoft, "MoE", kUncertain},
    LeastWorkRow{kMicrosoft, "QMoE", kUncertain},
    LeastWorkRow{kMicrosoft, "SparseToDenseMatMul", kUncertain},
};

const LeastWorkRow* least_work_row(const graph::Node& node) {
  const auto at = std::ranges::find_if(kLeastWorkRows, [&](const LeastWorkRow& r) {
    return r.name == node.op_type && r.domain == node.domain;
  });
  return at == kLeastWorkRows.end() ? nullptr : &*at;
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

std::optional<Touch> least_read(const Resolved& r, graph::NodeId node, graph::ValueId value,
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

std::optional<Touch> least_written(const Resolved& r, graph::NodeId node, graph::ValueId value) {
  const bool read = r.model().value(value).graph_output || !r.model().consumers(value).empty();
  if (!read || moves_nothing(r, node) || written_in_place(r, node, value)) return Touch{};
  const auto bytes = value_bytes(r, value);
  return bytes ? std::optional(all_of(*bytes)) : std::nullopt;
}

std::optional<std::int64_t> least_macs(const Resolved& r, graph::NodeId node) {
  const auto macs = defined_macs(r, node);
  if (!macs || *macs == 0) return macs;
  const Form f(r, node);
  if (const LeastWorkRow* row = least_work_row(f.node())) {
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
