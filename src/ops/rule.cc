// SPDX-License-Identifier: Apache-2.0
#include "ops/rule.h"

#include <fmt/format.h>

#include <algorithm>

#include "ops/traffic.h"

namespace ridge::ops {
namespace {

Dim broadcast_dim(Dim a, Dim b) {
  if (a.is(1)) return b;
  if (b.is(1) || a.same(b)) return a;
  // If one is a number other than 1, the result is that number for any valid value of the other.
  if (a.known()) return a;
  if (b.known()) return b;
  return {};
}

bool clash(Dim a, Dim b) {
  return a.known() && b.known() && a.value() != b.value() && a.value() != 1 && b.value() != 1;
}

bool same_sizes(const Shape& a, const Shape& b) {
  if (a.rank != b.rank) return false;
  if (a.dims == b.dims) return true;
  return std::equal(a.span().begin(), a.span().end(), b.span().begin(),
                    [](Dim x, Dim y) { return x.same(y); });
}

// Dimension `i` of `s` when right-aligned to `rank`; 1 if `s` has no such dimension.
Dim aligned(const Shape& s, std::size_t i, std::size_t rank) {
  const std::size_t skipped = rank - static_cast<std::size_t>(s.rank);
  return i < skipped ? Dim(1) : s[i - skipped];
}

}  // namespace

bool is_floating(DataType t) {
  const onnx::DataTypeInfo* info = onnx::info(t);
  return info != nullptr && info->floating;
}

bool is_integral(DataType t) {
  const onnx::DataTypeInfo* info = onnx::info(t);
  return info != nullptr && (info->integer || t == DataType::kBool);
}

std::string text(Context& c, const Shape& s) {
  if (!s.ranked()) return "?";
  std::string out = "[";
  for (const Dim& d : s.span()) {
    if (out.size() > 1) out += ',';
    out += c.dims().text(d);
  }
  return out + "]";
}

Result<void> require_inputs(const Context& c, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    if (!c.has_input(i))
      return c.fail(Fault::kMissingInput,
                    fmt::format("input {} is missing, the operator needs {}", i, n),
                    "the file is not valid ONNX; export it again");
  return {};
}

Result<void> require_rank(Context& c, std::size_t input, std::int32_t rank) {
  const Shape& s = c.input(input).shape;
  if (!s.ranked() || s.rank == rank) return {};
  return c.fail(Fault::kRank, fmt::format("input {} has shape {}, of rank {}; it must have rank {}",
                                          input, text(c, s), s.rank, rank));
}

Result<void> require_same(const Context& c, Dim a, Dim b, std::string_view what,
                          std::string_view hint) {
  if (a.known() != b.known()) c.expect_equal(a, b);
  if (!a.known() || !b.known() || a.value() == b.value()) return {};
  return c.fail(Fault::kMismatch,
                fmt::format("{}: {} and {} must be equal", what, a.value(), b.value()),
                std::string(hint));
}

const Value* integral_value(const Context& c, std::size_t input) {
  const Value* v = c.has_input(input) ? c.value(input) : nullptr;
  return v != nullptr && is_integral(v->dtype) ? v : nullptr;
}

const Value* floating_value(const Context& c, std::size_t input) {
  const Value* v = c.has_input(input) ? c.value(input) : nullptr;
  return v != nullptr && is_floating(v->dtype) ? v : nullptr;
}

std::optional<std::span<const std::int64_t>> known_integers(Context& c, std::size_t input) {
  const Value* v = integral_value(c, input);
  if (v == nullptr) return std::nullopt;
  const auto out = c.arena().array<std::int64_t>(v->ints.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!v->ints[i].known()) return std::nullopt;
    out[i] = v->ints[i].value();
  }
  return out;
}

std::optional<double> known_scalar(const Context& c, std::size_t input) {
  const Value* v = c.has_input(input) ? c.value(input) : nullptr;
  if (v == nullptr) return std::nullopt;
  if (v->reals.size() == 1) return v->reals[0];
  if (v->ints.size() == 1 && v->ints[0].known()) return static_cast<double>(v->ints[0].value());
  return std::nullopt;
}

Dim scalar_input(const Context& c, std::size_t input) {
  const Value* v = integral_value(c, input);
  return v != nullptr && v->ints.size() == 1 ? v->ints[0] : Dim();
}

Result<DataType> type_attribute(const Context& c, std::string_view name, DataType fallback) {
  const auto none = static_cast<std::int64_t>(fallback);
  const std::int64_t given = TRY(c.int_attribute(name, none));
  if (given == none) return fallback;
  if (given < 1 || given > INT32_MAX || onnx::info_of(static_cast<std::int32_t>(given)) == nullptr)
    return c.fail(Fault::kAttribute,
                  fmt::format("attribute '{}' is {}, which is not an element type", name, given));
  return static_cast<DataType>(given);
}

Result<std::int64_t> positive_attribute(const Context& c, std::string_view name) {
  const std::int64_t given = TRY(c.int_attribute(name, 0));
  if (given < 1)
    return c.fail(Fault::kAttribute,
                  fmt::format("attribute '{}' is {}, it must be at least 1", name, given));
  return given;
}

