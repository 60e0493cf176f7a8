// SPDX-License-Identifier: Apache-2.0
// Operators of com.microsoft that prepare, select or compare data around a network, and precompiled
// parts of a model.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ops/nn/image.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

// Shape `x` with its last `gone` axes replaced by `last`.
Shape ending(Context& c, const Shape& x, std::size_t gone, std::initializer_list<Dim> last) {
  if (!x.ranked() || x.span().size() < gone) return {};
  const std::size_t kept = x.span().size() - gone;
  const auto out = new_dims(c, kept + last.size());
  std::copy(x.span().begin(), x.span().begin() + static_cast<std::ptrdiff_t>(kept), out.begin());
  std::copy(last.begin(), last.end(), out.begin() + static_cast<std::ptrdiff_t>(kept));
  return shape_of(out);
}

Result<void> require_axes(Context& c, std::int32_t least) {
  TRY(require_inputs(c, 1));
  const Shape& x = c.input(0).shape;
  if (!x.ranked() || x.rank >= least) return {};
  return c.fail(Fault::kRank,
                fmt::format("input 0 has shape {}, it needs at least {} axes", text(c, x), least));
}

Result<void> infer_inverse(Context& c) {
  TRY(require_axes(c, 2));
  const auto x = c.input(0).shape.span();
  if (!x.empty()) TRY(require_same(c, x[x.size() - 1], x[x.size() - 2], "rows and columns"));
  return infer_same(c);
}
// In-place inversion: for each pivot, a division, scaling of its row, and updates of all other rows
// and of its column.
Work work_inverse(Context& c) {
  const auto x = c.input(0).shape.span();
  if (x.size() < 2) return {.flops = Dim(), .special = Dim()};
  DimPool& p = c.dims();
  const Dim n = x.back(), all = in(c, 0), matrices = p.product(x.first(x.size() - 2));
  return {.flops = p.mul(p.mul(all, p.sub(n, Dim(1))), Dim(2)), .special = p.mul(matrices, n)};
}

Result<void> infer_rfft(Context& c) {
  TRY(require_axes(c, 1));
  const auto x = c.input(0).shape.span();
  DimPool& p = c.dims();
  // The spectrum of a real signal is symmetric, so n / 2 + 1 bins have all of it: 8 points give 5
  // bins, each of a real and an imaginary part.
  const Dim n = x.empty() ? Dim() : x.back();
  set_tensor(c, 0, c.input(0).dtype,
             ending(c, c.input(0).shape, 1, {p.add(p.floor_div(n, Dim(2)), Dim(1)), Dim(2)}));
  return {};
}
Result<void> infer_irfft(Context& c) {
  TRY(require_axes(c, 2));
  const auto x = c.input(0).shape.span();
  DimPool& p = c.dims();
  // Bins do not tell whether n was even; the operator takes it so: 5 bins give 2 * 4 = 8 points.
  const Dim bins = x.empty() ? Dim() : x[x.size() - 2];
  set_tensor(c, 0, c.input(0).dtype,
             ending(c, c.input(0).shape, 2, {p.mul(p.sub(bins, Dim(1)), Dim(2))}));
  return {};
}
// Counted as a real DFT along one axis; for several axes no count is defined.
template <std::size_t real>
Work work_rfft(Context& c) {
  const auto axes = c.int_attribute("signal_ndim", 1);
  const Shape& x = real == 0 ? c.input(0).shape : c.output(0).shape;
  if (!axes.ok() || *axes != 1 || x.rank < 1 || !x.span().back().known()) return {.flops = Dim()};
  const std::int64_t length = x.span().back().value();
  if (length < 0 || length > INT32_MAX) return {.flops = Dim()};
  // Half of a complex transform's 5 n log2(n): 8 real points take 2.5 * 8 * 3 = 60 FLOPs.
  const auto n = static_cast<double>(length);
  const Dim each(length < 2 ? 0 : std::llround(2.5 * n * std::log2(n)));
  return {.flops = c.dims().mul(c.dims().product(x.span().first(x.span().size() - 1)), each)};
}

