// SPDX-License-Identifier: Apache-2.0
// Operators that change only the shape: no bytes move.
#include <fmt/format.h>

#include <algorithm>

#include "ops/fold.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

// Target shape: an attribute before opset 5, input 1 since.
Result<std::optional<std::span<const Dim>>> target_shape(Context& c) {
  if (c.opset() < 5) {
    const auto given = TRY(c.ints_attribute("shape"));
    const auto out = new_dims(c, given.size());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = Dim(given[i]);
    return std::optional<std::span<const Dim>>(out);
  }
  TRY(require_inputs(c, 2));
  if (const Value* v = integral_value(c, 1); v != nullptr) return std::optional(v->ints);
  const Shape& length = c.input(1).shape;
  if (!length.ranked()) return std::optional<std::span<const Dim>>();
  TRY(require_rank(c, 1, 1));
  if (!length[0].known() || length[0].value() > kMaxFolded)
    return std::optional<std::span<const Dim>>();
  return std::optional<std::span<const Dim>>(
      new_dims(c, static_cast<std::size_t>(length[0].value())));
}

Error wrong_count(Context& c, const Shape& x, std::span<const Dim> wanted) {
  return c.fail(Fault::kReshape,
                fmt::format("shape {} of {} elements cannot become {}", text(c, x),
                            c.dims().text(c.elements(x)), text(c, shape_of(wanted))),
                "the target was computed for another input size, often a batch that was fixed at "
                "export");
}

// Infers the one free dimension (-1 or unknown) from the number of elements.
//
// Example: x has 2*batch*12 elements and the target is [batch, -1, 4]: rest = 4*batch, and the free
// dimension is 24*batch // (4*batch) = 6.
Result<void> infer_free(Context& c, const Shape& x, std::span<Dim> out, std::size_t free,
                        std::span<const Dim> wanted) {
  DimPool& p = c.dims();
  out[free] = Dim(1);
  const Dim rest = p.product(out), all = c.elements(x);
  out[free] = Dim();
  if (rest.is(0) || all.unknown() || rest.unknown()) return {};
  const Dim size = p.floor_div(all, rest);
  if (all.known() && rest.known() && size.value() * rest.value() != all.value())
    return wrong_count(c, x, wanted);
  if (p.mul(size, rest).same(all)) out[free] = size;
  return {};
}

// Notes the sizes for which the number of elements stays the same.
//
// Example: [batch, sequence, 64] becomes [1, sequence, 64], so batch = 1.
void expect_count(Context& c, Dim before, Dim after) {
  if (before.unknown() || after.unknown() || before.same(after)) return;
  DimPool& p = c.dims();
  const Dim more = p.floor_div(before, after), fewer = p.floor_div(after, before);
  if (!before.known() && !more.known() && p.mul(more, after).same(before))
    c.expect_equal(more, Dim(1));
  else if (!after.known() && !fewer.known() && p.mul(fewer, before).same(after))
    c.expect_equal(fewer, Dim(1));
  else
    c.expect_equal(before, after);
}

Result<void> infer_reshape(Context& c) {
  TRY(require_inputs(c, 1));
  const Shape& x = c.input(0).shape;
  const auto wanted = TRY(target_shape(c));
  if (!wanted) {
    set_tensor(c, 0, c.input(0).dtype, Shape{});
    return {};
  }
  const bool zero_is_zero = TRY(c.int_attribute("allowzero", 0)) != 0;
  const auto out = c.arena().copy(*wanted);
  std::size_t inferred = 0, unknown = 0, free = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Dim d = (*wanted)[i];
    if (d.known() && d.value() < -1)
      return c.fail(Fault::kReshape,
                    fmt::format("the target shape holds {}, it must be -1 or more", d.value()));
    if (d.is(0) && !zero_is_zero) {
      if (x.ranked() && i >= x.span().size())
        return c.fail(Fault::kReshape, fmt::format("the target {} keeps axis {}, the input {} has "
                                                   "none",
                                                   text(c, shape_of(*wanted)), i, text(c, x)));
      out[i] = x.ranked() ? x[i] : Dim();
    }
    if (d.is(-1)) ++inferred, out[i] = Dim();
    if (out[i].unknown()) ++unknown, free = i;
  }
  if (inferred > 1)
    return c.fail(Fault::kReshape, fmt::format("the target {} has {} dimensions of -1, at most one "
                                               "can be inferred",
                                               text(c, shape_of(*wanted)), inferred));
  if (unknown == 1) TRY(infer_free(c, x, out, free, *wanted));
  const Dim before = c.elements(x), after = c.dims().product(out);
  if (before.known() && after.known() && before.value() != after.value())
    return wrong_count(c, x, *wanted);
  expect_count(c, before, after);
  set_tensor(c, 0, c.input(0).dtype, out);
  return {};
}

