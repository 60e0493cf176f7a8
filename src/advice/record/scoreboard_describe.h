// SPDX-License-Identifier: Apache-2.0
// Description of the scoreboard (record/describe.h): the document ridge.advice_scoreboard/1.
//
//   board.ridge = version();
//   record::write_json(board, sink);
#pragma once

#include "advice/record/scoreboard.h"
#include "record/describe.h"
#include "stats/describe.h"

namespace ridge {
namespace advice {

inline constexpr std::string_view kConfidences[] = {"high", "medium", "low"};
inline std::span<const std::string_view> confidences() { return kConfidences; }
inline std::string row_confidence(const ScoreRow& row) { return confidence(row.score); }

inline double share_value(const Share& share) { return share.value(); }
inline std::optional<stats::Interval> share_interval(const Share& share) {
  return share.interval();
}

}  // namespace advice

template <>
struct record::Describe<advice::Share> {
  using T = advice::Share;
  static constexpr std::array fields{
      field<&T::count>("count", "how many", at_least(0)),
      field<&T::of>("of", "out of how many", at_least(0)),
      computed<&advice::share_value>("share", "their ratio", at_least(0)),
      computed<&advice::share_interval>("ci95", "its 95 % interval by Wilson, low and high")};
};

template <>
struct record::Describe<advice::Score> {
  using T = advice::Score;
  static constexpr std::array fields{
      field<&T::checks>("checks", "all of them", at_least(0)),
      field<&T::judged>("judged", "those that were not left unjudged", at_least(0)),
      field<&T::repeated>("repeated",
                          "judged ones with a prediction that a newer one of the same finding "
                          "replaces",
                          at_least(0)),
      field<&T::predicted>("predicted", "the other judged ones with a predicted gain", at_least(0)),
      field<&T::unpredictable>("unpredictable",
                               "those whose gain could not be predicted in the budget: half of the "
                               "interval is wider than what is allowed"),
      field<&T::within>("within",
                        "of the others, predictions that differ from the measured gain by at most "
                        "the greater of 10 % of the gain and 2 % of the latency before"),
      field<&T::sign_right>("sign_right",
                            "of the same, predictions with the sign of the measured gain, out of "
                            "those of more than 3 % of the latency"),
      field<&T::covered>("covered",
                         "predicted gains, unpredictable ones too, with an interval for which the "
                         "95 % interval of their difference from the measured gain includes 0"),
      field<&T::inside>("inside",
                        "out of the same, those whose own interval holds the measured gain"),
      field<&T::median_error>(
          "median_relative_error",
          "median of the difference from the measured gain, as a share of the gain", at_least(0))};
};

template <>
struct record::Describe<advice::ScoreRow> {
  using T = advice::ScoreRow;
  static constexpr std::array fields{
      field<&T::kind>("kind",
                      "kind of the findings, as in ridge.advice/1, or \"together\": all edits at "
                      "the same time"),
      field<&T::host>("host", "host, processor, number of processors"),
      field<&T::runtime>("runtime", "as it names itself"), inlined<&T::score>(),
      computed<&advice::row_confidence>(
          "confidence",
          "high: the interval of within lies above one half; low: below; medium: it includes one "
          "half; null: fewer than five predictions",
          one_of<&advice::confidences>(), zero_is_null())};
};

template <>
struct record::Describe<advice::Scoreboard> {
  using T = advice::Scoreboard;
  static constexpr std::string_view schema = "ridge.advice_scoreboard/1";
  static constexpr std::string_view text =
      "How well predicted gains agreed with measured ones, over all checks in a run database: "
      "`ridge advise --scoreboard runs.db --format json`. Of checks of one finding that were made "
      "again, shares count the newest. A figure that is unknown is null.";
  static constexpr std::array fields{
      field<&T::ridge>("ridge", "version that wrote this"),
      field<&T::rows>("rows", "by kind, host and runtime", on_line(), item_lines()),
      field<&T::total>("total", "over all rows", on_line())};
};

}  // namespace ridge
