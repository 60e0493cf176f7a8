// SPDX-License-Identifier: Apache-2.0
#include "bricks/paired_gain.h"

#include <algorithm>
#include <cmath>

#include "stats/normal.h"

namespace ridge::bricks {
namespace {

double square(double x) { return x * x; }

struct Sums {
  double ns = 0, squares = 0, in_run_ns = 0;
};

Sums sums_of(std::span<const PieceTime> pieces) {
  Sums out;
  for (const PieceTime& p : pieces) {
    out.ns += p.ns;
    out.squares += square(p.ns);
    out.in_run_ns += p.in_run_ns;
  }
  return out;
}

/// Time in the run per time of bricks.
struct Factor {
  double value = 1, variance = square(kFactorUnknown);
  double weight = 0;          ///< weight of the shared pieces; the rest is the weight of 1
  double scatter = kScatter;  ///< q
};

Factor factor_of(std::span<const PieceTime> shared) {
  Factor out;
  const Sums sums = sums_of(shared);
  if (!(sums.ns > 0)) return out;
  const double ratio = sums.in_run_ns / sums.ns;
  double residual = 0;
  for (const PieceTime& p : shared) residual += square(p.in_run_ns - ratio * p.ns);
  // Pieces by their part of the time: one that has nearly all of it is hardly more than one.
  const double pieces = square(sums.ns) / sums.squares;
  const double of_shared = residual / sums.squares;
  out.scatter =
      std::sqrt((kScatterPieces * square(kScatter) + std::max(0.0, pieces - 1) * of_shared) /
                (kScatterPieces + std::max(0.0, pieces - 1)));
  const double variance = std::max(square(kFactorLeast), square(out.scatter) / pieces);
  out.weight = square(kFactorUnknown) / (square(kFactorUnknown) + variance);
  out.value = 1 + out.weight * (ratio - 1);
  out.variance = std::max(square(kFactorLeast), out.weight * variance);
  return out;
}

/// Derivatives of the gain by each sum of bricks' times.
struct Slopes {
  double shared = 0, before = 0, after = 0;
};

/// Half of the 95 % interval that the spread of the bricks over processes gives.
double half_of_times(const ModelAndCopy& pieces, const Slopes& slopes) {
  std::vector<Term> terms;
  std::vector<PredictedTerm> predicted;
  const auto add = [&](std::span<const PieceTime> part, double slope) {
    for (const PieceTime& p : part) {
      if (p.times != nullptr)
        terms.push_back({p.times, slope * p.count});
      else
        predicted.push_back({slope * p.ns, std::abs(slope) * p.predicted_half_ns});
    }
  };
  add(pieces.shared, slopes.shared);
  add(pieces.before, slopes.before);
  add(pieces.after, slopes.after);
  const stats::Estimate sum = sum_of(terms, predicted);
  return sum.high() - sum.value;
}

}  // namespace

PairedGain paired_gain(const ModelAndCopy& pieces) {
  const Factor f = factor_of(pieces.shared);
  const Sums before = sums_of(pieces.before), after = sums_of(pieces.after);
  const Sums shared = sums_of(pieces.shared);
  const double difference = before.ns - after.ns;
  const double kept = before.ns > 0 ? after.ns / before.ns : 0;  // M / B
  const double common =
      square(f.value * f.scatter) * before.squares + square(before.ns) * f.variance;  // v_1
  const double unseen = square(kUnseen * f.value * difference);                       // v_2
  const double rest = before.in_run_ns - f.value * before.ns;                         // r
  const double share = common > 0 ? common / (common + unseen) : 0;
  PairedGain out{.ns = before.in_run_ns - f.value * after.ns - share * rest * kept,
                 .factor = f.value,
                 .share = share};
  out.after_factor = after.ns > 0 ? (before.in_run_ns - out.ns) / after.ns : f.value;
  Slopes slopes{.after = -f.value};
  if (before.ns > 0) {
    slopes.after = -f.value * (1 - share) - share * before.in_run_ns / before.ns;
    slopes.before = share * before.in_run_ns * after.ns / square(before.ns);
  }
  // f = 1 - weight + weight * (run / bricks of the shared pieces).
  const double of_shared =
      shared.ns > 0 ? f.weight * (1 - share) * after.ns * shared.in_run_ns / shared.ns : 0;
  if (shared.ns > 0) slopes.shared = of_shared / shared.ns;
  double variance = before.ns > 0
                        ? square(kept) * common * (1 - share)
                        : square(after.ns) * f.variance + square(f.scatter) * after.squares;
  if (after.ns > 0 && before.ns > 0)
    variance += square(f.scatter * difference) * after.squares / square(after.ns);
  variance += square(kSpeedApart * out.ns);
  // A run that was slower as a whole moves the times of all pieces, and f with them.
  const double slope_of_run = before.in_run_ns * (1 - share * kept) - of_shared;
  out.half_ns = std::hypot(half_of_times(pieces, slopes), pieces.run_half_share * slope_of_run,
                           stats::normal_quantile(0.975) * std::sqrt(variance));
  return out;
}

}  // namespace ridge::bricks
