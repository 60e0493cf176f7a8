// SPDX-License-Identifier: Apache-2.0
#include "analysis/bounds/partial_reads.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/bounds/resized_axis.h"
#include "analysis/bounds/window_axes.h"
#include "analysis/form.h"
#include "analysis/node_bytes.h"
#include "ops/math/einsum_equation.h"
#include "ops/rule.h"

namespace ridge::analysis {
namespace {

using FormSizes = Form::Sizes;
using Axes = std::vector<TouchedAxis>;

Axes whole(const FormSizes& sizes) {
  Axes out;
  for (const std::int64_t size : sizes) out.push_back({size});
  return out;
}

/// Resolves axis `given` of a tensor of rank `rank`; negative axes count from the end.
std::optional<std::size_t> axis_at(std::int64_t given, std::size_t rank) {
  const std::int64_t at = given < 0 ? given + static_cast<std::int64_t>(rank) : given;
  if (at < 0 || at >= static_cast<std::int64_t>(rank)) return std::nullopt;
  return static_cast<std::size_t>(at);
}

/// Lower bound for input `i` when only `axes` are accessed, for any memory layout.
std::optional<Touch> touched(const Form& f, std::size_t i, const Axes& axes,
                             std::size_t channels = 1) {
  return touch(f.dtype(i), axes, channels);
}

std::optional<Touch> of_window(const Form& f, const SlidingWindow& w, std::size_t i) {
  const auto sizes = f.input(i);
  if (!sizes) return std::nullopt;
  Axes axes = whole(*sizes);
  if (w.weight > 0 && i == w.weight) {
    // Weights are packed when the model is loaded, so only their elements count, not their lines.
    for (std::size_t a = 0; a < w.axes.size(); ++a) axes[2 + a].runs = taps_used(w.axes[a]);
    auto t = touched(f, i, axes);
    if (t) t->line_bytes = t->bytes;
    return t;
  }
  for (std::size_t a = 0; a < w.axes.size(); ++a)
    axes[w.first + a].runs = w.transposed ? windows_used(w.axes[a]) : positions_read(w.axes[a]);
  return touched(f, i, axes, w.channels);
}

/// Step of a Slice along each axis; nullopt if steps or axes are computed at run time.
std::optional<FormSizes> slice_steps(const Form& f, std::size_t rank) {
  FormSizes out(rank, 1);
  if (!f.has_input(4)) return out;  // also for opsets with attribute lists, which have no steps
  const auto steps = f.integers(4), axes = f.integers(3);
  if (!steps || (f.has_input(3) && !axes)) return std::nullopt;
  for (std::size_t k = 0; k < steps->size(); ++k) {
    const auto axis =
        axis_at(axes && k < axes->size() ? (*axes)[k] : static_cast<std::int64_t>(k), rank);
    if (axis) out[*axis] = (*steps)[k] == INT64_MIN ? INT64_MAX : std::abs((*steps)[k]);
  }
  return out;
}

std::optional<Touch> of_slice(const Form& f) {
  const auto data = f.input(0), out = f.output(0);
  if (!data || !out || out->size() != data->size()) return std::nullopt;
  // Unknown steps: assume neighbors, which occupy the fewest lines.
  const FormSizes steps = slice_steps(f, data->size()).value_or(FormSizes(data->size(), 1));
  Axes axes = whole(*data);
  for (std::size_t a = 0; a < axes.size(); ++a)
    if ((*out)[a] < (*data)[a])
      axes[a].runs = progression(0, (*out)[a] > 1 ? steps[a] : 1, (*out)[a]);
  return touched(f, 0, axes);
}

/// Cropping (Pad with negative amounts, CenterCropPad) reads contiguous positions.
std::optional<Touch> of_crop(const Form& f) {
  const auto data = f.input(0), out = f.output(0);
  if (!data || !out || out->size() != data->size()) return std::nullopt;
  Axes axes = whole(*data);
  const auto pads = f.node().op_type != "Pad" ? std::nullopt
                    : f.has_input(1)          ? f.integers(1)
                                              : std::optional(FormSizes());
  const auto pad = [&](std::size_t k) {
    if (f.has_input(1)) return pads && k < pads->size() ? (*pads)[k] : 0;
    return f.listed("pads", k, 0);
  };
  const bool listed = f.node().op_type == "Pad" && !f.has_input(3);
  if (f.node().op_type == "Pad" && (!listed || (f.has_input(1) && !pads))) return Touch{};
  for (std::size_t a = 0; a < axes.size(); ++a) {
    std::int64_t kept = std::min((*data)[a], (*out)[a]);
    if (listed)
      kept = (*data)[a] + std::min<std::int64_t>(0, pad(a)) +
             std::min<std::int64_t>(0, pad(a + axes.size()));
    if (kept < (*data)[a]) axes[a].runs = progression(0, 1, std::max<std::int64_t>(0, kept));
  }
  return touched(f, 0, axes);
}

/// Gather reads the rows that constant indices name; otherwise only one row is certain.
std::optional<Touch> of_gather(const Form& f) {
  const auto data = f.input(0), out = f.output(0);
  if (!data || !out) return std::nullopt;
  const auto axis = axis_at(f.integer("axis", 0), data->size());
  if (!axis || std::ranges::find(*out, 0) != out->end()) return Touch{};
  Axes axes = whole(*data);
  const auto indices = f.integers(1);
  if (!indices) {
    axes[*axis].runs = progression(0, 1, 1);
  } else {
    FormSizes rows;
    for (const std::int64_t i : *indices) rows.push_back(i < 0 ? i + (*data)[*axis] : i);
    axes[*axis].runs = runs_of(std::move(rows));
  }
  return touched(f, 0, axes);
}

std::optional<Touch> of_resize(const Form& f) {
  const auto data = f.input(0);
  if (!data) return std::nullopt;
  Axes axes = whole(*data);
  for (std::size_t a = 0; a < axes.size(); ++a) {
    const auto read = resized_positions(f, a);
    if (!read) return Touch{};
    axes[a].runs = *read;
  }
  return touched(f, 0, axes);
}

/// Only the parts that have a reader.
std::optional<Touch> of_split(const Resolved& r, const Form& f) {
  std::int64_t bytes = 0;
  for (const graph::ValueId v : f.node().outputs) {
    if (v == graph::kNone || (r.model().consumers(v).empty() && !r.model().value(v).graph_output))
      continue;
    const auto part = value_bytes(r, v);
    if (!part) return std::nullopt;
    bytes += *part;
  }
  return all_of(bytes);
}

/// Inputs whose accessed part depends on the data, possibly nothing: a bit per input.
struct DataDecides {
  std::string_view domain, name;
  std::uint32_t inputs;
  /// Output 0 may be input 0, updated in place; for attention caches, every output but the first.
  bool in_place = false;
};
constexpr std::uint32_t kAll = ~std::uint32_t{0};
constexpr std::uint32_t kFirst = 1, kSecond = 2, kThird = 4;
using ops::kMicrosoft;
constexpr std::array kDataDecides = {
    DataDecides{"", "Attention", kAll & ~kFirst, true},
    DataDecides{"", "CastLike", kSecond},
    DataDecides{"", "Col2Im", kFirst},
    DataDecides{"", "Compress", kFirst},
    DataDecides{"", "DFT", kFirst},
    DataDecides{"", "DeformConv", kAll},
    DataDecides{"", "EyeLike", kFirst},
    DataDecides{"", "GatherElements", kFirst},
    DataDecides{"", "GatherND", kFirst},
    DataDecides{"", "GridSample", kFirst},
    DataDecides{"", "MaxRoiPool", kFirst},
    DataDecides{"", "NonMaxSuppression", kFirst},
    DataDecides{"", "RandomNormalLike", kFirst},
    DataDecides{"", "RandomUniformLike", kFirst},
    DataDecides{"", "RoiAlign", kFirst},
    DataDecides{"", "RotaryEmbedding", kSecond | kThird},
    DataDecides{"", "STFT", kFirst},
    DataDecides{"", "Scatter", kFirst, true},
    DataDecides{"", "ScatterElements", kFirst, true},
    DataDecides{"", "ScatterND", kFirst, true},
    DataDecides{"", "TensorScatter", kFirst, true},
    DataDecides{"", "Trilu", kFirst},
    DataDecides{"", "Where", kSecond | kThird},
    DataDecides{kMicrosoft, "CropAndResize", kFirst},
    DataDecides{kMicrosoft, "EmbedLayerNormalization", kAll & ~(kFirst | kSecond)},
    DataDecides{kMicrosoft, "GatherBlockQuantized", kAll & ~kSecond},
    DataDecides{kMicrosoft, "GatherND", kFirst},
    DataDecides{kMicrosoft, "GridSample", kFirst},
    DataDecides{kMicrosoft, "TorchEmbedding", kFirst},
    DataDecides{kMicrosoft, "UnfoldTensor", kFirst},
};
/// Operators of com.microsoft with attention, experts or state, whose reads depend on the data; of
/// experts the reads of one token are certain.
constexpr std::array kOpaque = {
    std::string_view("Attention"),
    std::string_view("AttnLSTM"),
    std::string_view("CausalConvWithState"),
    std::string_view("ConvTransposeWithDynamicPads"),
    std::string_view("DecoderAttention"),
    std::string_view("DecoderMaskedMultiHeadAttention"),
    std::string_view("DecoderMaskedSelfAttention"),
    std::string_view("DynamicQuantizeLSTM"),
    std::string_view("GatedDeltaNet"),
    std::string_view("GemmaRotaryEmbedding"),
    std::string_view("GroupQueryAttention"),
    std::string_view("LinearAttention"),
    std::string_view("MoE"),
    std::string_view("MultiHeadAttention"),
    std::string_view("PackedAttention"),
    std::string_view("PackedMultiHeadAttention"),
    std::string_view("PagedAttention"),
    std::string_view("QAttention"),
    std::string_view("QMoE"),
    std::string_view("RotaryEmbedding"),
    std::string_view("SparseAttention"),
    std::string_view("VarlenCausalConvWithState"),
};

/// The experts that one token chooses: every token passes through that many different ones. Nothing
/// of other inputs is certain.
std::optional<Touch> of_experts(const Resolved& r, graph::NodeId node, graph::ValueId value) {
  const PartRead* read = r.part_read(node, value);
  const auto bytes = value_bytes(r, value);
  const auto out = value_bytes(r, r.model().outputs(node)[0]);
  if (read == nullptr || !read->part.per_token.known() || !bytes || out.value_or(0) == 0)
    return Touch{};
  const ops::Dim of = read->part.of;
  if (!of.known() || of.value() < 1) return Touch{};
  return all_of(proportion(read->part.per_token.value(), *bytes, of.value()));
}

bool opaque(const graph::Node& node) {
  if (node.domain == ops::kMl || node.domain == "ai.onnx.preview") return true;
  if (node.domain.empty())
    return node.op_type == "LinearAttention" || node.op_type == "CausalConvWithState";
  return node.domain == kMicrosoft && std::ranges::find(kOpaque, node.op_type) != kOpaque.end();
}

const DataDecides* data_decides(const graph::Node& node) {
  const auto at = std::ranges::find_if(kDataDecides, [&](const DataDecides& d) {
    return d.name == node.op_type && d.domain == node.domain;
  });
  return at == kDataDecides.end() ? nullptr : &*at;
}

/// True if a label occurs twice for one input: only its diagonal is read.
bool diagonal(const Form& f, std::size_t i) {
  const ops::EinsumEquation equation = ops::split_equation(f.text("equation"));
  if (i >= equation.inputs.size()) return true;
  std::string labels = equation.inputs[i];
  std::erase(labels, '.');
  std::ranges::sort(labels);
  return std::ranges::adjacent_find(labels) != labels.end();
}

}  // namespace

std::optional<Touch> partial_read(const Resolved& r, graph::NodeId node, std::size_t i) {
  const Form f(r, node);
  const std::string_view op = f.node().op_type;
  const bool standard = f.node().domain.empty();
  if (opaque(f.node())) return of_experts(r, node, f.node().inputs[i]);
  if (const DataDecides* row = data_decides(f.node()); row && i < 32 && (row->inputs >> i & 1) != 0)
    return Touch{};
  if (i == 0 || i == 3 || i == 1)
    if (const auto window = window_axes(r, node); window && (i == 0 || i == window->weight))
      return of_window(f, *window, i);
  if (standard && i == 0) {
    if (op == "Slice") return of_slice(f);
    if (op == "Gather") return of_gather(f);
    if (op == "Split") return of_split(r, f);
    if (op == "Resize" || op == "Upsample") return of_resize(f);
    if (op == "Pad" || op == "CenterCropPad") return of_crop(f);
  }
  // Sequence lengths may skip steps.
  if (standard && i == 0 && f.has_input(4) && (op == "LSTM" || op == "GRU" || op == "RNN"))
    return Touch{};
  if (standard && op == "Einsum" && diagonal(f, i)) return Touch{};
  if (standard && op == "Gemm" && i == 2 && f.real("beta", 1) == 0) return Touch{};
  const auto bytes = value_bytes(r, f.node().inputs[i]);
  return bytes ? std::optional(all_of(*bytes)) : std::nullopt;
}

bool written_in_place(const Resolved& r, graph::NodeId node, graph::ValueId output) {
  const graph::Node& n = r.model().node(node);
  const bool first = !n.outputs.empty() && n.outputs[0] == output;
  if (opaque(n)) return !first;
  const DataDecides* row = data_decides(n);
  if (row == nullptr || !row->in_place) return false;
  return n.op_type == "Attention" ? !first : first;
}

}  // namespace ridge::analysis
