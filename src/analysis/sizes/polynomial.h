// SPDX-License-Identifier: Apache-2.0
// Sum of counts as a polynomial in the free sizes.
//
//   Polynomial sum(resolved.dims());
//   sum.add(resolved.counts(n).macs);
//   sum.text()      // "9216*batch*sequence^2 + 84934656*batch*sequence"
//
// DimPool limits the size of its expressions; a Polynomial over all nodes may have any number of
// terms. An atom is a named size or a subexpression that is not a polynomial: a quotient rounded
// down "(height//2)", a minimum or a maximum.
// Ownership: borrows the pool. Cost: O(log terms) per term added.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ops/dim.h"

namespace ridge::analysis {

class Polynomial {
 public:
  explicit Polynomial(const ops::DimPool& pool) : pool_(&pool) {}

  /// Adds a known or symbolic count. If a coefficient exceeds 2^63 - 1, the sum is invalid and
  /// overflowed() is true.
  void add(ops::Dim d);
  bool overflowed() const { return overflowed_; }

  struct Factor {
    ops::Dim atom;
    int power = 1;
  };
  struct Term {
    std::int64_t coefficient = 0;
    std::vector<Factor> factors;
  };
  /// Terms by decreasing degree; empty if the sum is 0.
  std::vector<Term> terms() const;
  std::string text() const;
  /// Value for the given sizes; nullopt if a size has no value or the result exceeds 2^63 - 1.
  std::optional<std::int64_t> evaluate(const ops::DimPool::SizeOf& size) const;

 private:
  struct HigherDegreeFirst {
    bool operator()(const std::vector<std::uint32_t>& a,
                    const std::vector<std::uint32_t>& b) const {
      return a.size() != b.size() ? a.size() > b.size() : a < b;
    }
  };
  struct Sum {
    std::int64_t coefficient = 0;
    std::vector<ops::Dim> atoms;  // an atom is repeated for each power
  };

  const ops::DimPool* pool_;
  std::map<std::vector<std::uint32_t>, Sum, HigherDegreeFirst> sums_;  // by ids of the atoms
  bool overflowed_ = false;
};

/// True if `a` >= `b` is proven for all sizes of at least 1; false if the proof fails.
bool at_least(ops::DimPool& pool, ops::Dim a, ops::Dim b);

/// Maximum of sums that depend on the free sizes. Keeps the candidates that no other dominates for
/// all sizes; the result is an integer or "max(a, b)".
class Highest {
 public:
  explicit Highest(ops::DimPool& pool) : pool_(&pool) {}
  void take(ops::Dim d);
  /// Unknown if more than kMax candidates remain or an expression is too large.
  ops::Dim value() const;

 private:
  static constexpr std::size_t kMax = 12;
  ops::DimPool* pool_;
  std::vector<ops::Dim> candidates_ = {ops::Dim(0)};
  bool lost_ = false;
};

}  // namespace ridge::analysis
