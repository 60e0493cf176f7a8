// What the rules share: output shapes, axes, broadcasting, costs, traffic.
//
// Everything made here lives in the Context's arena; nothing is allocated otherwise.
// Errors are those of Context::fail.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

#include "ops/operator.h"

namespace ridge::ops {

// Types

/// Floating of any width. A type that is not known is neither floating nor integral.
bool is_floating(DataType t);
/// Integer or bool.
bool is_integral(DataType t);

/// Room for `rank` dimensions, unknown until filled in.
inline std::span<Dim> new_dims(Context& c, std::size_t rank) { return c.arena().array<Dim>(rank); }
/// The shape of dimensions that lie in the arena already.
inline Shape shape_of(std::span<const Dim> dims) {
  return {dims.data(), static_cast<std::int32_t>(dims.size())};
}
inline void set_tensor(Context& c, std::size_t i, DataType dtype, const Shape& shape) {
  c.set_output(i, {dtype, Container::kTensor, shape});
}
inline void set_tensor(Context& c, std::size_t i, DataType dtype, std::span<const Dim> dims) {
  set_tensor(c, i, dtype, shape_of(dims));
}
/// "[1,3,224,224]", "[?]" for a dimension and "?" for a rank that is not known.
std::string text(Context& c, const Shape& s);

// Inputs

/// An error unless the first `n` inputs are given.
Result<void> require_inputs(const Context& c, std::size_t n);
/// An error where the rank of an input is known and not `rank`.
Result<void> require_rank(Context& c, std::size_t input, std::int32_t rank);
/// An error where both sizes are known and differ; `what` says which, "channels of input 0".
Result<void> require_same(const Context& c, Dim a, Dim b, std::string_view what,
                          std::string_view hint = {});
/// The constant of an input where its elements are integers or flags, else nullptr.
const Value* integral_value(const Context& c, std::size_t input);
/// The same for reals.
const Value* floating_value(const Context& c, std::size_t input);
/// All integers of a constant input, in the arena; nullopt where it is absent or not all known.
std::optional<std::span<const std::int64_t>> known_integers(Context& c, std::size_t input);
/// The single number of a constant input, integer or real; nullopt where it is none.
std::optional<double> known_scalar(const Context& c, std::size_t input);
/// The single element of a constant integer input, symbolic or not; unknown where it is none.
Dim scalar_input(const Context& c, std::size_t input);

// Attributes

/// The element type whose number the attribute `name` holds; an error for a number that is none.
Result<DataType> type_attribute(const Context& c, std::string_view name, DataType fallback);
/// The attribute `name`; an error where it is below 1, also where it is absent.
Result<std::int64_t> positive_attribute(const Context& c, std::string_view name);

// Axes

/// `axis` counted from the front; an error outside [-rank, rank).
Result<std::size_t> axis_of(const Context& c, std::int64_t axis, std::size_t rank);
/// The attribute `name`, counted from the front.
Result<std::size_t> axis_attribute(const Context& c, std::string_view name, std::int64_t fallback,
                                   std::size_t rank);

/// Axes from the attribute "axes" before opset `since`, from input `input` from then on.
struct Axes {
  bool given = false;                       ///< there is an attribute or input at all
  bool known = false;                       ///< and its integers are
  std::span<const std::int64_t> axes = {};  ///< as given, not checked
};
Result<Axes> given_axes(Context& c, std::size_t input, std::int32_t since);
/// One flag per dimension. An error for an axis outside the rank or, where `once`, named twice.
enum class Repeats : std::uint8_t { kForbidden, kAllowed };
Result<std::span<const bool>> mark_axes(Context& c, std::span<const std::int64_t> axes,
                                        std::size_t rank, Repeats repeats);

// Broadcasting (numpy rules, ONNX docs/Broadcasting.md)

Result<Shape> broadcast(Context& c, const Shape& a, const Shape& b);
/// Sets output 0 to the broadcast of all inputs, with the type of input `typed_by`.
Result<void> infer_broadcast(Context& c, std::size_t typed_by);
/// An error unless `from` broadcasts to `to` without changing it.
Result<void> require_broadcast_to(Context& c, const Shape& from, const Shape& to);

// Shape rules that many operators share

/// Output 0 has the type and shape of input 0.
Result<void> infer_same(Context& c);
/// The same, with the elements `dtype`.
template <DataType dtype>
Result<void> infer_same_as(Context& c) {
  TRY(require_inputs(c, 1));
  set_tensor(c, 0, dtype, c.input(0).shape);
  return {};
}

// Work

/// Operations per element; on integer tensors both are integer operations.
struct Cost {
  std::int32_t flops = 0, special = 0;
};

/// `n` times `cost`, of the kind that `dtype` makes it. A type that is not known makes all unknown.
Work elementwise(Context& c, Dim n, Cost cost, DataType dtype);
/// Sums of work.
Work sum(Context& c, const Work& a, const Work& b);

/// `cost` per element of output 0, of the kind that input 0's type makes it.
template <Cost cost>
Work per_output(Context& c) {
  return elementwise(c, c.elements(c.output(0).shape), cost, c.input(0).dtype);
}
/// `cost` per element of input 0.
template <Cost cost>
Work per_input(Context& c) {
  return elementwise(c, c.elements(c.input(0).shape), cost, c.input(0).dtype);
}
/// `n` integer operations per element of output 0, also on bool.
template <std::int32_t n>
Work int_ops_per_output(Context& c) {
  return {.int_ops = c.dims().mul(c.elements(c.output(0).shape), Dim(n))};
}

// Rows

inline constexpr std::string_view kMicrosoft = "com.microsoft", kMl = "ai.onnx.ml";

// Formulas of rows without work.
inline constexpr std::string_view kMoves = "moves data: no work";
inline constexpr std::string_view kMovesKept = "moves data: no work; reads what it keeps";

/// Of a domain whose operators have one version each.
constexpr Operator row(std::string_view domain, std::string_view name,
                       Result<void> (*infer)(Context&), Work (*work)(Context&),
                       std::string_view formula) {
  return {.domain = domain, .name = name, .infer = infer, .work = work, .formula = formula};
}

// Traffic

/// Reads as much as it writes, plus all inputs but the first: Gather, Slice and the like.
Traffic touches_output(Context& c);

/// Elements of input `i`.
inline Dim in(Context& c, std::size_t i) { return c.elements(c.input(i).shape); }

inline Dim product(DimPool& p, std::initializer_list<Dim> dims) {
  return p.product(std::span(dims.begin(), dims.size()));
}

}  // namespace ridge::ops
