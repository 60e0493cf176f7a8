// SPDX-License-Identifier: Apache-2.0
// Selection and arrangement of elements; some output sizes depend on the data.
#include <fmt/format.h>

#include <algorithm>

#include "ops/fold.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

Result<void> infer_trilu(Context& c) {
  TRY(infer_same(c));
  const Shape& x = c.input(0).shape;
  if (x.ranked() && x.rank < 2)
    return c.fail(Fault::kRank,
                  fmt::format("input 0 has shape {}, it needs at least two axes", text(c, x)));
  return {};
}

// Sets the positions of nonzero elements of a constant, one per column; false if it is unknown.
//
// Example: {0, 5, 7, 0} of shape [2, 2] is nonzero at (0, 1) and (1, 0): the output has shape [2,
// 2] and elements {0, 1, 1, 0}.
bool known_positions(Context& c) {
  const Value* v = integral_value(c, 0);
  if (v == nullptr || !v->shape.known()) return false;
  std::size_t count = 0;
  for (const Dim& d : v->ints) {
    if (!d.known()) return false;
    count += d.value() != 0 ? 1 : 0;
  }
  const std::size_t rank = std::max<std::size_t>(v->shape.span().size(), 1);
  const auto out = new_dims(c, rank * count);
  Odometer at(c, v->shape);
  std::size_t n = 0;
  for (std::size_t i = 0; i < v->ints.size(); ++i, at.next()) {
    if (v->ints[i].value() == 0) continue;
    for (std::size_t k = 0; k < rank; ++k) out[k * count + n] = Dim(v->shape.rank == 0 ? 0 : at[k]);
    ++n;
  }
  const Shape shape =
      c.shape({Dim(static_cast<std::int64_t>(rank)), Dim(static_cast<std::int64_t>(count))});
  set_tensor(c, 0, DataType::kInt64, shape);
  if (out.size() <= static_cast<std::size_t>(kMaxFolded))
    c.set_value(0, {DataType::kInt64, shape, out, {}});
  return true;
}

// Shape [rank, count]; the count depends on the data.
Result<void> infer_non_zero(Context& c) {
  TRY(require_inputs(c, 1));
  if (known_positions(c)) return {};
  const Shape& x = c.input(0).shape;
  const Dim rank = x.ranked() ? Dim(std::max(x.rank, 1)) : Dim();
  set_tensor(c, 0, DataType::kInt64, c.shape({rank, Dim()}));
  return {};
}

Result<Dim> top_count(Context& c) {
  if (c.opset() < 10) return Dim(TRY(c.int_attribute("k", -1)));
  TRY(require_inputs(c, 2));
  const Value* v = integral_value(c, 1);
  return v != nullptr && v->ints.size() == 1 ? v->ints[0] : Dim();
}

Result<void> infer_top_k(Context& c) {
  TRY(require_inputs(c, 1));
  const Type& x = c.input(0);
  const Dim k = TRY(top_count(c));
  if (k.known() && k.value() < 0)
    return c.fail(Fault::kValue, fmt::format("k is {}, it must not be negative", k.value()));
  Shape shape;
  if (x.shape.ranked()) {
    const std::size_t axis = TRY(axis_attribute(c, "axis", -1, x.shape.span().size()));
    if (k.known() && x.shape[axis].known() && k.value() > x.shape[axis].value())
      return c.fail(Fault::kValue, fmt::format("k is {}, axis {} of {} has only {}", k.value(),
                                               axis, text(c, x.shape), x.shape[axis].value()));
    const auto out = c.arena().copy(x.shape.span());
    out[axis] = k;
    shape = shape_of(out);
  }
  set_tensor(c, 0, x.dtype, shape);
  set_tensor(c, 1, DataType::kInt64, shape);
  return {};
}