Result<std::size_t> axis_of(const Context& c, std::int64_t axis, std::size_t rank) {
  const auto n = static_cast<std::int64_t>(rank);
  if (axis < -n || axis >= n)
    return c.fail(Fault::kAxis, fmt::format("axis {} is outside [{}, {})", axis, -n, n));
  return static_cast<std::size_t>(axis < 0 ? axis + n : axis);
}

Result<std::size_t> axis_attribute(const Context& c, std::string_view name, std::int64_t fallback,
                                   std::size_t rank) {
  return axis_of(c, TRY(c.int_attribute(name, fallback)), rank);
}

Result<Axes> given_axes(Context& c, std::size_t input, std::int32_t since) {
  if (c.opset() < since) {
    const bool given = c.has_attribute("axes");
    return Axes{given, given, TRY(c.ints_attribute("axes"))};
  }
  if (!c.has_input(input)) return Axes{};
  const auto axes = known_integers(c, input);
  return Axes{true, axes.has_value(), axes.value_or(std::span<const std::int64_t>())};
}

Result<std::span<const bool>> mark_axes(Context& c, std::span<const std::int64_t> axes,
                                        std::size_t rank, Repeats repeats) {
  const auto marks = c.arena().array<bool>(rank);
  for (const std::int64_t given : axes) {
    const std::size_t axis = TRY(axis_of(c, given, rank));
    if (marks[axis] && repeats == Repeats::kForbidden)
      return c.fail(Fault::kAxis, fmt::format("axis {} is repeated", axis));
    marks[axis] = true;
  }
  return std::span<const bool>(marks);
}

Result<Shape> broadcast(Context& c, const Shape& a, const Shape& b) {
  if (!a.ranked() || !b.ranked()) return Shape{};
  if (b.rank == 0 || same_sizes(a, b)) return a;
  if (a.rank == 0) return b;
  const auto rank = static_cast<std::size_t>(std::max(a.rank, b.rank));
  const std::span<Dim> out = new_dims(c, rank);
  for (std::size_t i = 0; i < rank; ++i) {
    const Dim x = aligned(a, i, rank), y = aligned(b, i, rank);
    if (clash(x, y))
      return c.fail(Fault::kBroadcast,
                    fmt::format("shapes {} and {} do not broadcast: {} against {} at axis {} of "
                                "the result",
                                text(c, a), text(c, b), x.value(), y.value(), i),
                    "sizes must be equal or 1, aligned at the last axis");
    out[i] = broadcast_dim(x, y);
  }
  return shape_of(out);
}

Result<void> infer_broadcast(Context& c, std::size_t typed_by) {
  TRY(require_inputs(c, 1));
  Shape out = c.input(0).shape;
  for (std::size_t i = 1; i < c.input_count(); ++i)
    if (c.has_input(i)) out = TRY(broadcast(c, out, c.input(i).shape));
  set_tensor(c, 0, c.input(typed_by).dtype, out);
  return {};
}

Result<void> require_broadcast_to(Context& c, const Shape& from, const Shape& to) {
  if (!from.ranked() || !to.ranked()) return {};
  bool fits = from.rank <= to.rank;
  for (std::size_t i = 0; fits && i < static_cast<std::size_t>(to.rank); ++i) {
    const Dim x = aligned(from, i, static_cast<std::size_t>(to.rank));
    fits = !x.known() || x.is(1) || !to[i].known() || x.same(to[i]);
  }
  if (fits) return {};
  return c.fail(Fault::kBroadcast,
                fmt::format("shape {} does not broadcast to {}", text(c, from), text(c, to)));
}

Result<void> infer_same(Context& c) {
  TRY(require_inputs(c, 1));
  c.set_output(0, c.input(0));
  return {};
}

Work elementwise(Context& c, Dim n, Cost cost, DataType dtype) {
  const Dim flops = c.dims().mul(n, Dim(cost.flops)), special = c.dims().mul(n, Dim(cost.special));
  if (is_floating(dtype)) return {.flops = flops, .special = special};
  const onnx::DataTypeInfo* info = onnx::info(dtype);
  if (info == nullptr) return {.flops = Dim(), .special = Dim(), .int_ops = Dim()};
  return {.int_ops = c.dims().add(flops, special)};
}

Work sum(Context& c, const Work& a, const Work& b) {
  DimPool& p = c.dims();
  return {p.add(a.macs, b.macs), p.add(a.flops, b.flops), p.add(a.special, b.special),
          p.add(a.int_ops, b.int_ops)};
}

Part rows_of_table(Context& c, std::size_t i, Dim positions) {
  const Shape& table = c.input(i).shape;
  if (!table.ranked() || table.rank < 2) return {Dim(), Dim()};
  const Dim rows = c.dims().product(table.span().first(table.span().size() - 1));
  return {.of = rows, .read = c.dims().min(rows, positions)};
}

Traffic touches_output(Context& c) {
  Traffic out = default_traffic(c);
  // Instead of input 0 as a whole, as many bytes are read as the outputs have. If the same value is
  // also a later input (x[x]), it is read entirely there.
  out.read = c.dims().add(out.written, distinct_bytes(c, 1));
  return out;
}

}  // namespace ridge::ops
