// SPDX-License-Identifier: Apache-2.0
#include "ops/dim.h"

#include <fmt/format.h>

#include <algorithm>
#include <compare>

namespace ridge::ops {
namespace {

// Limit on the size of an expression: a larger one is useless to a reader, so it becomes unknown.
// It also bounds every recursion below.
constexpr std::size_t kMaxSize = 256;
constexpr std::size_t kMaxDegree = 16;

// Graded lexicographic order: higher degree first, then smaller atom ids first. In this order
// polynomial long division is exact whenever the quotient is a polynomial.
std::strong_ordering order(const std::vector<std::uint32_t>& a,
                           const std::vector<std::uint32_t>& b) {
  if (a.size() != b.size()) return b.size() <=> a.size();
  return a <=> b;
}

std::vector<std::uint32_t> times(const std::vector<std::uint32_t>& a,
                                 const std::vector<std::uint32_t>& b) {
  std::vector<std::uint32_t> out(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), out.begin());
  return out;
}

// Quotient a / b of two products of atoms (multisets); nullopt if b does not divide a.
std::optional<std::vector<std::uint32_t>> over(const std::vector<std::uint32_t>& a,
                                               const std::vector<std::uint32_t>& b) {
  if (!std::includes(a.begin(), a.end(), b.begin(), b.end())) return std::nullopt;
  std::vector<std::uint32_t> out;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

}  // namespace

Dim DimPool::symbol(std::string_view name) {
  return intern({Kind::kSymbol, std::string(name), {}, {}, {}, 1});
}

Dim DimPool::add_terms(Dim a, Dim b, std::int64_t sign) {
  if (a.unknown() || b.unknown()) return {};
  Polynomial sum = polynomial(a);
  for (Term& term : polynomial(b)) {
    const auto coefficient = checked_mul(term.coefficient, sign);
    if (!coefficient) return integer(std::nullopt);
    term.coefficient = *coefficient;
    if (!accumulate(sum, std::move(term))) return {};
  }
  return simplest(std::move(sum));
}

Dim DimPool::mul_terms(Dim a, Dim b) {
  if (a.is(0) || b.is(0)) return Dim(0);
  if (a.is(1)) return b;
  if (b.is(1)) return a;
  if (a.unknown() || b.unknown()) return {};
  Polynomial out;
  const Polynomial right = polynomial(b);
  for (const Term& x : polynomial(a)) {
    for (const Term& y : right) {
      const auto coefficient = checked_mul(x.coefficient, y.coefficient);
      if (!coefficient) return integer(std::nullopt);
      if (!accumulate(out, {*coefficient, times(x.atoms, y.atoms)})) return {};
      if (out.size() > kMaxSize) return outgrown_ = true, Dim();
    }
  }
  return simplest(std::move(out));
}

// Example: floor_div(8*s + 2*t + 5, 4). divide() returns quotient 2*s and remainder 2*t + 5. The
// constant 5 is 1 * 4 + 1, so 1 moves to the quotient: 2*s + 1 + ((2*t + 1)//4). Nested divisions
// merge: floor_div((h//2), 2) has remainder (h//2) and becomes (h//4). A quotient rounded up uses
// this too: ceil_div(s, 4) = ((s + 3)//4).
Dim DimPool::floor_div(Dim a, Dim b) {
  if (b.is(0)) return {};
  if (b.is(1)) return a;
  if (a.known() && b.known()) {
    if (b.value() == -1) return integer(checked_sub<std::int64_t>(0, a.value()));
    return Dim(ridge::floor_div(a.value(), b.value()));
  }
  if (a.unknown() || b.unknown()) return {};
  auto division = divide(polynomial(a), polynomial(b));
  if (!division) return {};
  // floor((q*b + r) / b) = q + floor(r / b) for every nonzero integer b.
  Polynomial& rest = division->remainder;
  if (b.known() && !rest.empty() && rest.back().atoms.empty()) {
    const std::int64_t constant = rest.back().coefficient;
    const std::int64_t whole = ridge::floor_div(constant, b.value());
    rest.pop_back();
    if (!accumulate(division->quotient, {whole, {}})) return {};
    if (constant != whole * b.value()) rest.push_back({constant - whole * b.value(), {}});
  }
  const Dim quotient = simplest(std::move(division->quotient));
  const Dim remainder = simplest(std::move(rest));
  if (remainder.is(0)) return quotient;
  // A remainder in [0, b) does not contribute.
  if (remainder.known() && b.known() && remainder.value() > 0 && remainder.value() < b.value())
    return quotient;
  if (remainder.symbolic() && b.known() && b.value() > 0) {
    const Expr inner = exprs_[remainder.expression()];
    if (inner.kind == Kind::kFloorDiv && inner.b.known() && inner.b.value() > 0)
      return add(quotient, floor_div(inner.a, mul(inner.b, b)));
  }
  return add(quotient, atom(Kind::kFloorDiv, remainder, b));
}

Dim DimPool::ceil_div(Dim a, Dim b) {
  if (a.known() && b.known() && b.value() != 0 && b.value() != -1)
    return Dim(ridge::ceil_div(a.value(), b.value()));
  if (b.known() && b.value() <= 0) return sub(Dim(0), floor_div(sub(Dim(0), a), b));
  return floor_div(add(a, sub(b, Dim(1))), b);
}

Dim DimPool::mod(Dim a, Dim b) { return sub(a, mul(b, floor_div(a, b))); }

Dim DimPool::min(Dim a, Dim b) { return extreme(Kind::kMin, a, b); }
Dim DimPool::max(Dim a, Dim b) { return extreme(Kind::kMax, a, b); }

// Example: max(s + 1, s) has the difference 1, which is nonnegative, so the result is s + 1.
// Neither s - t nor t - s is nonnegative for all sizes, so max(s, t) becomes an atom.
Dim DimPool::extreme(Kind kind, Dim a, Dim b) {
  if (a.unknown() || b.unknown()) return {};
  const bool wants_max = kind == Kind::kMax;
  if (a.known() && b.known())
    return Dim(wants_max ? std::max(a.value(), b.value()) : std::min(a.value(), b.value()));
  const Dim difference = sub(a, b);
  if (nonnegative(difference)) return wants_max ? a : b;
  if (nonnegative(sub(b, a))) return wants_max ? b : a;
  if (a.known() || (b.symbolic() && b.expression() < a.expression())) std::swap(a, b);
  return atom(kind, a, b);
}

bool DimPool::nonnegative(Dim d) const {
  if (!d.symbolic()) return d.known() && d.value() >= 0;
  const Expr& e = exprs_[d.expression()];
  switch (e.kind) {
    case Kind::kSymbol:
      return true;
    case Kind::kFloorDiv:
      return nonnegative(e.a) && nonnegative(e.b);
    case Kind::kMin:
      return nonnegative(e.a) && nonnegative(e.b);
    case Kind::kMax:
      return nonnegative(e.a) || nonnegative(e.b);
    case Kind::kPolynomial:
      break;
  }
  return std::all_of(e.terms.begin(), e.terms.end(), [&](const Term& term) {
    return term.coefficient >= 0 &&
           std::all_of(term.atoms.begin(), term.atoms.end(), [&](std::uint32_t id) {
             const Dim atom = Dim::of_expression(id);
             return nonnegative(atom);
           });
  });
}

DimPool::Polynomial DimPool::polynomial(Dim d) const {
  if (d.known()) return d.value() == 0 ? Polynomial{} : Polynomial{{d.value(), {}}};
  const Expr& e = exprs_[d.expression()];
  return e.kind == Kind::kPolynomial ? e.terms : Polynomial{{1, {d.expression()}}};
}

// Returns the canonical Dim of a polynomial: an integer, an atom, or an interned sum.
Dim DimPool::simplest(Polynomial terms) {
  if (terms.empty()) return Dim(0);
  const Term& first = terms.front();
  if (terms.size() == 1 && first.atoms.empty()) return Dim(first.coefficient);
  if (terms.size() == 1 && first.atoms.size() == 1 && first.coefficient == 1) {
    const Dim d = Dim::of_expression(first.atoms.front());
    return d;
  }
  std::size_t total = 0;
  for (const Term& term : terms) {
    if (term.atoms.size() > kMaxDegree) return outgrown_ = true, Dim();
    ++total;
    for (const std::uint32_t id : term.atoms) total += exprs_[id].size;
  }
  return intern({Kind::kPolynomial, {}, {}, {}, std::move(terms), total});
}

Dim DimPool::atom(Kind kind, Dim a, Dim b) {
  if (a.unknown() || b.unknown()) return {};
  return intern({kind, {}, a, b, {}, size(a) + size(b)});
}

Dim DimPool::intern(Expr e) {
  if (e.size > kMaxSize) return outgrown_ = true, Dim();
  std::string key =
      fmt::format("{}{} {} {}", static_cast<int>(e.kind), e.name, e.a.bits_, e.b.bits_);
  for (const Term& term : e.terms)
    key += fmt::format("+{}*{}", term.coefficient, fmt::join(term.atoms, "*"));
  const auto [at, is_new] =
      index_.try_emplace(std::move(key), static_cast<std::uint32_t>(exprs_.size()));
  if (is_new) exprs_.push_back(std::move(e));
  return Dim::of_expression(at->second);
}

// Adds a term to `into`. Returns false on overflow, and sets overflowed_.
bool DimPool::accumulate(Polynomial& into, Term term) {
  const auto at =
      std::lower_bound(into.begin(), into.end(), term,
                       [](const Term& x, const Term& y) { return order(x.atoms, y.atoms) < 0; });
  if (at == into.end() || at->atoms != term.atoms) {
    if (term.coefficient != 0) into.insert(at, std::move(term));
    return true;
  }
  const auto sum = checked_add(at->coefficient, term.coefficient);
  if (!sum) return overflowed_ = true, false;
  at->coefficient = *sum;
  if (*sum == 0) into.erase(at);
  return true;
}

// Polynomial long division: a = quotient * b + remainder, where no term of the remainder is
// divisible by b's leading term.
//
// Example: (batch*seq + 2*seq) / seq. batch*seq / seq gives batch, and subtracting batch * seq
// leaves 2*seq, which gives 2: quotient batch + 2, no remainder. For 4*batch + 6 divided by 4, the
// term 6 is not divisible: quotient batch, remainder 6.
std::optional<DimPool::Division> DimPool::divide(Polynomial a, const Polynomial& b) {
  Division out;
  const Term& lead = b.front();
  while (!a.empty()) {
    const auto atoms = over(a.front().atoms, lead.atoms);
    // -1 is excluded, since INT64_MIN / -1 overflows.
    if (!atoms || lead.coefficient == -1 || a.front().coefficient % lead.coefficient != 0) {
      out.remainder.push_back(std::move(a.front()));
      a.erase(a.begin());
      continue;
    }
    const Term part{a.front().coefficient / lead.coefficient, *atoms};
    for (const Term& term : b) {
      const auto product = checked_mul(part.coefficient, term.coefficient);
      const auto negative = product ? checked_sub<std::int64_t>(0, *product) : std::nullopt;
      if (!negative) return overflowed_ = true, std::nullopt;
      if (!accumulate(a, {*negative, times(part.atoms, term.atoms)})) return std::nullopt;
    }
    if (!accumulate(out.quotient, part)) return std::nullopt;
    if (out.quotient.size() > kMaxSize || a.size() > 2 * kMaxSize)
      return outgrown_ = true, std::nullopt;
  }
  return out;
}

std::string DimPool::text(const Term& term) const {
  std::string out;
  if (term.coefficient == -1 && !term.atoms.empty())
    out = "-";
  else if (term.coefficient != 1 || term.atoms.empty())
    out = std::to_string(term.coefficient);
  for (auto at = term.atoms.begin(); at != term.atoms.end();) {
    const auto past =
        std::find_if(at, term.atoms.end(), [&](std::uint32_t id) { return id != *at; });
    if (!out.empty() && out != "-") out += '*';
    out += text(Dim::of_expression(*at));
    if (past - at > 1) out += "^" + std::to_string(past - at);
    at = past;
  }
  return out;
}

std::string DimPool::text(Dim d) const {
  if (d.unknown()) return "?";
  if (d.known()) return std::to_string(d.value());
  const Expr& e = exprs_[d.expression()];
  const auto grouped = [this](Dim x) {
    const bool sum = x.symbolic() && exprs_[x.expression()].kind == Kind::kPolynomial;
    return sum ? "(" + text(x) + ")" : text(x);
  };
  const auto operand = [&](Dim x) {
    const bool same = x.symbolic() && exprs_[x.expression()].kind == e.kind;
    std::string inner = text(x);
    return same ? inner.substr(4, inner.size() - 5) : inner;
  };
  switch (e.kind) {
    case Kind::kSymbol:
      return e.name;
    case Kind::kFloorDiv:
      return fmt::format("({}//{})", grouped(e.a), grouped(e.b));
    case Kind::kMin:
    case Kind::kMax:
      // Nested maxima are flattened: "max(a, b, c)".
      return fmt::format("{}({}, {})", e.kind == Kind::kMin ? "min" : "max", operand(e.a),
                         operand(e.b));
    case Kind::kPolynomial:
      break;
  }
  std::string out;
  for (const Term& term : e.terms) {
    std::string part = text(term);
    if (out.empty())
      out = std::move(part);
    else if (part.front() == '-')
      out += " - " + part.substr(1);
    else
      out += " + " + part;
  }
  return out;
}

std::optional<std::int64_t> DimPool::evaluate(Dim d, const SizeOf& size) const {
  if (d.unknown()) return std::nullopt;
  if (d.known()) return d.value();
  const Expr& e = exprs_[d.expression()];
  if (e.kind == Kind::kSymbol) return size(e.name);
  if (e.kind == Kind::kPolynomial) {
    std::optional<std::int64_t> sum = 0;
    for (const Term& term : e.terms) {
      std::optional<std::int64_t> product = term.coefficient;
      for (const std::uint32_t id : term.atoms) {
        const Dim atom = Dim::of_expression(id);
        const auto factor = evaluate(atom, size);
        product = product && factor ? checked_mul(*product, *factor) : std::nullopt;
      }
      sum = sum && product ? checked_add(*sum, *product) : std::nullopt;
    }
    return sum;
  }
  const auto a = evaluate(e.a, size), b = evaluate(e.b, size);
  if (!a || !b) return std::nullopt;
  if (e.kind == Kind::kMin) return std::min(*a, *b);
  if (e.kind == Kind::kMax) return std::max(*a, *b);
  if (*b == 0) return std::nullopt;
  if (*b == -1) return checked_sub<std::int64_t>(0, *a);
  return ridge::floor_div(*a, *b);
}

void DimPool::collect(Dim d, std::vector<std::string>& names) const {
  if (!d.symbolic()) return;
  const Expr& e = exprs_[d.expression()];
  if (e.kind == Kind::kSymbol) names.push_back(e.name);
  collect(e.a, names);
  collect(e.b, names);
  for (const Term& term : e.terms) {
    for (const std::uint32_t id : term.atoms) {
      const Dim atom = Dim::of_expression(id);
      collect(atom, names);
    }
  }
}

std::vector<DimPool::Monomial> DimPool::monomials(Dim d) const {
  std::vector<Monomial> out;
  if (d.unknown()) return out;
  for (const Term& term : polynomial(d)) {
    Monomial& m = out.emplace_back(Monomial{term.coefficient, {}});
    for (const std::uint32_t id : term.atoms) m.atoms.push_back(Dim::of_expression(id));
  }
  return out;
}

std::vector<std::string> DimPool::symbols(Dim d) const {
  std::vector<std::string> names;
  collect(d, names);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace ridge::ops