Result<void> infer_flatten(Context& c) {
  TRY(require_inputs(c, 1));
  const Shape& x = c.input(0).shape;
  const auto out = new_dims(c, 2);
  if (x.ranked()) {
    // An axis equal to the rank is allowed: all axes form the rows.
    const std::int64_t given = TRY(c.int_attribute("axis", 1));
    const std::size_t axis =
        given == x.rank ? x.span().size() : TRY(axis_of(c, given, x.span().size()));
    out[0] = c.dims().product(x.span().first(axis));
    out[1] = c.dims().product(x.span().subspan(axis));
  }
  set_tensor(c, 0, c.input(0).dtype, out);
  return {};
}

Result<void> squeeze_ones(Context& c, const Shape& x) {
  const auto out = new_dims(c, x.span().size());
  std::size_t n = 0;
  for (const Dim& d : x.span()) {
    // Whether an unknown dimension is removed is undetermined.
    if (!d.known()) return set_tensor(c, 0, c.input(0).dtype, Shape{}), Result<void>();
    if (!d.is(1)) out[n++] = d;
  }
  set_tensor(c, 0, c.input(0).dtype, out.first(n));
  return {};
}

Result<void> infer_squeeze(Context& c) {
  TRY(require_inputs(c, 1));
  const Shape& x = c.input(0).shape;
  const Axes axes = TRY(given_axes(c, 1, 13));
  if (!x.ranked() || (axes.given && !axes.known)) {
    set_tensor(c, 0, c.input(0).dtype, Shape{});
    return {};
  }
  if (!axes.given) return squeeze_ones(c, x);
  const auto marks = TRY(mark_axes(c, axes.axes, x.span().size(), Repeats::kAllowed));
  const auto out = new_dims(c, x.span().size());
  std::size_t n = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!marks[i])
      out[n++] = x[i];
    else if (x[i].known() && !x[i].is(1))
      return c.fail(Fault::kReshape, fmt::format("axis {} of {} is {}, only 1 can be removed", i,
                                                 text(c, x), x[i].value()));
  }
  set_tensor(c, 0, c.input(0).dtype, out.first(n));
  return {};
}

Result<void> infer_unsqueeze(Context& c) {
  TRY(require_inputs(c, 1));
  const Shape& x = c.input(0).shape;
  const Axes axes = TRY(given_axes(c, 1, 13));
  if (!axes.given)
    return c.opset() < 13 ? c.fail(Fault::kAttribute, "attribute 'axes' is not given")
                          : c.fail(Fault::kMissingInput, "input 1, the axes, is not given");
  if (!x.ranked() || !axes.known) {
    set_tensor(c, 0, c.input(0).dtype, Shape{});
    return {};
  }
  const auto out = new_dims(c, x.span().size() + axes.axes.size());
  const auto marks = TRY(mark_axes(c, axes.axes, out.size(), Repeats::kForbidden));
  std::size_t from = 0;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = marks[i] ? Dim(1) : x[from++];
  set_tensor(c, 0, c.input(0).dtype, out);
  return {};
}

// Also for a sequence or an optional.
Result<void> infer_identity(Context& c) {
  TRY(infer_same(c));
  if (const Members* members = c.members(0); members != nullptr) c.set_members(0, *members);
  return {};
}

// Since opset 12, input 2 enables training; before, there is only inference.
bool dropout_trains(Context& c) { return c.opset() >= 12 && known_scalar(c, 2).value_or(0) != 0; }

Result<void> infer_dropout(Context& c) {
  TRY(infer_same(c));
  const DataType mask = c.opset() < 10 ? c.input(0).dtype : DataType::kBool;
  if (c.wants_output(1)) set_tensor(c, 1, mask, c.input(0).shape);
  return {};
}

// Training: scale and mask.
Work work_dropout(Context& c) {
  return dropout_trains(c) ? per_output<Cost{.flops = 2}>(c) : Work{};
}
Traffic traffic_dropout(Context& c) { return dropout_trains(c) ? default_traffic(c) : Traffic{}; }
void fold_dropout(Context& c) {
  if (!dropout_trains(c)) fold_same(c);
}

constexpr std::string_view kNothing = "a view: no work, no bytes";

constexpr Operator view(std::string_view name, std::int32_t since,
                        Result<void> (*infer)(Context&)) {
  return {.name = name,
          .since = since,
          .infer = infer,
          .fold = fold_same,
          .kind = Kind::kView,
          .formula = kNothing};
}

constexpr Operator kReshapeRows[] = {
    view("Reshape", 1, infer_reshape),
    view("Flatten", 1, infer_flatten),
    view("Squeeze", 1, infer_squeeze),
    view("Unsqueeze", 1, infer_unsqueeze),
    view("Identity", 1, infer_identity),
    {.name = "Dropout",
     .since = 1,
     .infer = infer_dropout,
     .work = work_dropout,
     .fold = fold_dropout,
     .traffic = traffic_dropout,
     .kind = Kind::kView,
     .formula = "at inference a view; in training 2 FLOPs per element"},
};

}  // namespace

const std::span<const Operator> kReshape = kReshapeRows;

}  // namespace ridge::ops
