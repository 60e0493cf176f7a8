// SPDX-License-Identifier: Apache-2.0
// A finding of ridge advise that was checked: the gain that was predicted for it and the one that
// was measured. Plain data; advice/run/advice.h records it, the store keeps it (store/store.h) and
// advice/record/scoreboard.h compares predictions with measurements.
//
//   CheckedFinding check{.recorded_s = now, .model = "model.onnx", .runtime = "ONNX Runtime"};
//   check.predicted_ns = {2.1e6, stats::Interval{1.8e6, 2.4e6}};
//
// Times are per run, in nanoseconds; a gain is the latency before less the latency after. An
// unknown figure is NaN, never 0: the whole prediction where there was none, the measured ones
// where the check came to no measurement, an interval for which there were too few runs. Thread
// rule: value types.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.h"
#include "profile/profile.h"

namespace ridge::profile {

/// Effect of the repair by the interval of the measured gain; the prediction has no part in it.
enum class CheckState : std::uint8_t {
  kGained,        ///< it lies above 0
  kLost,          ///< it lies below 0
  kNoDifference,  ///< it includes 0
  kNotJudged,     ///< CheckedFinding::reason says why
};

/// How the predicted gain fared.
enum class Prediction : std::uint8_t {
  kNone,           ///< nothing was predicted, or the check was not judged
  kWithin,         ///< as near to the measured gain as advice/record/verdict.h allows
  kMissed,         ///< farther from it
  kUnpredictable,  ///< its interval is wider than what is allowed, so it is neither
};

}  // namespace ridge::profile

namespace ridge {

template <>
struct Words<profile::CheckState> {
  using CheckState = profile::CheckState;
  static constexpr std::array list{
      Word{CheckState::kGained, "gained"}, Word{CheckState::kLost, "lost"},
      Word{CheckState::kNoDifference, "no_difference"}, Word{CheckState::kNotJudged, "not_judged"}};
};

template <>
struct Words<profile::Prediction> {
  using Prediction = profile::Prediction;
  static constexpr std::array list{
      Word{Prediction::kNone, "none"}, Word{Prediction::kWithin, "within"},
      Word{Prediction::kMissed, "missed"}, Word{Prediction::kUnpredictable, "unpredictable"}};
};

}  // namespace ridge

namespace ridge::profile {

inline std::string_view name(CheckState state) { return word(state); }
inline std::string_view name(Prediction prediction) { return word(prediction); }

struct CheckedFinding {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  std::int64_t recorded_s = 0;  ///< seconds since 1970, UTC
  std::string model;            ///< path as given
  std::string graph_hash;       ///< model before the repair
  std::string point;  ///< key of the measured point, as of its run (store/store.h, Stamp), or ""
  std::string runtime, runtime_version, ridge_version;
  std::uint32_t threads = 1;
  std::string host;
  std::string finding;                                ///< its id: "silu"
  std::string question;                               ///< "Q1" to "Q6"; "" for none
  std::string kind;                                   ///< "unfused_pattern"
  std::vector<std::uint32_t> nodes;                   ///< in the model before the repair, ascending
  stats::Estimate predicted_ns{kNone};                ///< gain
  stats::Estimate gain_ns{kNone};                     ///< achieved gain
  stats::Estimate before_ns{kNone}, after_ns{kNone};  ///< latency
  CheckState state = CheckState::kNotJudged;
  Prediction prediction = Prediction::kNone;
  std::string reason;  ///< reason for kNotJudged; else ""
  /// Largest difference between outputs before and after, and the same relative to the largest
  /// element of the output. NaN where they were not compared.
  double max_abs = kNone, max_rel = kNone;
  bool lossless = true;  ///< outputs stay the same up to rounding
};

}  // namespace ridge::profile
