// SPDX-License-Identifier: Apache-2.0
// Operators that create tensors from shapes and attributes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ops/fold.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

Result<void> infer_shape(Context& c) {
  TRY(require_inputs(c, 1));
  const Shape& x = c.input(0).shape;
  if (!x.ranked()) {
    set_tensor(c, 0, DataType::kInt64, new_dims(c, 1));
    return {};
  }
  // start and end exist since opset 15; out-of-range values are clamped.
  const std::int64_t rank = x.rank;
  const auto clip = [rank](std::int64_t at) {
    return std::clamp<std::int64_t>(at < 0 ? at + rank : at, 0, rank);
  };
  const std::int64_t start = clip(TRY(c.int_attribute("start", 0)));
  const std::int64_t end = clip(TRY(c.int_attribute("end", rank)));
  const auto count = static_cast<std::size_t>(std::max<std::int64_t>(end - start, 0));
  const auto dims = c.arena().copy(x.span().subspan(static_cast<std::size_t>(start), count));
  set_tensor(c, 0, DataType::kInt64, c.shape({Dim(static_cast<std::int64_t>(count))}));
  c.set_value(0, {DataType::kInt64, c.output(0).shape, dims, {}});
  return {};
}

Result<void> infer_size(Context& c) {
  TRY(require_inputs(c, 1));
  set_tensor(c, 0, DataType::kInt64, c.shape({}));
  const auto size = new_dims(c, 1);
  size[0] = c.elements(c.input(0).shape);
  c.set_value(0, {DataType::kInt64, c.output(0).shape, size, {}});
  return {};
}

void set_int_list(Context& c, std::span<const std::int64_t> list, bool scalar) {
  const auto dims = new_dims(c, list.size());
  for (std::size_t i = 0; i < dims.size(); ++i) dims[i] = Dim(list[i]);
  const Shape shape = scalar ? c.shape({}) : c.shape({Dim(static_cast<std::int64_t>(list.size()))});
  set_tensor(c, 0, DataType::kInt64, shape);
  if (static_cast<std::int64_t>(list.size()) <= kMaxFolded)
    c.set_value(0, {DataType::kInt64, shape, dims, {}});
}

void set_float_list(Context& c, std::span<const float> list, bool scalar) {
  const auto reals = c.arena().array<double>(list.size());
  for (std::size_t i = 0; i < reals.size(); ++i) reals[i] = static_cast<double>(list[i]);
  const Shape shape = scalar ? c.shape({}) : c.shape({Dim(static_cast<std::int64_t>(list.size()))});
  set_tensor(c, 0, DataType::kFloat, shape);
  if (static_cast<std::int64_t>(list.size()) <= kMaxFolded)
    c.set_value(0, {DataType::kFloat, shape, {}, reals});
}

Shape shape_of_tensor(Context& c, std::span<const std::int64_t> sizes) {
  const auto dims = new_dims(c, sizes.size());
  for (std::size_t i = 0; i < dims.size(); ++i) dims[i] = Dim(sizes[i]);
  return shape_of(dims);
}

Result<void> infer_constant(Context& c) {
  for (const onnx::Attribute& a : c.node().attributes) {
    if (a.name == "value" && a.t != nullptr) {
      set_tensor(c, 0, a.t->type, shape_of_tensor(c, a.t->dims));
      if (const Value* v = TRY(c.tensor_attribute("value")); v != nullptr) c.set_value(0, *v);
      return {};
    }
    if (a.name == "sparse_value" && a.sparse != nullptr && a.sparse->values != nullptr) {
      set_tensor(c, 0, a.sparse->values->type, shape_of_tensor(c, a.sparse->dims));
      return {};
    }
    if (a.name == "value_int") return set_int_list(c, {&a.i, 1}, true), Result<void>();
    if (a.name == "value_ints") return set_int_list(c, a.ints, false), Result<void>();
    if (a.name == "value_float") return set_float_list(c, {&a.f, 1}, true), Result<void>();
    if (a.name == "value_floats") return set_float_list(c, a.floats, false), Result<void>();
    if (a.name == "value_string") {
      set_tensor(c, 0, DataType::kString, c.shape({}));
      return {};
    }
    if (a.name == "value_strings") {
      set_tensor(c, 0, DataType::kString,
                 c.shape({Dim(static_cast<std::int64_t>(a.strings.size()))}));
      return {};
    }
  }
  return c.fail(Fault::kAttribute, "no attribute contains the value");
}

Result<void> infer_constant_of_shape(Context& c) {
  TRY(require_inputs(c, 1));
  TRY(require_rank(c, 0, 1));
  const onnx::Attribute* fill = graph::attribute(c.node(), "value");
  const DataType dtype = fill != nullptr && fill->t != nullptr ? fill->t->type : DataType::kFloat;
  const Value* v = integral_value(c, 0);
  if (v == nullptr) {
    const Shape& length = c.input(0).shape;
    const bool short_list = length.ranked() && length[0].known() && length[0].value() <= kMaxFolded;
    set_tensor(
        c, 0, dtype,
        short_list ? shape_of(new_dims(c, static_cast<std::size_t>(length[0].value()))) : Shape{});
    return {};
  }
  for (const Dim& d : v->ints)
    if (d.known() && d.value() < 0)
      return c.fail(Fault::kValue, fmt::format("the shape {} holds {}, sizes are not negative",
                                               text(c, shape_of(v->ints)), d.value()));
  set_tensor(c, 0, dtype, v->ints);
  return {};
}

