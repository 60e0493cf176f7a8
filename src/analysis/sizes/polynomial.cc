// SPDX-License-Identifier: Apache-2.0
#include "analysis/sizes/polynomial.h"

#include <algorithm>

#include "base/checked.h"

namespace ridge::analysis {

void Polynomial::add(ops::Dim d) {
  for (ops::DimPool::Monomial& m : pool_->monomials(d)) {
    std::vector<std::uint32_t> key;
    for (const ops::Dim atom : m.atoms) key.push_back(atom.expression());
    Sum& sum = sums_.try_emplace(std::move(key), Sum{0, std::move(m.atoms)}).first->second;
    const auto coefficient = checked_add(sum.coefficient, m.coefficient);
    overflowed_ = overflowed_ || !coefficient;
    sum.coefficient = coefficient.value_or(0);
  }
}

std::vector<Polynomial::Term> Polynomial::terms() const {
  std::vector<Term> out;
  for (const auto& [key, sum] : sums_) {
    if (sum.coefficient == 0) continue;
    Term& term = out.emplace_back(Term{sum.coefficient, {}});
    for (const ops::Dim atom : sum.atoms) {
      if (!term.factors.empty() && term.factors.back().atom == atom)
        ++term.factors.back().power;
      else
        term.factors.push_back({atom, 1});
    }
  }
  return out;
}

std::string Polynomial::text() const {
  std::string out;
  for (const Term& term : terms()) {
    const bool negative = term.coefficient < 0;
    std::string part = std::to_string(term.coefficient).substr(negative ? 1 : 0);
    if (part == "1" && !term.factors.empty()) part.clear();
    for (const Factor& f : term.factors) {
      if (!part.empty()) part += '*';
      part += pool_->text(f.atom);
      if (f.power > 1) part += "^" + std::to_string(f.power);
    }
    if (out.empty())
      out = negative ? "-" + part : part;
    else
      out += (negative ? " - " : " + ") + part;
  }
  return out.empty() ? "0" : out;
}

std::optional<std::int64_t> Polynomial::evaluate(const ops::DimPool::SizeOf& size) const {
  std::optional<std::int64_t> total = 0;
  for (const auto& [key, sum] : sums_) {
    std::optional<std::int64_t> product = sum.coefficient;
    for (const ops::Dim atom : sum.atoms) {
      const auto factor = pool_->evaluate(atom, size);
      product = product && factor ? checked_mul(*product, *factor) : std::nullopt;
    }
    total = total && product ? checked_add(*total, *product) : std::nullopt;
  }
  return total;
}

namespace {

using Monomial = ops::DimPool::Monomial;

/// True if `a` is `b` times named sizes, each at least 1.
bool multiple_of(const ops::DimPool& pool, const Monomial& a, const Monomial& b) {
  const auto id = [](ops::Dim d) { return d.expression(); };
  std::vector<ops::Dim> rest;
  std::ranges::set_difference(a.atoms, b.atoms, std::back_inserter(rest), {}, id, id);
  return rest.size() + b.atoms.size() == a.atoms.size() &&
         std::ranges::all_of(rest, [&](ops::Dim d) { return pool.is_symbol(d); });
}

}  // namespace

/// Cancels every negative term of the difference against positive terms that are multiples of it.
///
/// Example: a = 3*batch*seq + 2, b = 2*seq + 1; a - b = 3*batch*seq - 2*seq + 1. batch*seq >= seq,
/// so two of the three batch*seq cancel -2*seq. No negative term is left: a >= b.
bool at_least(ops::DimPool& pool, ops::Dim a, ops::Dim b) {
  if (a.unknown() || b.unknown()) return false;
  if (a.known() && b.known()) return a.value() >= b.value();
  const ops::Dim difference = pool.sub(a, b);
  if (pool.nonnegative(difference)) return true;
  std::vector<Monomial> terms = pool.monomials(difference);
  if (terms.empty()) return difference.is(0);
  for (Monomial& owed : terms) {
    for (Monomial& has : terms) {
      if (owed.coefficient >= 0) break;
      if (has.coefficient <= 0 || !multiple_of(pool, has, owed)) continue;
      const std::int64_t paid = std::min(has.coefficient, -owed.coefficient);
      has.coefficient -= paid;
      owed.coefficient += paid;
    }
    if (owed.coefficient < 0) return false;
  }
  return true;
}

void Highest::take(ops::Dim d) {
  if (d.unknown()) {
    lost_ = true;
    return;
  }
  if (lost_) return;
  for (const ops::Dim c : candidates_)
    if (at_least(*pool_, c, d)) return;
  std::erase_if(candidates_, [&](ops::Dim c) { return at_least(*pool_, d, c); });
  candidates_.push_back(d);
  lost_ = candidates_.size() > kMax;
}

ops::Dim Highest::value() const {
  if (lost_) return {};
  ops::Dim highest = candidates_.front();
  for (std::size_t i = 1; i < candidates_.size(); ++i)
    highest = pool_->max(highest, candidates_[i]);
  return highest;
}

}  // namespace ridge::analysis
