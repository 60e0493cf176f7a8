// SPDX-License-Identifier: Apache-2.0
// How often each of several models is asked for: distributions over ranks 1..n, drawn in O(1).
//
//   Popularity popular = TRY(Popularity::make({PopularityKind::kZipf, 1.1}, 50, seed));
//   popular.next()                               // 0..49: the number of a model
//
// Weights of rank i of n, before they are scaled to a sum of 1:
//
//   uniform      1
//   zipf:S       i^-S                            default 1
//   pareto:A     i^-A - (i + 1)^-A               default 1, as TrIMS's Figure 10
//   exponential:M  exp(-(i - 1) / M)             default n / 5
//   weibull:K    exp(-x(i-1)^K) - exp(-x(i)^K), x(i) = 5 i / n      default 1.5
//   poisson:M    M^(i-1) / (i-1)!                default n / 5
//
// TrIMS's own tools draw from these distributions, except Zipf, which fails there. Which model has
// which rank is shuffled by the seed. The same spec, n and seed give the same draws on every
// machine (scenario/exact_random.h). Errors: usage class, RIDGE-SHARE-0206, for a parameter out of
// range. Thread rule: one thread. Cost: O(n) once, O(1) for each draw (the alias method: Walker
// 1977, ACM TOMS 3:253; Vose 1991, IEEE TSE 17:972).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/words.h"
#include "stats/random.h"

namespace ridge::sharing {

enum class PopularityKind : std::uint8_t {
  kUniform,
  kZipf,
  kPareto,
  kExponential,
  kWeibull,
  kPoisson
};

struct PopularitySpec {
  PopularityKind kind = PopularityKind::kZipf;
  std::optional<double> parameter = {};  ///< absent: the default
};

/// "zipf", "zipf:1.1".
std::string popularity_text(const PopularitySpec& spec);

/// Weights of the ranks, the first rank first; RIDGE-SHARE-0206.
Result<std::vector<double>> popularity_weights(const PopularitySpec& spec, std::uint32_t n);

class Popularity {
 public:
  /// n: 1 to kMostModels (trace.h).
  static Result<Popularity> make(const PopularitySpec& spec, std::uint32_t n, std::uint64_t seed);

  std::uint32_t next() {
    const std::size_t at = random_.below(cells_.size());
    const Cell& cell = cells_[at];
    return random_.uniform() < cell.share ? cell.model : cell.other;
  }

 private:
  /// A column of the alias table: `model` with that probability, else `other`.
  struct Cell {
    double share = 1;
    std::uint32_t model = 0, other = 0;
  };

  Popularity(std::vector<Cell> cells, const stats::Random& random)
      : cells_(std::move(cells)), random_(random) {}

  std::vector<Cell> cells_;
  stats::Random random_;
};

}  // namespace ridge::sharing

namespace ridge {

template <>
struct Words<sharing::PopularityKind> {
  using Kind = sharing::PopularityKind;
  static constexpr std::array list{Word{Kind::kUniform, "uniform", "all alike"},
                                   Word{Kind::kZipf, "zipf", "i^-S"},
                                   Word{Kind::kPareto, "pareto", "tail of power A"},
                                   Word{Kind::kExponential, "exponential", "of mean M"},
                                   Word{Kind::kWeibull, "weibull", "of shape K"},
                                   Word{Kind::kPoisson, "poisson", "of mean M"}};
};

}  // namespace ridge