Result<void> infer_one_hot(Context& c) {
  TRY(require_inputs(c, 3));
  const Shape& indices = c.input(0).shape;
  Shape shape;
  if (indices.ranked()) {
    const auto out = new_dims(c, indices.span().size() + 1);
    const std::size_t axis = TRY(axis_attribute(c, "axis", -1, out.size()));
    const auto depth = known_scalar(c, 1);
    const bool usable = depth && *depth >= 0 && *depth < 9e18;
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (i == axis)
        out[i] = usable ? Dim(static_cast<std::int64_t>(*depth)) : Dim();
      else
        out[i] = indices[i < axis ? i : i - 1];
    }
    shape = shape_of(out);
  }
  set_tensor(c, 0, c.input(2).dtype, shape);
  return {};
}

// Number of set flags among those that apply to the `size` elements.
Dim set_flags(Context& c, Dim size) {
  const Value* flags = integral_value(c, 1);
  if (flags == nullptr) return {};
  const auto met = static_cast<std::int64_t>(flags->ints.size());
  if (!size.known() && met > 0) return {};
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < met && i < size.value(); ++i) {
    const Dim d = flags->ints[static_cast<std::size_t>(i)];
    if (!d.known()) return {};
    count += d.value() != 0 ? 1 : 0;
  }
  return Dim(count);
}

Result<void> infer_compress(Context& c) {
  TRY(require_inputs(c, 2));
  const Type& x = c.input(0);
  if (!c.has_attribute("axis")) {
    set_tensor(c, 0, x.dtype, c.shape({set_flags(c, c.elements(x.shape))}));
    return {};
  }
  Shape shape;
  if (x.shape.ranked()) {
    const auto out = c.arena().copy(x.shape.span());
    Dim& size = out[TRY(axis_attribute(c, "axis", 0, out.size()))];
    size = set_flags(c, size);
    shape = shape_of(out);
  }
  set_tensor(c, 0, x.dtype, shape);
  return {};
}

// Rows of a constant along an axis (or all its elements, without one), and their equality.
class Rows {
 public:
  // Returns nullopt if some elements are unknown, or if there are too many for pairwise comparison.
  static std::optional<Rows> of(Context& c, std::optional<std::size_t> axis) {
    const Value* v = c.value(0);
    if (v == nullptr || !v->shape.known()) return std::nullopt;
    for (const Dim& d : v->ints)
      if (!d.known()) return std::nullopt;
    Rows out(*v);
    if (out.size() == 0 || out.size() > kMaxCompared || !c.elements(v->shape).is(out.size()))
      return std::nullopt;
    if (axis) {
      out.count_ = v->shape[*axis].value();
      out.inner_ = c.dims().product(v->shape.span().subspan(*axis + 1)).value();
      out.outer_ = c.dims().product(v->shape.span().first(*axis)).value();
    } else {
      out.count_ = out.size(), out.inner_ = 1;
    }
    return out;
  }

  std::int64_t distinct() const {
    std::int64_t n = 0;
    for (std::int64_t i = 0; i < count_; ++i) {
      bool first = true;
      for (std::int64_t j = 0; j < i && first; ++j) first = !equal(i, j);
      n += first ? 1 : 0;
    }
    return n;
  }
  std::int64_t count() const { return count_; }

 private:
  static constexpr std::int64_t kMaxCompared = 256;
  explicit Rows(const Value& v) : v_(&v) {}

  std::int64_t size() const {
    return static_cast<std::int64_t>(v_->ints.size() + v_->reals.size());
  }
  bool equal(std::int64_t i, std::int64_t j) const {
    for (std::int64_t o = 0; o < outer_; ++o)
      for (std::int64_t k = 0; k < inner_; ++k)
        if (!same((o * count_ + i) * inner_ + k, (o * count_ + j) * inner_ + k)) return false;
    return true;
  }
  bool same(std::int64_t a, std::int64_t b) const {
    const auto x = static_cast<std::size_t>(a), y = static_cast<std::size_t>(b);
    return v_->ints.empty() ? v_->reals[x] == v_->reals[y] : v_->ints[x] == v_->ints[y];
  }

  const Value* v_;
  std::int64_t count_ = 0, inner_ = 1, outer_ = 1;
};

