// A sum of counts as a polynomial of the sizes that are not bound.
//
//   Polynomial sum(resolved.dims());
//   sum.add(resolved.counts(n).macs);
//   sum.text()      // "9216*batch*sequence^2 + 84934656*batch*sequence"
//
// A DimPool's own expressions stay small; a sum over all nodes may have as many terms as it needs.
// An atom is a named size or what is no polynomial of them: a quotient rounded down, "(height//2)",
// a minimum or a maximum.
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

  /// Adds a known or symbolic count. Past 2^63 - 1 in a coefficient the sum is lost: overflowed().
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
  /// Highest degree first; empty where it is 0.
  std::vector<Term> terms() const;
  std::string text() const;
  /// nullopt where a size has no value, and past 2^63 - 1.
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
    std::vector<ops::Dim> atoms;  // of a power the atom repeated
  };

  const ops::DimPool* pool_;
  std::map<std::vector<std::uint32_t>, Sum, HigherDegreeFirst> sums_;  // by ids of the atoms
  bool overflowed_ = false;
};

/// Whether `a` is at least `b` for all sizes of at least 1; false also where that is not seen.
bool at_least(ops::DimPool& pool, ops::Dim a, ops::Dim b);

/// The largest of sums of which sizes decide which one that is: those that no other exceeds
/// everywhere, as an integer or "max(a, b)".
class Highest {
 public:
  explicit Highest(ops::DimPool& pool) : pool_(&pool) {}
  void take(ops::Dim d);
  /// Unknown where more than a few are left, or an expression has grown too large.
  ops::Dim value() const;

 private:
  static constexpr std::size_t kMost = 12;
  ops::DimPool* pool_;
  std::vector<ops::Dim> candidates_ = {ops::Dim(0)};
  bool lost_ = false;
};

}  // namespace ridge::analysis
