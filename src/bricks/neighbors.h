// SPDX-License-Identifier: Apache-2.0
// Predicted time of a brick that was not measured, from measured bricks of the same kind: the same
// kernels and element types at other sizes.
//
//   const Neighbors measured(std::move(times_of_bricks));
//   if (auto p = measured.predict({"Conv|float32", macs, bytes}, bound_ns)) use(p->ns, p->ci);
//
// The prediction is an average over the nearest neighbors in logarithms, weighted by the inverse
// square of the distance (Shepard 1968, Proc. 23rd ACM National Conference, page 517):
//
//   distance d_i = |ln(macs_i / macs)| + |ln(bytes_i / bytes)|        the 5 smallest are used
//   cost(brick)  = a * macs + b * bytes                               a, b >= 0
//   ln(ns)       = sum of w_i * ln(ns_i * cost / cost_i) / sum of w_i,   w_i = 1 / (d_i + 0.1)^2
//
// Only a / b matters here. It is the one for which ln(ns / cost) has the smallest sum of absolute
// deviations from its median over the bricks of the kind; over all bricks if the kind has fewer
// than three. A brick of exactly the same kind and size gives its own time, several their geometric
// mean.
//
//   conv 2 MMAC, 1 MB: 100 us; conv 8 MMAC, 4 MB: 440 us; asked: conv 4 MMAC, 2 MB
//   d = 2 ln 2 for both, so they weigh the same; scaled by cost they are 200 and 220 us;
//   prediction exp((ln 200 + ln 220) / 2) = 210 us
//
// If no brick of the kind was measured, bricks of the next level take its place: the same kernels
// with other types; a kernel in common (the first one that was measured; Conv, Gemm and MatMul
// before others); any brick. At all of these levels a brick with MACs has only neighbors with MACs,
// one without MACs only neighbors without; if there are none, all others are compared by bytes
// alone.
//
// The 95 % interval is ns * exp(-+ h (1 + d)), with the weighted mean distance d of the neighbors.
// h comes from predicting measured bricks at the same level without themselves, and at a coarser
// level also without the bricks that a finer one uses: scores |ln(actual / predicted)| / (1 + d).
// With n scores of the kind,
//
//   n >= 20   h = the score of rank ceil(0.95 (n + 1)): conformal prediction, normalized by
//             distance (Papadopoulos, Vovk and Gammerman 2011, JAIR 40:815, section 5)
//   n < 20    h = the largest of them, or the largest over all kinds at this level if larger;
//             if these are fewer than 20, too, h = t(n) * their root mean square (Student's
//             97.5 % quantile), or the largest if that is larger
//
// and h is at least ln(4) / (n + 1) and 0.01: with a single measured brick, a factor of four either
// way. Neither the prediction nor its interval is below the bound.
//
// Deterministic; the order of the measured bricks does not matter. Times that are negative or not
// finite are dropped, those below 1 ns count as 1 ns; negative sizes count as 0. Thread rule: one
// thread, predict() keeps what it finds out. Cost: O(n log n) once; a prediction looks at no more
// than the 200 bricks of a kind whose MACs are nearest; per kind, and per level, at most 500 bricks
// are predicted once for h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "stats/samples.h"

namespace ridge::bricks {

struct BrickSize {
  /// "Conv Relu|float32": kernels, sorted, each followed by a blank or by '|', then element types.
  std::string kind;
  std::int64_t macs = 0, bytes = 0;
};

struct MeasuredSize {
  BrickSize size;
  double ns = 0;
};

struct Prediction {
  double ns = 0;
  stats::Interval ci;  ///< 95 %; contains ns
  std::size_t neighbors = 0;
};

class Neighbors {
 public:
  explicit Neighbors(std::vector<MeasuredSize> measured);
  Neighbors(Neighbors&&) noexcept;
  Neighbors& operator=(Neighbors&&) noexcept;
  ~Neighbors();

  /// Returns nullopt if nothing was measured. `bound_ns` is a lower bound, as of the roofline; 0 if
  /// unknown.
  std::optional<Prediction> predict(const BrickSize& size, double bound_ns) const;

 private:
  class Population;
  std::unique_ptr<Population> population_;
};

}  // namespace ridge::bricks
