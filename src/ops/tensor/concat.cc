// SPDX-License-Identifier: Apache-2.0
// Concatenation.
#include <fmt/format.h>

#include "ops/fold.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

// Rank of the ranked inputs, which must all agree.
Result<std::optional<std::size_t>> common_rank(Context& c) {
  std::optional<std::size_t> rank;
  for (std::size_t i = 0; i < c.input_count(); ++i) {
    const Shape& s = c.input(i).shape;
    if (!s.ranked()) continue;
    if (rank && *rank != s.span().size())
      return c.fail(Fault::kRank,
                    fmt::format("input {} has shape {}, but an earlier input has rank {}", i,
                                text(c, s), *rank));
    rank = s.span().size();
  }
  return rank;
}

Result<void> infer_concat(Context& c) {
  TRY(require_inputs(c, c.input_count() == 0 ? 1 : c.input_count()));
  const auto rank = TRY(common_rank(c));
  if (!rank) {
    set_tensor(c, 0, c.input(0).dtype, Shape{});
    return {};
  }
  if (c.opset() >= 4 && !c.has_attribute("axis"))
    return c.fail(Fault::kAttribute, "attribute 'axis' is not given");
  const std::size_t axis = TRY(axis_attribute(c, "axis", 1, *rank));
  const auto out = new_dims(c, *rank);
  out[axis] = Dim(0);
  for (std::size_t i = 0; i < c.input_count(); ++i) {
    const Shape& s = c.input(i).shape;
    for (std::size_t k = 0; k < *rank; ++k) {
      const Dim d = s.ranked() ? s[k] : Dim();
      if (k == axis) {
        out[k] = c.dims().add(out[k], d);
      } else if (out[k].known() && d.known() && !out[k].same(d)) {
        return c.fail(Fault::kMismatch,
                      fmt::format("input {} has shape {}, the earlier ones have {} on axis {}", i,
                                  text(c, s), out[k].value(), k),
                      fmt::format("only axis {} may differ", axis));
      } else if (!out[k].known() && !d.unknown()) {
        out[k] = d;
      }
    }
  }
  set_tensor(c, 0, c.input(0).dtype, out);
  return {};
}

// Interleaves the inputs: for each of `outer` rows, the corresponding elements of every input in
// turn.
//
// Example: inputs {1, 2, 3, 4} of shape [2, 2] and {5, 6} of shape [2, 1], axis 1: outer = 2, the
// rows have 2 and 1 elements, and the result is {1, 2, 5, 3, 4, 6}.
template <typename Element, typename Elements>
std::span<Element> joined_elements(Context& c, std::size_t n, std::size_t outer,
                                   Elements elements) {
  const auto out = c.arena().array<Element>(n);
  std::size_t k = 0;
  for (std::size_t row = 0; row < outer; ++row) {
    for (std::size_t i = 0; i < c.input_count(); ++i) {
      const std::span<const Element> in = elements(*c.value(i));
      const std::size_t length = in.size() / outer;
      for (std::size_t j = 0; j < length; ++j) out[k++] = in[row * length + j];
    }
  }
  return out;
}

void fold_concat(Context& c) {
  const std::int64_t n = foldable(c, 0);
  if (n < 1) return;
  for (std::size_t i = 0; i < c.input_count(); ++i)
    if (c.value(i) == nullptr || c.value(i)->dtype != c.output(0).dtype) return;
  const Shape& shape = c.output(0).shape;
  const auto axis = axis_attribute(c, "axis", 1, shape.span().size());
  if (!axis.ok()) return;
  const auto outer = static_cast<std::size_t>(c.dims().product(shape.span().first(*axis)).value());
  const auto count = static_cast<std::size_t>(n);
  if (is_floating(c.output(0).dtype))
    set_reals(c, 0,
              joined_elements<double>(c, count, outer, [](const Value& v) { return v.reals; }));
  else if (is_integral(c.output(0).dtype))
    set_ints(c, 0, joined_elements<Dim>(c, count, outer, [](const Value& v) { return v.ints; }));
}

constexpr Operator kConcatRows[] = {
    {.name = "Concat", .since = 1, .infer = infer_concat, .fold = fold_concat, .formula = kMoves},
};

}  // namespace

const std::span<const Operator> kConcat = kConcatRows;

}  // namespace ridge::ops
