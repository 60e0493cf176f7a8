// SPDX-License-Identifier: Apache-2.0
// Helpers shared by the rules: output shapes, axes, broadcasting, costs, traffic.
//
// Objects created here live in the Context's arena; there is no other allocation.
// Errors: as Context::fail.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

#include "ops/operator.h"

namespace ridge::ops {

// Types

/// True for floating-point types of any width. An unknown type is neither floating nor integral.
bool is_floating(DataType t);
/// True for integer types and bool.
bool is_integral(DataType t);

/// Allocates `rank` dimensions, initially unknown.
inline std::span<Dim> new_dims(Context& c, std::size_t rank) { return c.arena().array<Dim>(rank); }
/// Shape of dimensions that are already in the arena.
inline Shape shape_of(std::span<const Dim> dims) {
  return {dims.data(), static_cast<std::int32_t>(dims.size())};
}
inline void set_tensor(Context& c, std::size_t i, DataType dtype, const Shape& shape) {
  c.set_output(i, {dtype, Container::kTensor, shape});
}
inline void set_tensor(Context& c, std::size_t i, DataType dtype, std::span<const Dim> dims) {
  set_tensor(c, i, dtype, shape_of(dims));
}
/// Text such as "[1,3,224,224]", with "?" for an unknown dimension; "?" for an unknown rank.
std::string text(Context& c, const Shape& s);

// Inputs

/// Fails unless the first `n` inputs are given.
Result<void> require_inputs(const Context& c, std::size_t n);
/// Fails if the rank of an input is known and not `rank`.
Result<void> require_rank(Context& c, std::size_t input, std::int32_t rank);
/// Fails if both sizes are known and differ; `what` names them, such as "channels of input 0".
Result<void> require_same(const Context& c, Dim a, Dim b, std::string_view what,
                          std::string_view hint = {});
/// Constant of an input if its elements are integers or bool, else nullptr.
const Value* integral_value(const Context& c, std::size_t input);
/// Constant of an input if its elements are floating-point numbers, else nullptr.
const Value* floating_value(const Context& c, std::size_t input);
/// All integers of a constant input, in the arena; nullopt if it is absent or not fully known.
std::optional<std::span<const std::int64_t>> known_integers(Context& c, std::size_t input);
/// Single number of a constant input, integer or real; nullopt if there is none.
std::optional<double> known_scalar(const Context& c, std::size_t input);
/// Single element of a constant integer input, possibly symbolic; unknown if there is none.
Dim scalar_input(const Context& c, std::size_t input);

// Attributes

/// Element type given by number in the attribute `name`; fails for an invalid number.
Result<DataType> type_attribute(const Context& c, std::string_view name, DataType fallback);
/// Value of the attribute `name`; fails if it is below 1 or absent.
Result<std::int64_t> positive_attribute(const Context& c, std::string_view name);

// Axes

/// Normalizes a possibly negative `axis`; fails outside [-rank, rank).
Result<std::size_t> axis_of(const Context& c, std::int64_t axis, std::size_t rank);
/// Value of the attribute `name` as a normalized axis.
Result<std::size_t> axis_attribute(const Context& c, std::string_view name, std::int64_t fallback,
                                   std::size_t rank);

/// Axes of an operator: from the attribute "axes" before opset `since`, from input `input` since.
struct Axes {
  bool given = false;                       ///< the attribute or input is present
  bool known = false;                       ///< its integers are known
  std::span<const std::int64_t> axes = {};  ///< as given, not validated
};
Result<Axes> given_axes(Context& c, std::size_t input, std::int32_t since);
/// Flag per dimension that is among `axes`. Fails for an axis outside the rank, and for a repeated
/// one if `repeats` is kForbidden.
enum class Repeats : std::uint8_t { kForbidden, kAllowed };
Result<std::span<const bool>> mark_axes(Context& c, std::span<const std::int64_t> axes,
                                        std::size_t rank, Repeats repeats);

// Broadcasting (numpy rules, ONNX docs/Broadcasting.md)

Result<Shape> broadcast(Context& c, const Shape& a, const Shape& b);
/// Sets output 0 to the broadcast of all inputs, with the type of input `typed_by`.
Result<void> infer_broadcast(Context& c, std::size_t typed_by);
/// Fails unless `from` broadcasts to `to` without changing it.
Result<void> require_broadcast_to(Context& c, const Shape& from, const Shape& to);

// Shape rules shared by many operators

/// Gives output 0 the type and shape of input 0.
Result<void> infer_same(Context& c);
/// Gives output 0 the shape of input 0, with element type `dtype`.
template <DataType dtype>
Result<void> infer_same_as(Context& c) {
  TRY(require_inputs(c, 1));
  set_tensor(c, 0, dtype, c.input(0).shape);
  return {};
}

// Work

/// Operations per element; on integer types, both count as integer operations.
struct Cost {
  std::int32_t flops = 0, special = 0;
};

/// Work of `n` times `cost`, of the kind implied by `dtype`; all unknown if the type is unknown.
Work elementwise(Context& c, Dim n, Cost cost, DataType dtype);
/// Sum of two works, except macs_max.
Work sum(Context& c, const Work& a, const Work& b);

/// Work rule: `cost` per element of output 0, of the kind implied by the type of input 0.
template <Cost cost>
Work per_output(Context& c) {
  return elementwise(c, c.elements(c.output(0).shape), cost, c.input(0).dtype);
}
/// Work rule: `cost` per element of input 0.
template <Cost cost>
Work per_input(Context& c) {
  return elementwise(c, c.elements(c.input(0).shape), cost, c.input(0).dtype);
}
/// Work rule: `n` integer operations per element of output 0, also for bool.
template <std::int32_t n>
Work int_ops_per_output(Context& c) {
  return {.int_ops = c.dims().mul(c.elements(c.output(0).shape), Dim(n))};
}

// Rows

inline constexpr std::string_view kMicrosoft = "com.microsoft", kMl = "ai.onnx.ml";

// Formulas for rows without work.
inline constexpr std::string_view kMoves = "moves data: no work";
inline constexpr std::string_view kMovesKept = "moves data: no work; reads what it keeps";

/// Row for a domain whose operators have only one version.
constexpr Operator row(std::string_view domain, std::string_view name,
                       Result<void> (*infer)(Context&), Work (*work)(Context&),
                       std::string_view formula) {
  return {.domain = domain, .name = name, .infer = infer, .work = work, .formula = formula};
}

// Traffic

/// Traffic rule of Gather, Slice and similar: reads as many bytes as are written, plus all inputs
/// but the first.
Traffic touches_output(Context& c);

/// Part rule of a table of which positions name rows (cosines and sines of a rotary embedding,
/// [rows, width]): at most one row per position is read.
Part rows_of_table(Context& c, std::size_t i, Dim positions);

/// Number of elements of input `i`.
inline Dim in(Context& c, std::size_t i) { return c.elements(c.input(i).shape); }

inline Dim product(DimPool& p, std::initializer_list<Dim> dims) {
  return p.product(std::span(dims.begin(), dims.size()));
}

}  // namespace ridge::ops
