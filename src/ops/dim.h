// A dimension or count: an integer, an interned expression of named sizes, or unknown.
//
// Integers are the common case and cost nothing; expressions are nodes of a DimPool, hash-consed and normalised, so equal expressions have
// equal ids. Elements of folded integer tensors are Dims too (Shape -> Gather -> Concat chains stay symbolic).
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

namespace ridge::ops {

class Dim {
 public:
  constexpr Dim() = default;                                                // unknown
  constexpr explicit Dim(std::int64_t value) : value_(value), expr_(kInteger) {}

  constexpr bool known() const { return expr_ == kInteger; }
  constexpr bool symbolic() const { return expr_ != kInteger && expr_ != kUnknown; }
  constexpr bool unknown() const { return expr_ == kUnknown; }
  constexpr std::int64_t value() const { return assert(known()), value_; }
  constexpr bool is(std::int64_t v) const { return known() && value_ == v; }
  constexpr std::uint32_t expression() const { return expr_; }

  /// The same integer or the same expression; two unknowns are never known to be equal.
  constexpr bool same(Dim o) const { return !unknown() && expr_ == o.expr_ && (!known() || value_ == o.value_); }
  /// Identity of the representation (for hashing and interning; unknown == unknown).
  constexpr bool operator==(const Dim&) const = default;

 private:
  friend class DimPool;
  static constexpr std::uint32_t kInteger = 0xfffffffe, kUnknown = 0xffffffff;
  std::int64_t value_ = 0;
  std::uint32_t expr_ = kUnknown;
};

/// Makes, simplifies and evaluates expressions. Not thread-safe. Arithmetic on integers is checked: overflow gives unknown and sets
/// overflowed(), which the resolver turns into an input error.
class DimPool {
 public:
  Dim symbol(std::string_view name);
  Dim add(Dim a, Dim b);
  Dim sub(Dim a, Dim b);
  Dim mul(Dim a, Dim b);
  Dim floor_div(Dim a, Dim b);
  Dim ceil_div(Dim a, Dim b);
  Dim mod(Dim a, Dim b);
  Dim min(Dim a, Dim b);
  Dim max(Dim a, Dim b);
  Dim product(std::span<const Dim> dims);

  bool overflowed() const { return overflowed_; }
  void clear_overflow() { overflowed_ = false; }

  /// "4*batch*sequence + 2"; "?" for unknown.
  std::string text(Dim d) const;
  /// With symbol values; nullopt where a symbol has none, on unknown and on overflow.
  std::optional<std::int64_t> evaluate(Dim d, const std::function<std::optional<std::int64_t>(std::string_view)>& size) const;
  /// Names of the symbols in `d`, sorted, each once.
  std::vector<std::string> symbols(Dim d) const;

 private:
  enum class Kind : std::uint8_t { kSymbol, kSum, kProduct, kFloorDiv, kCeilDiv, kMod, kMin, kMax };
  struct Expr {
    Kind kind;
    std::string name;          // kSymbol
    std::vector<Dim> terms;    // operands, in canonical order
  };
  Dim intern(Expr e);
  std::vector<Expr> exprs_;
  std::unordered_map<std::string, std::uint32_t> index_;  // canonical text -> id
  bool overflowed_ = false;
};

}  // namespace ridge::ops
