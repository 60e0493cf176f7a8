// SPDX-License-Identifier: Apache-2.0
// Scoreboard of ridge advise: how well predicted gains agreed with measured ones, for each kind of
// finding on each host with each runtime.
//
//   const Scoreboard board = scoreboard(TRY(store.checked_findings()));
//   for (const ScoreRow& row : board.rows) use(row.kind, row.score.within.count);
//   confidence(board, "unfused_pattern", host, "ONNX Runtime");   // "high", "medium", "low" or ""
//
// A prediction is compared with the measured gain if the check was judged, and its prediction, gain
// and latency before are known. Checks of one finding that were made again (same point, graph,
// threads, finding; kind, host and runtime of the row) are not independent, so the shares count
// only the newest of them.
//
// Figures that are not finite count as unknown, whatever a store contains. Thread rule: pure. Cost:
// O(n log n).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "profile/checked_finding.h"
#include "stats/samples.h"

namespace ridge::advice {

/// Share of predictions: `count` out of `of`.
struct Share {
  std::int64_t count = 0, of = 0;

  double value() const;                             ///< NaN out of none
  std::optional<stats::Interval> interval() const;  ///< Wilson's 95 % interval
};

/// Counts of checks by how their prediction held.
struct Score {
  std::int64_t checks = 0;
  std::int64_t judged = 0;     ///< checks that were not left unjudged
  std::int64_t repeated = 0;   ///< judged ones with a prediction that a newer one replaces
  std::int64_t predicted = 0;  ///< the other judged ones with a predicted gain

  /// Gains that cannot be predicted in the budget (is_predictable() of verdict.h).
  Share unpredictable;
  /// Predictions, of the gains that can, whose distance from the measured gain verdict() allows: at
  /// most the greater of kAllowedOfGain of the gain and kAllowedOfLatency of the latency before.
  Share within;
  /// Predictions, out of the same of more than kSignOfLatency, with the sign of the measured gain.
  Share sign_right;
  /// Predicted gains, unpredictable ones too, with an interval that agrees with the measured gain:
  /// the 95 % interval of their difference includes 0. It combines both intervals by the root of
  /// their squares (as stats/change.h), since a prediction is one of the true gain, which the check
  /// measures only up to its own interval. With exact intervals about 95 % of them agree.
  Share covered;
  /// Share, out of the same, whose own interval holds the median of the measured gain. It is at
  /// most `covered`, and lower the less exact the checks are.
  Share inside;
  /// Median of |prediction - gain| / |gain| of predictable gains; NaN without any, infinite for
  /// gains of 0.
  double median_error = std::numeric_limits<double>::quiet_NaN();
};

struct ScoreRow {
  std::string kind, host, runtime;
  Score score;
};

/// The document ridge.advice_scoreboard/1 (describe.h).
struct Scoreboard {
  std::string ridge;           ///< version that writes the document
  std::vector<ScoreRow> rows;  ///< ascending by kind, host, runtime
  Score total;                 ///< sums over all rows
};

/// Predictions below this share of the latency are too small for their sign to matter.
inline constexpr double kSignOfLatency = 0.03;

/// Without its `ridge`.
Scoreboard scoreboard(std::span<const profile::CheckedFinding> checks);

/// Least number of predictions from which confidence() concludes anything.
inline constexpr std::int64_t kMinPredictions = 5;

/// Confidence in further predictions, by the 95 % interval of the share `within`:
///
///   high    it lies above one half: more predictions hold than miss (5 of 5, 9 of 10)
///   low     it lies below one half: more miss than hold (0 of 5, 1 of 10)
///   medium  it includes one half: the checks do not show which (4 of 5, 8 of 10)
///   ""      fewer than kMinPredictions
std::string confidence(const Score& score);
/// Variant of a row; "" if there is none.
std::string confidence(const Scoreboard& board, std::string_view kind, std::string_view host,
                       std::string_view runtime);

}  // namespace ridge::advice
