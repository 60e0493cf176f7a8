// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/advise/scoreboard_table.h"

#include <fmt/format.h>

#include <cmath>

#include "advice/record/verdict.h"
#include "base/text.h"

namespace ridge::cli {
namespace {

using advice::Score;
using advice::Scoreboard;
using advice::ScoreRow;
using advice::Share;
using exports::Align;

/// "4 of 5 (38 to 96 %)"; "" out of none.
std::string scored_share(const Share& share) {
  const auto interval = share.interval();
  if (!interval) return {};
  return fmt::format("{} of {} ({:.0f} to {:.0f} %)", share.count, share.of, 100 * interval->lo,
                     100 * interval->hi);
}

std::string error_text(double error, bool exact) {
  if (!std::isfinite(error)) return {};
  return exact ? fmt::format("{:.4f}", error) : fmt::format("{:.1f} %", 100 * error);
}

exports::Table exact_table(const Scoreboard& board) {
  std::vector<exports::Column> columns = {{"kind"}, {"host"}, {"runtime"}};
  for (const char* title : {"checks", "judged", "repeated", "predicted"})
    columns.push_back({title, Align::kRight});
  for (const char* share : {"unpredictable", "within", "sign_right", "covered", "inside"})
    for (const char* part : {"", "_of", "_low", "_high"})
      columns.push_back({fmt::format("{}{}", share, part), Align::kRight});
  columns.push_back({"median_relative_error", Align::kRight});
  columns.push_back({"confidence"});
  exports::Table table(std::move(columns));
  for (const ScoreRow& row : board.rows) {
    std::vector<std::string> cells = {row.kind, row.host, row.runtime};
    const Score& score = row.score;
    for (const std::int64_t number : {score.checks, score.judged, score.repeated, score.predicted})
      cells.push_back(std::to_string(number));
    for (const Share& share :
         {score.unpredictable, score.within, score.sign_right, score.covered, score.inside}) {
      const auto interval = share.interval();
      cells.push_back(std::to_string(share.count));
      cells.push_back(std::to_string(share.of));
      cells.push_back(interval ? fmt::format("{:.4f}", interval->lo) : "");
      cells.push_back(interval ? fmt::format("{:.4f}", interval->hi) : "");
    }
    cells.push_back(error_text(score.median_error, true));
    cells.push_back(confidence(score));
    table.add(std::move(cells));
  }
  return table;
}

}  // namespace

exports::Table table_of(const Scoreboard& board, bool exact) {
  if (exact) return exact_table(board);
  exports::Table table({{"kind"},
                        {"host"},
                        {"runtime"},
                        {"checks", Align::kRight},
                        {"judged", Align::kRight},
                        {"predicted", Align::kRight},
                        {"unpredictable", Align::kRight},
                        {"within", Align::kRight},
                        {"sign right", Align::kRight},
                        {"covered", Align::kRight},
                        {"median error", Align::kRight},
                        {"confidence"}});
  for (const ScoreRow& row : board.rows) {
    const Score& score = row.score;
    table.add({row.kind, row.host, row.runtime, std::to_string(score.checks),
               std::to_string(score.judged), std::to_string(score.predicted),
               scored_share(score.unpredictable), scored_share(score.within),
               scored_share(score.sign_right), scored_share(score.covered),
               error_text(score.median_error, false), confidence(score)});
  }
  return table;
}

std::string summary_text(const Scoreboard& board) {
  const Score& total = board.total;
  if (total.checks == 0) return "no checks\n";
  std::string out = fmt::format("{}, {} judged, {} with a prediction",
                                counted(total.checks, "check"), total.judged, total.predicted);
  if (total.repeated > 0)
    out += fmt::format(", {} superseded by newer ones of the same finding", total.repeated);
  out += "\n";
  if (total.predicted == 0) return out;
  if (total.within.of > 0)
    out += fmt::format(
        "within: {} differ from the gain by at most {:.0f} % of it or {:.0f} % of the latency\n",
        scored_share(total.within), 100 * advice::kAllowedOfGain, 100 * advice::kAllowedOfLatency);
  if (total.unpredictable.count > 0)
    out += fmt::format("unpredictable: {} have an interval wider than that\n",
                       scored_share(total.unpredictable));
  if (total.sign_right.of > 0)
    out += fmt::format("sign right: {} of more than {:.0f} % of the latency\n",
                       scored_share(total.sign_right), 100 * advice::kSignOfLatency);
  if (total.covered.of > 0)
    out += fmt::format(
        "covered: {} agree with the gain, both within their intervals; the intervals of {} hold "
        "its median\n",
        scored_share(total.covered), scored_share(total.inside));
  if (const std::string error = error_text(total.median_error, false); !error.empty())
    out += fmt::format("median error: {} of the gain\n", error);
  return out;
}

}  // namespace ridge::cli