Result<void> infer_finite(Context& c) {
  TRY(require_inputs(c, 1));
  set_tensor(c, 0, DataType::kBool, c.shape({}));
  return {};
}
Work work_finite(Context& c) {
  Dim n(0);
  for (std::size_t i = 0; i < c.input_count(); ++i)
    if (c.has_input(i)) n = c.dims().add(n, in(c, i));
  return {.flops = n};
}

Result<void> infer_murmur_hash(Context& c) {
  const bool positive = TRY(c.int_attribute("positive", 1)) != 0;
  TRY(infer_same(c));
  set_tensor(c, 0, positive ? DataType::kUint32 : DataType::kInt32, c.input(0).shape);
  return {};
}

Result<void> infer_crop(Context& c) {
  TRY(require_inputs(c, 4));
  TRY(require_rank(c, 0, 4));
  TRY(require_rank(c, 1, 2));
  const Shape &x = c.input(0).shape, &regions = c.input(1).shape;
  const Value* size = integral_value(c, 3);
  if (size != nullptr && size->ints.size() != 2)
    return c.fail(Fault::kValue, fmt::format("{} sizes for 2 axes", size->ints.size()));
  set_tensor(
      c, 0, c.input(0).dtype,
      c.shape({regions.ranked() ? regions[0] : Dim(), x.ranked() ? x[1] : Dim(),
               size != nullptr ? size->ints[0] : Dim(), size != nullptr ? size->ints[1] : Dim()}));
  return {};
}
Work work_crop(Context& c) {
  const auto mode = c.string_attribute("mode", "bilinear");
  if (!mode.ok()) return {.flops = Dim()};
  if (*mode == "nearest") return {};
  return {.flops = c.dims().mul(c.elements(c.output(0).shape), sample_flops(c, 2, 2))};
}

// Concatenates the sequences without padding; the number of tokens depends on the data.
Result<void> infer_remove(Context& c) {
  TRY(require_inputs(c, 2));
  TRY(require_rank(c, 0, 3));
  const Shape& x = c.input(0).shape;
  const Dim batch = x.ranked() ? x[0] : Dim(), length = x.ranked() ? x[1] : Dim();
  set_tensor(c, 0, c.input(0).dtype, c.shape({Dim(), x.ranked() ? x[2] : Dim()}));
  set_tensor(c, 1, DataType::kInt32, c.shape({batch, length}));
  set_tensor(c, 2, DataType::kInt32, c.shape({c.dims().add(batch, Dim(1))}));
  set_tensor(c, 3, DataType::kInt32, c.shape({Dim(1)}));
  return {};
}
Result<void> infer_restore(Context& c) {
  TRY(require_inputs(c, 2));
  TRY(require_rank(c, 0, 2));
  TRY(require_rank(c, 1, 2));
  const Shape &x = c.input(0).shape, &at = c.input(1).shape;
  set_tensor(c, 0, c.input(0).dtype,
             c.shape({at.ranked() ? at[0] : Dim(), at.ranked() ? at[1] : Dim(),
                      x.ranked() ? x[1] : Dim()}));
  return {};
}

Result<void> infer_tokens(Context& c) {
  TRY(require_inputs(c, 1));
  set_tensor(c, 0, DataType::kString, ending(c, c.input(0).shape, 0, {Dim()}));
  return {};
}

// Applies every filter to every window of characters and keeps the maximum. Words end where the
// padding begins, which depends on the data.
Result<void> infer_words(Context& c) {
  TRY(require_inputs(c, 4));
  TRY(require_axes(c, 2));
  TRY(require_rank(c, 1, 4));
  const Shape &ids = c.input(0).shape, &w = c.input(1).shape;
  set_tensor(c, 0, c.input(1).dtype,
             c.shape({ids.ranked() ? ids[0] : Dim(), w.ranked() ? w[0] : Dim()}));
  return {};
}
Work work_words(Context& c) {
  Work out{.macs = Dim(), .flops = Dim(), .special = Dim()};
  const Shape &ids = c.input(0).shape, &w = c.input(1).shape;
  if (ids.rank < 2 || w.rank != 4) return out;
  DimPool& p = c.dims();
  // Example: words of up to 16 characters and filters 5 wide have 16 - 5 + 1 = 12 windows.
  const Dim windows = p.max(p.add(p.sub(ids[1], w[2]), Dim(1)), Dim(1));
  out.macs_max = p.mul(p.mul(ids[0], windows), c.elements(w));
  return out;
}

