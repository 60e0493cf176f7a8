// SPDX-License-Identifier: Apache-2.0
// Helpers for value rules, which compute small constants (mostly the shape arithmetic of
// exporters).
//
// A value rule runs after the shape rule. It sets an output only if the output's shape and all
// operands are known, and never fails. Elements of integer tensors may individually be symbolic or
// unknown. Integer arithmetic that does not fit the type results in unknown elements, not in an
// error: an unused constant may have any value.
#pragma once

#include <cstdint>
#include <span>

#include "ops/rule.h"

namespace ridge::ops {

/// Longer generated real constants are not kept: scales, bounds and the like are short, weights are
/// not.
inline constexpr std::int64_t kMaxGeneratedReals = 64;

/// Number of elements of output `i`; -1 if its shape is unknown or too large to fold.
std::int64_t foldable(Context& c, std::size_t i);
/// Sets output `i` to integer or bool elements stored in the arena; those outside the range of the
/// output's type become unknown.
void set_ints(Context& c, std::size_t i, std::span<Dim> elements);
/// Sets output `i` to real elements stored in the arena, rounded to float if that is its type.
void set_reals(Context& c, std::size_t i, std::span<double> elements);

/// For each element of `to` (known), the flat index of the element of `from` that broadcasts to it.
/// Example: from [2, 1] to [2, 3] is {0, 0, 0, 1, 1, 1}.
std::span<const std::uint32_t> broadcast_index(Context& c, const Shape& from, const Shape& to);

/// Multi-dimensional index in row-major order over a known shape.
class Odometer {
 public:
  Odometer(Context& c, const Shape& shape)
      : dims_(shape.span()), at_(c.arena().array<std::int64_t>(dims_.size())) {}
  std::int64_t operator[](std::size_t axis) const { return at_[axis]; }
  void next() {
    for (std::size_t i = dims_.size(); i-- > 0;) {
      if (++at_[i] < dims_[i].value()) return;
      at_[i] = 0;
    }
  }

 private:
  std::span<const Dim> dims_;
  std::span<std::int64_t> at_;
};

/// Row-major strides of a known shape, in elements.
std::span<const std::int64_t> strides_of(Context& c, const Shape& shape);

/// Sets output `i` to elements of `from` at the flat positions returned by `source()`, which is
/// called once per element in row-major order and may keep a counter. A position outside `from` (a
/// declared shape that contradicts the constant) leaves the output without a value.
template <typename Source>
void fold_moved(Context& c, std::size_t i, const Value& from, Source source) {
  const std::int64_t n = foldable(c, i);
  if (n < 0) return;
  const bool real = is_floating(from.dtype);
  const std::size_t held = real ? from.reals.size() : from.ints.size();
  const auto reals = c.arena().array<double>(real ? static_cast<std::size_t>(n) : 0);
  const auto ints = c.arena().array<Dim>(real ? 0 : static_cast<std::size_t>(n));
  for (std::size_t k = 0; k < static_cast<std::size_t>(n); ++k) {
    const std::size_t at = source();
    if (at >= held) return;
    if (real)
      reals[k] = from.reals[at];
    else
      ints[k] = from.ints[at];
  }
  if (real)
    set_reals(c, i, reals);
  else if (is_integral(from.dtype))
    set_ints(c, i, ints);
}
/// Sets output 0 to the elements of input 0 in the same order (Reshape and similar).
void fold_same(Context& c);

using IntRule = Dim (*)(DimPool&, Dim, Dim);
using RealRule = double (*)(double, double);
using UnaryIntRule = Dim (*)(DimPool&, Dim);
using UnaryRealRule = double (*)(double);

/// Combines all inputs, broadcast, from left to right. A null rule disables folding for that
/// element kind.
void fold_chain(Context& c, IntRule ints, RealRule reals);
template <IntRule ints, RealRule reals>
void fold_chain(Context& c) {
  fold_chain(c, ints, reals);
}
/// As fold_chain, for two inputs with a bool output; `reals` returns 0 or 1 and may be null.
void fold_compare(Context& c, IntRule ints, RealRule reals);
template <IntRule ints, RealRule reals>
void fold_compare(Context& c) {
  fold_compare(c, ints, reals);
}
/// Applies a rule to each element of input 0.
void fold_unary(Context& c, UnaryIntRule ints, UnaryRealRule reals);
template <UnaryIntRule ints, UnaryRealRule reals>
void fold_unary(Context& c) {
  fold_unary(c, ints, reals);
}

// ONNX integer arithmetic on elements that may be symbolic.
Dim fold_add(DimPool& p, Dim a, Dim b);
Dim fold_sub(DimPool& p, Dim a, Dim b);
Dim fold_mul(DimPool& p, Dim a, Dim b);
/// Rounds towards zero, as in C.
Dim fold_div(DimPool& p, Dim a, Dim b);
/// The result has the sign of the divisor, as in Python.
Dim fold_mod(DimPool& p, Dim a, Dim b);
Dim fold_min(DimPool& p, Dim a, Dim b);
Dim fold_max(DimPool& p, Dim a, Dim b);
/// Returns 0, 1 or unknown.
Dim fold_equal(DimPool& p, Dim a, Dim b);
Dim fold_less(DimPool& p, Dim a, Dim b);

}  // namespace ridge::ops