void fold_constant_of_shape(Context& c) {
  const auto given = c.tensor_attribute("value");
  const std::int64_t n = foldable(c, 0);
  if (!given.ok() || n < 0) return;
  const Value* fill = *given;
  if (fill == nullptr && c.has_attribute("value")) return;
  const auto count = static_cast<std::size_t>(n);
  if (is_integral(c.output(0).dtype) && fill != nullptr && !fill->ints.empty()) {
    const auto out = new_dims(c, count);
    std::fill(out.begin(), out.end(), fill->ints[0]);
    set_ints(c, 0, out);
  } else if (is_floating(c.output(0).dtype) && n <= kMaxGeneratedReals) {
    const auto out = c.arena().array<double>(count);
    const bool given_real = fill != nullptr && !fill->reals.empty();
    std::fill(out.begin(), out.end(), given_real ? fill->reals[0] : 0.0);
    set_reals(c, 0, out);
  }
}

// The step of com.microsoft's Range is optional: 1, with the type of the start.
const Value* range_step(Context& c) {
  if (c.has_input(2) || c.node().domain.empty()) return c.value(2);
  Value step{.dtype = c.input(0).dtype, .shape = c.shape({}), .ints = {}, .reals = {}};
  if (is_floating(step.dtype)) {
    const double one[] = {1};
    step.reals = c.arena().copy(std::span<const double>(one));
  } else {
    const Dim one[] = {Dim(1)};
    step.ints = c.arena().copy(std::span<const Dim>(one));
  }
  return c.arena().make(step);
}

// Number of elements: max(ceil((limit - start) / delta), 0).
Result<Dim> range_length(Context& c) {
  const Value *start = c.value(0), *limit = c.value(1), *delta = range_step(c);
  if (start == nullptr || limit == nullptr || delta == nullptr) return Dim();
  if (start->ints.size() == 1 && limit->ints.size() == 1 && delta->ints.size() == 1) {
    DimPool& p = c.dims();
    if (delta->ints[0].is(0)) return c.fail(Fault::kValue, "the step is 0");
    const Dim span = p.sub(limit->ints[0], start->ints[0]);
    return p.max(p.ceil_div(span, delta->ints[0]), Dim(0));
  }
  if (start->reals.size() != 1 || limit->reals.size() != 1 || delta->reals.size() != 1)
    return Dim();
  if (delta->reals[0] == 0) return c.fail(Fault::kValue, "the step is 0");
  const double n = std::ceil((limit->reals[0] - start->reals[0]) / delta->reals[0]);
  if (!(n < 9e18)) return Dim();
  return Dim(n > 0 ? static_cast<std::int64_t>(n) : 0);
}

Result<void> infer_range(Context& c) {
  TRY(require_inputs(c, c.node().domain.empty() ? 3 : 2));
  const Dim n = TRY(range_length(c));
  set_tensor(c, 0, c.input(0).dtype, c.shape({n}));
  return {};
}

// Function body: the number of elements takes a subtraction, a division, a ceiling and a lower
// bound of 0; then every element adds the step.
Work work_range(Context& c) {
  const DataType t = c.input(0).dtype;
  const Dim adds = c.dims().add(c.elements(c.output(0).shape), Dim(1));
  return sum(c, elementwise(c, adds, {.flops = 1}, t), {.flops = Dim(2), .special = Dim(1)});
}

void fold_range(Context& c) {
  const Value *start = c.value(0), *delta = range_step(c);
  const std::int64_t n = foldable(c, 0);
  if (start == nullptr || delta == nullptr || n < 0) return;
  const auto count = static_cast<std::size_t>(n);
  if (start->ints.size() == 1 && delta->ints.size() == 1) {
    const auto out = new_dims(c, count);
    for (std::int64_t i = 0; i < n; ++i)
      out[static_cast<std::size_t>(i)] =
          fold_add(c.dims(), start->ints[0], fold_mul(c.dims(), delta->ints[0], Dim(i)));
    set_ints(c, 0, out);
  } else if (start->reals.size() == 1 && delta->reals.size() == 1) {
    const auto out = c.arena().array<double>(count);
    for (std::size_t i = 0; i < count; ++i)
      out[i] = start->reals[0] + static_cast<double>(i) * delta->reals[0];
    set_reals(c, 0, out);
  }
}

constexpr std::string_view kRange = "N+1 adds, 2 FLOPs, 1 division for N elements";

constexpr Operator kShapeRows[] = {
    {.name = "Shape",
     .since = 1,
     .infer = infer_shape,
     .kind = Kind::kView,
     .formula = "a view: no work, no bytes"},
    {.name = "Size",
     .since = 1,
     .infer = infer_size,
     .kind = Kind::kView,
     .formula = "a view: no work, no bytes"},
    {.name = "Constant",
     .since = 1,
     .infer = infer_constant,
     .kind = Kind::kView,
     .formula = "a constant: no work, no bytes"},
    {.name = "ConstantOfShape",
     .since = 9,
     .infer = infer_constant_of_shape,
     .fold = fold_constant_of_shape,
     .formula = "fills data: no work"},
    {.name = "Range",
     .since = 11,
     .infer = infer_range,
     .work = work_range,
     .fold = fold_range,
     .formula = kRange},
    {.domain = kMicrosoft,
     .name = "Range",
     .infer = infer_range,
     .work = work_range,
     .fold = fold_range,
     .formula = kRange},
};

}  // namespace

const std::span<const Operator> kShape = kShapeRows;

}  // namespace ridge::ops
