// SPDX-License-Identifier: Apache-2.0
// A dimension or count: an integer, an interned expression of named sizes, or unknown.
//
// Integers are the common case and need no pool. Expressions are nodes of a DimPool, hash-consed
// and normalized, so equal expressions have equal ids. Elements of folded integer tensors are Dims
// too, so Shape -> Gather -> Concat chains stay symbolic.
//
//   Dim rows = pool.mul(batch, Dim(128));   if (rows.known()) use(rows.value());
#pragma once

#include <cassert>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/checked.h"

namespace ridge::ops {

class Dim {
 public:
  constexpr Dim() = default;  // unknown
  /// Integers whose encoding is reserved for expressions become unknown; no real size is near them.
  constexpr explicit Dim(std::int64_t value) : bits_(tagged(value) ? kUnknown : value) {}

  constexpr bool known() const { return !tagged(bits_); }
  constexpr bool symbolic() const { return tagged(bits_) && bits_ != kUnknown; }
  constexpr bool unknown() const { return bits_ == kUnknown; }
  constexpr std::int64_t value() const { return assert(known()), bits_; }
  constexpr bool is(std::int64_t v) const { return bits_ == v && known(); }
  constexpr std::uint32_t expression() const { return static_cast<std::uint32_t>(bits_ - kFirst); }

  /// True if both are the same integer or expression; false for two unknowns.
  constexpr bool same(Dim o) const { return bits_ == o.bits_ && !unknown(); }
  /// Equality of representations, for hashing and interning; here unknown == unknown.
  constexpr bool operator==(const Dim&) const = default;

 private:
  friend class DimPool;
  // Eight bytes, since models have millions of them: a range of 2^32 integers encodes expressions.
  // It is far from 0 and from the ends of the int64 range, which slices use for "to the end".
  static constexpr std::int64_t kFirst = -(std::int64_t{0x5bd1e995} << 32);
  static constexpr std::int64_t kUnknown = kFirst + 0xffffffff;
  static constexpr bool tagged(std::int64_t bits) { return bits >= kFirst && bits <= kUnknown; }
  static constexpr Dim of_expression(std::uint32_t id) {
    Dim d;
    d.bits_ = kFirst + id;
    return d;
  }
  std::int64_t bits_ = kUnknown;
};

/// Creates, simplifies and evaluates expressions. Not thread-safe. Integer arithmetic is checked:
/// overflow results in unknown and sets overflowed(), which the resolver reports as an input error.
///
/// Normal form: a polynomial, that is, a sum of integer × product of *atoms*; an atom is a symbol
/// (a size, so at least 0) or a quotient, minimum or maximum that cannot be simplified. Expressions
/// that would exceed a fixed size become unknown, so every traversal of one is bounded.
class DimPool {
 public:
  Dim symbol(std::string_view name);
  Dim add(Dim a, Dim b) {
    return a.known() && b.known() ? integer(checked_add(a.value(), b.value())) : add_terms(a, b, 1);
  }
  Dim sub(Dim a, Dim b) {
    return a.known() && b.known() ? integer(checked_sub(a.value(), b.value()))
                                  : add_terms(a, b, -1);
  }
  Dim mul(Dim a, Dim b) {
    return a.known() && b.known() ? integer(checked_mul(a.value(), b.value())) : mul_terms(a, b);
  }
  /// Rounds towards minus infinity; unknown if `b` is 0. Exact divisions simplify: (4*s)/4 is s.
  Dim floor_div(Dim a, Dim b);
  /// Rounds towards plus infinity; a symbolic `b` is assumed to be positive.
  Dim ceil_div(Dim a, Dim b);
  /// Returns a - b * floor_div(a, b), which has the sign of the divisor.
  Dim mod(Dim a, Dim b);
  Dim min(Dim a, Dim b);
  Dim max(Dim a, Dim b);
  Dim product(std::span<const Dim> dims) {
    std::int64_t all = 1;
    bool plain = true;
    for (const Dim& d : dims)
      plain = plain && d.known() && !__builtin_mul_overflow(all, d.value(), &all);
    if (plain) [[likely]]
      return Dim(all);
    Dim out(1);
    for (const Dim& d : dims) out = mul(out, d);
    return out;
  }

  /// True if `d` is certainly not negative (symbols are sizes).
  bool nonnegative(Dim d) const;

  bool overflowed() const { return overflowed_; }
  void clear_overflow() { overflowed_ = false; }

  /// Text such as "4*batch*sequence^2 + 2"; "?" for unknown.
  std::string text(Dim d) const;
  using SizeOf = std::function<std::optional<std::int64_t>(std::string_view)>;
  /// Value for given symbols; nullopt if a symbol has no value, if `d` is unknown, on overflow and
  /// on division by 0.
  std::optional<std::int64_t> evaluate(Dim d, const SizeOf& size) const;
  /// Returns the names of the symbols in `d`, sorted, each once.
  std::vector<std::string> symbols(Dim d) const;

  /// Coefficient times a product of atoms; an atom is repeated for each power.
  struct Monomial {
    std::int64_t coefficient = 0;
    std::vector<Dim> atoms;
  };
  /// Returns the terms of `d`, highest degree first; empty if it is 0 or unknown.
  std::vector<Monomial> monomials(Dim d) const;
  /// True for a named size, false for a quotient, minimum or maximum.
  bool is_symbol(Dim d) const {
    return d.symbolic() && exprs_[d.expression()].kind == Kind::kSymbol;
  }
  /// True if some expression exceeded the fixed size and became unknown.
  bool outgrown() const { return outgrown_; }

 private:
  enum class Kind : std::uint8_t { kSymbol, kPolynomial, kFloorDiv, kMin, kMax };
  struct Term {
    std::int64_t coefficient;
    std::vector<std::uint32_t> atoms;  // ascending ids, repeated for powers
  };
  using Polynomial = std::vector<Term>;  // graded lexicographic order, no zero coefficient
  struct Expr {
    Kind kind;
    std::string name;  // kSymbol
    Dim a, b;          // kFloorDiv, kMin, kMax
    Polynomial terms;  // kPolynomial
    std::size_t size;  // number of symbols and integers in its text
  };
  struct Division {
    Polynomial quotient, remainder;
  };

  Dim integer(std::optional<std::int64_t> value) {
    if (value) return Dim(*value);
    overflowed_ = true;
    return {};
  }
  Dim add_terms(Dim a, Dim b, std::int64_t sign);
  Dim mul_terms(Dim a, Dim b);
  Dim extreme(Kind kind, Dim a, Dim b);
  Polynomial polynomial(Dim d) const;
  Dim simplest(Polynomial terms);
  Dim atom(Kind kind, Dim a, Dim b);
  Dim intern(Expr e);
  bool accumulate(Polynomial& into, Term term);
  std::optional<Division> divide(Polynomial a, const Polynomial& b);
  std::size_t size(Dim d) const { return d.symbolic() ? exprs_[d.expression()].size : 1; }
  std::string text(const Term& term) const;
  void collect(Dim d, std::vector<std::string>& names) const;

  std::vector<Expr> exprs_;
  std::unordered_map<std::string, std::uint32_t> index_;  // serialized expression -> id
  bool overflowed_ = false, outgrown_ = false;
};

}  // namespace ridge::ops
