// SPDX-License-Identifier: Apache-2.0
#include "ops/fold.h"

#include <algorithm>
#include <numeric>

namespace ridge::ops {
namespace {

bool fits(const onnx::DataTypeInfo& info, std::int64_t x) {
  if (info.type == DataType::kBool) return x == 0 || x == 1;
  if (info.bits >= 64) return info.type == DataType::kInt64 || x >= 0;
  const bool is_signed = info.name.front() == 'i';
  const std::int64_t span = std::int64_t{1} << (is_signed ? info.bits - 1 : info.bits);
  return x < span && x >= (is_signed ? -span : 0);
}

Dim checked(std::optional<std::int64_t> x) { return x ? Dim(*x) : Dim(); }

// Before opset 7 an attribute controls broadcasting; only operands that do not need it are folded.
bool broadcasts_by_attribute(const Context& c, const Value& v) {
  return c.opset() < 7 && c.node().domain.empty() && v.ints.size() + v.reals.size() != 1 &&
         v.shape.rank != c.output(0).shape.rank;
}

// True if there are inputs and all are constants of this kind.
bool all_inputs(Context& c, bool (*kind)(DataType)) {
  for (std::size_t i = 0; i < c.input_count(); ++i)
    if (!c.has_input(i) || c.value(i) == nullptr || !kind(c.value(i)->dtype) ||
        broadcasts_by_attribute(c, *c.value(i)))
      return false;
  return c.input_count() > 0;
}

std::span<Dim> chained_ints(Context& c, std::int64_t n, IntRule rule) {
  const Shape& to = c.output(0).shape;
  const auto out = c.arena().array<Dim>(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < c.input_count(); ++i) {
    const Value& v = *c.value(i);
    const auto at = broadcast_index(c, v.shape, to);
    for (std::size_t k = 0; k < out.size(); ++k)
      out[k] = i == 0 ? v.ints[at[k]] : rule(c.dims(), out[k], v.ints[at[k]]);
  }
  return out;
}

std::span<double> chained_reals(Context& c, std::int64_t n, RealRule rule) {
  const Shape& to = c.output(0).shape;
  const auto out = c.arena().array<double>(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < c.input_count(); ++i) {
    const Value& v = *c.value(i);
    const auto at = broadcast_index(c, v.shape, to);
    for (std::size_t k = 0; k < out.size(); ++k)
      out[k] = i == 0 ? v.reals[at[k]] : rule(out[k], v.reals[at[k]]);
  }
  return out;
}

}  // namespace

std::int64_t foldable(Context& c, std::size_t i) {
  if (!c.wants_output(i)) return -1;
  const Shape& s = c.output(i).shape;
  if (!s.known()) return -1;
  std::int64_t n = 1;
  for (const Dim& d : s.span()) {
    const auto product = checked_mul(n, d.value());
    if (!product || *product < 0) return -1;
    n = *product;
  }
  return n <= kMaxFolded ? n : -1;
}

void set_ints(Context& c, std::size_t i, std::span<Dim> elements) {
  const Type& type = c.output(i);
  const onnx::DataTypeInfo* info = onnx::info(type.dtype);
  if (info == nullptr) return;
  for (Dim& d : elements)
    if (d.known() && !fits(*info, d.value())) d = Dim();
  c.set_value(i, {type.dtype, type.shape, elements, {}});
}

void set_reals(Context& c, std::size_t i, std::span<double> elements) {
  const Type& type = c.output(i);
  if (type.dtype == DataType::kFloat)
    for (double& x : elements) x = static_cast<double>(static_cast<float>(x));
  c.set_value(i, {type.dtype, type.shape, {}, elements});
}

std::span<const std::int64_t> strides_of(Context& c, const Shape& shape) {
  const auto strides = c.arena().array<std::int64_t>(shape.span().size());
  std::int64_t stride = 1;
  for (std::size_t i = strides.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= shape[i].value();
  }
  return strides;
}

std::span<const std::uint32_t> broadcast_index(Context& c, const Shape& from, const Shape& to) {
  const Dim n = c.dims().product(to.span());
  const auto out = c.arena().array<std::uint32_t>(static_cast<std::size_t>(n.value()));
  if (c.dims().product(from.span()).is(1)) return out;
  const auto skipped = static_cast<std::size_t>(to.rank - from.rank);
  const auto strides = strides_of(c, from);
  Odometer at(c, to);
  for (std::uint32_t& position : out) {
    std::int64_t flat = 0;
    for (std::size_t i = 0; i < strides.size(); ++i)
      if (!from[i].is(1)) flat += strides[i] * at[i + skipped];
    position = static_cast<std::uint32_t>(flat);
    at.next();
  }
  return out;
}

void fold_same(Context& c) {
  const Value* v = c.value(0);
  if (v != nullptr) fold_moved(c, 0, *v, [k = std::size_t{0}]() mutable { return k++; });
}

void fold_chain(Context& c, IntRule ints, RealRule reals) {
  const std::int64_t n = foldable(c, 0);
  if (n < 0) return;
  if (ints != nullptr && all_inputs(c, is_integral))
    set_ints(c, 0, chained_ints(c, n, ints));
  else if (reals != nullptr && all_inputs(c, is_floating))
    set_reals(c, 0, chained_reals(c, n, reals));
}

void fold_compare(Context& c, IntRule ints, RealRule reals) {
  const std::int64_t n = foldable(c, 0);
  if (n < 0) return;
  if (all_inputs(c, is_integral)) {
    set_ints(c, 0, chained_ints(c, n, ints));
  } else if (reals != nullptr && all_inputs(c, is_floating)) {
    const auto flags = chained_reals(c, n, reals);
    const auto out = c.arena().array<Dim>(flags.size());
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = Dim(flags[k] != 0 ? 1 : 0);
    set_ints(c, 0, out);
  }
}

void fold_unary(Context& c, UnaryIntRule ints, UnaryRealRule reals) {
  const Value* v = c.value(0);
  if (v == nullptr || foldable(c, 0) < 0) return;
  if (ints != nullptr && is_integral(v->dtype)) {
    const auto out = c.arena().copy(v->ints);
    for (Dim& d : out) d = ints(c.dims(), d);
    set_ints(c, 0, out);
  } else if (reals != nullptr && is_floating(v->dtype)) {
    const auto out = c.arena().copy(v->reals);
    for (double& x : out) x = reals(x);
    set_reals(c, 0, out);
  }
}

Dim fold_add(DimPool& p, Dim a, Dim b) {
  return a.known() && b.known() ? checked(checked_add(a.value(), b.value())) : p.add(a, b);
}

Dim fold_sub(DimPool& p, Dim a, Dim b) {
  return a.known() && b.known() ? checked(checked_sub(a.value(), b.value())) : p.sub(a, b);
}

Dim fold_mul(DimPool& p, Dim a, Dim b) {
  return a.known() && b.known() ? checked(checked_mul(a.value(), b.value())) : p.mul(a, b);
}

Dim fold_div(DimPool& p, Dim a, Dim b) {
  if (b.is(0)) return {};
  if (b.is(-1)) return fold_sub(p, Dim(0), a);
  if (a.known() && b.known()) return Dim(a.value() / b.value());
  // Rounding down equals rounding towards zero if nothing is negative or the division is exact.
  const Dim quotient = p.floor_div(a, b);
  const bool safe = (p.nonnegative(a) && p.nonnegative(b)) || p.mul(quotient, b).same(a);
  return safe ? quotient : Dim();
}

Dim fold_mod(DimPool& p, Dim a, Dim b) {
  if (b.is(0)) return {};
  if (b.is(-1) || b.is(1)) return Dim(0);
  return p.mod(a, b);
}

Dim fold_min(DimPool& p, Dim a, Dim b) { return p.min(a, b); }
Dim fold_max(DimPool& p, Dim a, Dim b) { return p.max(a, b); }

Dim fold_equal(DimPool& p, Dim a, Dim b) {
  if (a.known() && b.known()) return Dim(a.value() == b.value() ? 1 : 0);
  if (a.same(b)) return Dim(1);
  const Dim below = fold_less(p, a, b), above = fold_less(p, b, a);
  return below.is(1) || above.is(1) ? Dim(0) : Dim();
}

Dim fold_less(DimPool& p, Dim a, Dim b) {
  if (a.known() && b.known()) return Dim(a.value() < b.value() ? 1 : 0);
  const Dim gap = p.sub(b, a);
  if (p.nonnegative(p.sub(gap, Dim(1)))) return Dim(1);
  return p.nonnegative(p.sub(a, b)) ? Dim(0) : Dim();
}

}  // namespace ridge::ops