Result<void> infer_unique(Context& c) {
  TRY(require_inputs(c, 1));
  const Type& x = c.input(0);
  std::optional<std::size_t> axis;
  if (c.has_attribute("axis") && x.shape.ranked())
    axis = TRY(axis_attribute(c, "axis", 0, x.shape.span().size()));
  const bool unknown_axis = c.has_attribute("axis") && !axis;
  const auto rows = unknown_axis ? std::nullopt : Rows::of(c, axis);
  const Dim count = rows ? Dim(rows->distinct()) : Dim();
  Shape shape = c.shape({count});
  Dim all = c.elements(x.shape);
  if (axis) {
    const auto out = c.arena().copy(x.shape.span());
    all = out[*axis];
    out[*axis] = count;
    shape = shape_of(out);
  } else if (unknown_axis) {
    shape = {};
    all = Dim();
  }
  set_tensor(c, 0, x.dtype, shape);
  set_tensor(c, 1, DataType::kInt64, c.shape({count}));  // first position of each distinct row
  // index of the distinct row for each element
  set_tensor(c, 2, DataType::kInt64, c.shape({all}));
  set_tensor(c, 3, DataType::kInt64, c.shape({count}));
  return {};
}

// For a vector: distinct elements in order of appearance, hence fewer outputs.
Result<void> infer_unique_vector(Context& c) {
  TRY(require_inputs(c, 1));
  TRY(require_rank(c, 0, 1));
  const auto rows = Rows::of(c, std::nullopt);
  const Dim count = rows ? Dim(rows->distinct()) : Dim();
  set_tensor(c, 0, c.input(0).dtype, c.shape({count}));
  set_tensor(c, 1, DataType::kInt64, c.shape({c.elements(c.input(0).shape)}));
  set_tensor(c, 2, DataType::kInt64, c.shape({count}));
  return {};
}

Result<void> infer_non_max_suppression(Context& c) {
  TRY(require_inputs(c, 2));
  TRY(require_rank(c, 0, 3));
  TRY(require_rank(c, 1, 3));
  set_tensor(c, 0, DataType::kInt64, c.shape({Dim(), Dim(3)}));
  return {};
}

// Every score is compared with the threshold; the number of box comparisons depends on the data.
Work work_suppression(Context& c) { return {.flops = c.elements(c.input(1).shape)}; }

Result<void> infer_eye_like(Context& c) {
  TRY(infer_same(c));
  TRY(require_rank(c, 0, 2));
  if (c.has_attribute("dtype"))
    set_tensor(c, 0, static_cast<DataType>(TRY(c.int_attribute("dtype", 1))), c.input(0).shape);
  return {};
}

constexpr Operator kSelectRows[] = {
    {.name = "Trilu", .since = 14, .infer = infer_trilu, .formula = kMoves},
    {.domain = kMicrosoft, .name = "Trilu", .infer = infer_trilu, .formula = kMoves},
    row(kMicrosoft, "Unique", infer_unique_vector, nullptr, kMoves),
    {.name = "ReverseSequence", .since = 10, .infer = infer_same, .formula = kMoves},
    {.name = "NonZero",
     .since = 9,
     .infer = infer_non_zero,
     .work = per_input<Cost{.flops = 1}>,
     .formula = "1 compare per input element"},
    {.name = "TopK",
     .since = 1,
     .infer = infer_top_k,
     .work = per_input<Cost{.flops = 1}>,
     .formula = "1 compare per input element, the least that any selection needs"},
    {.name = "OneHot", .since = 9, .infer = infer_one_hot, .formula = kMoves},
    {.name = "Compress",
     .since = 9,
     .infer = infer_compress,
     .traffic = touches_output,
     .formula = kMovesKept},
    {.name = "Unique",
     .since = 11,
     .infer = infer_unique,
     .work = per_input<Cost{.flops = 1}>,
     .formula = "1 compare per input element, the least that finding duplicates needs"},
    {.name = "NonMaxSuppression",
     .since = 10,
     .infer = infer_non_max_suppression,
     .work = work_suppression,
     .formula = "1 compare per score, the least that any selection needs"},
    {.name = "EyeLike", .since = 9, .infer = infer_eye_like, .formula = "fills data: no work"},
};

}  // namespace

const std::span<const Operator> kSelect = kSelectRows;

}  // namespace ridge::ops
