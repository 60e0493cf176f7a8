// SPDX-License-Identifier: Apache-2.0
// Gain of a copy of a model over the model, from bricks of both that ran in turns and a run of the
// model.
//
//   const PairedGain gain = paired_gain({.shared = kept, .before = old, .after = made});
//   gain.ns, gain.half_ns, gain.factor
//
// Pieces that model and copy share take the same time in both, so the others make the gain:
//
//   X   time of the model's other pieces in its run       B   time of their bricks
//   M   time of the bricks of what the copy has instead
//   f   time in the run per time of the bricks of the shared pieces, weighted with 1, which it is
//       without any: machines change speed between a suite and a run, and pieces take longer behind
//       each other than bricks do
//   r   = X - f B, what the model's other pieces take in the run and their bricks do not
//
//   gain = X - f M - share * r * M / B
//
// Pieces of such kinds take the part `share` of r in any model, so the copy's pieces do too; the
// rest belongs to the defect and goes with it (an output that is kept costs memory that no brick
// allocates). Bricks of shared pieces differ from the run by q of their time each, so the
// first part varies by v_1 = f^2 q^2 sum(b^2) + B^2 var(f). How much of a defect bricks do not show
// is unknown; it is taken to vary by kUnseen of what they do show, v_2 = (kUnseen * f * (B - M))^2,
// and
//
//   share = v_1 / (v_1 + v_2)
//
// Two ends: where the edit changes little of its pieces, share is near 1 and the gain is X (1 - M /
// B), the ratio of bricks that ran in turns; where it changes all, the gain is near X - f M.
//
//   shared: 10 in the run, 10 as bricks; X = 12, B = 10, M = 9; q = 5 %, five pieces of 2 in B:
//   v_1 = 0.05^2 * 5 * 2^2 = 0.05, v_2 = (0.3 * 1)^2 = 0.09, share 0.36, gain 12 - 9 - 0.36 * 2 *
//   0.9 = 2.36     (without var(f) here)
//
// Its variance is the variance of r's division, v_1 v_2 / (v_1 + v_2) (M / B)^2, of different
// kernels for the same pieces, q^2 (B - M)^2 / n, of the bricks' times (as in spread.h: what a
// process has in common cancels, since model and copy were measured in it), of the run, and of the
// speed of the machine until the gain is measured.
//
// Thread rule: pure. Cost: O(times).
#pragma once

#include <span>
#include <vector>

#include "bricks/spread.h"

namespace ridge::bricks {

/// Bricks of a piece that occurs `count` times.
struct PieceTime {
  const ProcessTimes* times = nullptr;  ///< null: predicted, not measured
  double count = 1;
  double ns = 0;                 ///< time of all occurrences, as bricks
  double in_run_ns = 0;          ///< time of all occurrences, in the run of the model
  double predicted_half_ns = 0;  ///< half of the 95 % interval of a predicted time
};

struct ModelAndCopy {
  std::vector<PieceTime> shared;  ///< pieces of the model that the copy has too
  std::vector<PieceTime> before;  ///< its others
  std::vector<PieceTime> after;   ///< pieces of the copy instead; without in_run_ns
  /// Half of the 95 % interval of the latency of the run, as a share of it.
  double run_half_share = 0;
};

struct PairedGain {
  double ns = 0, half_ns = 0;  ///< half of the 95 % interval; NaN if bricks have none
  double factor = 1;           ///< f
  double share = 0;            ///< part of r that the copy has too
  double after_factor = 1;     ///< factor of M, so that gain = X - after_factor * M
};

/// Standard deviation of f if no piece is shared, and the least with any.
inline constexpr double kFactorUnknown = 0.05, kFactorLeast = 0.01;
/// Standard deviation of a brick's time against its piece in a run, which counts as kScatterPieces
/// pieces beside the shared ones.
inline constexpr double kScatter = 0.08, kScatterPieces = 4;
/// Part of a defect's cost that its bricks may not show.
inline constexpr double kUnseen = 0.3;
/// Standard deviation of the speed of a machine minutes later: series of one model were 2 % apart
/// in the median (87 copies of bench/advice_scoreboard.py on a shared machine).
inline constexpr double kSpeedApart = 0.03;

PairedGain paired_gain(const ModelAndCopy& pieces);

}  // namespace ridge::bricks