// Cheapest path [2, steps] through a cost matrix.
Result<void> infer_warp(Context& c) {
  TRY(require_inputs(c, 1));
  set_tensor(c, 0, DataType::kInt32, c.shape({Dim(2), Dim()}));
  return {};
}

Result<void> infer_repeat_block(Context& c) {
  TRY(require_inputs(c, 2));
  TRY(require_rank(c, 0, 2));
  TRY(positive_attribute(c, "ngram_size"));
  c.set_output(0, c.input(1));
  return {};
}
// Compares every n-gram before the end with the last n - 1 tokens.
Work work_repeat_block(Context& c) {
  const auto n = c.int_attribute("ngram_size", 0);
  const Shape& ids = c.input(0).shape;
  if (!n.ok() || ids.rank != 2) return {.int_ops = Dim()};
  DimPool& p = c.dims();
  const Dim starts = p.max(p.sub(p.add(ids[1], Dim(1)), Dim(*n)), Dim(0));
  return {.int_ops = p.mul(p.mul(ids[0], starts), Dim(*n - 1))};
}

Result<void> infer_bifurcation(Context& c) {
  TRY(require_inputs(c, 3));
  set_tensor(c, 0, c.input(0).dtype, c.shape({Dim()}));
  c.set_output(1, c.input(2));
  return {};
}
Work work_integers_decide(Context&) { return {.int_ops = Dim()}; }

// The outputs of a compiled part are known only by their declarations.
Result<void> infer_compiled(Context& c) {
  for (std::size_t i = 0; i < c.output_count(); ++i) c.set_output(i, {});
  return {};
}
Work work_compiled(Context&) {
  return {.macs = Dim(), .flops = Dim(), .special = Dim(), .int_ops = Dim()};
}

constexpr std::string_view kCompiled =
    "compiled for one device, the file does not hold its operators: not known";

constexpr Operator kContribDataRows[] = {
    row(kMicrosoft, "Inverse", infer_inverse, work_inverse,
        "in place, n x n: 2n*n(n-1) FLOPs, n divisions"),
    row(kMicrosoft, "Rfft", infer_rfft, work_rfft<0>, "2.5 n log2(n) FLOPs per signal of n"),
    row(kMicrosoft, "Irfft", infer_irfft, work_rfft<1>, "2.5 n log2(n) FLOPs per signal of n"),
    row(kMicrosoft, "IsAllFinite", infer_finite, work_finite, "1 FLOP per element"),
    row(kMicrosoft, "MurmurHash3", infer_murmur_hash, nullptr,
        "hashes bytes: no arithmetic of the definition"),
    row(kMicrosoft, "CropAndResize", infer_crop, work_crop,
        "bilinear: 4 multiplies, 3 adds per output element"),
    row(kMicrosoft, "RemovePadding", infer_remove, nullptr, kMoves),
    row(kMicrosoft, "RestorePadding", infer_restore, nullptr, kMoves),
    row(kMicrosoft, "SampleOp", infer_same, nullptr, kMoves),
    row(kMicrosoft, "Tokenizer", infer_tokens, nullptr, "works on text: no arithmetic"),
    row(kMicrosoft, "WordConvEmbedding", infer_words, work_words,
        "the data decides how long words are: at most words*windows*weights MACs"),
    row(kMicrosoft, "DynamicTimeWarping", infer_warp, per_input<Cost{.flops = 3}>,
        "2 compares, 1 add per cost"),
    row(kMicrosoft, "NGramRepeatBlock", infer_repeat_block, work_repeat_block,
        "n-1 integer compares per n-gram of the tokens"),
    row(kMicrosoft, "BifurcationDetector", infer_bifurcation, work_integers_decide,
        "the data decides how far is compared: not known"),
    row(kMicrosoft, "EPContext", infer_compiled, work_compiled, kCompiled),
    row(kMicrosoft, "Snpe", infer_compiled, work_compiled, kCompiled),
};

}  // namespace

const std::span<const Operator> kContribData = kContribDataRows;

}  // namespace ridge::ops
