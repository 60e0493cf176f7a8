// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/advise/scoreboard_table.h"

#include <gtest/gtest.h>

namespace ridge::cli {
namespace {

advice::Scoreboard board() {
  advice::Scoreboard out;
  advice::ScoreRow row{
      .kind = "unfused_pattern", .host = "h", .runtime = "ONNX Runtime", .score = {}};
  row.score.checks = 9;
  row.score.judged = 8;
  row.score.repeated = 2;
  row.score.predicted = 6;
  row.score.unpredictable = {1, 6};
  row.score.within = {4, 5};
  row.score.sign_right = {4, 4};
  row.score.covered = {3, 4};
  row.score.inside = {1, 4};
  row.score.median_error = 0.0625;
  out.total = row.score;
  out.rows.push_back(row);
  out.rows.push_back(
      {.kind = "=overhead", .host = "h", .runtime = "OpenVINO", .score = {.checks = 1}});
  ++out.total.checks;
  return out;
}

TEST(ScoreboardTable, IsForPeopleOrForPrograms) {
  EXPECT_EQ(table_of(board(), false).markdown(),
            "| kind | host | runtime | checks | judged | predicted | unpredictable | within | sign "
            "right | covered "
            "| median error | confidence |\n"
            "|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---|\n"
            "| unfused\\_pattern | h | ONNX Runtime | 9 | 8 | 6 | 1 of 6 (3 to 56 %) | 4 of 5 (38 "
            "to 96 %) | 4 of 4 "
            "(51 to 100 %) | 3 of 4 (30 to 95 %) | 6.2 % | medium |\n"
            "| =overhead | h | OpenVINO | 1 | 0 | 0 |  |  |  |  |  |  |\n");
  EXPECT_EQ(table_of(board(), true).csv(),
            "kind,host,runtime,checks,judged,repeated,predicted,unpredictable,unpredictable_of,"
            "unpredictable_low,"
            "unpredictable_high,within,within_of,within_low,"
            "within_high,sign_right,sign_right_of,sign_right_low,sign_right_high,covered,"
            "covered_of,covered_low,covered_high,inside,inside_of,inside_low,inside_high,"
            "median_relative_error,confidence\n"
            "unfused_pattern,h,ONNX "
            "Runtime,9,8,2,6,1,6,0.0301,0.5635,4,5,0.3755,0.9638,4,4,0.5101,1.0000,3,4,"
            "0.3006,0.9544,1,4,0.0456,0.6994,0.0625,medium\n"
            "'=overhead,h,OpenVINO,1,0,0,0,0,0,,,0,0,,,0,0,,,0,0,,,0,0,,,,\n");
}

TEST(ScoreboardTable, SumsUpAllRows) {
  EXPECT_EQ(
      summary_text(board()),
      "10 checks, 8 judged, 6 with a prediction, 2 superseded by newer ones of the same finding\n"
      "within: 4 of 5 (38 to 96 %) differ from the gain by at most 10 % of it or 2 % of the "
      "latency\n"
      "unpredictable: 1 of 6 (3 to 56 %) have an interval wider than that\n"
      "sign right: 4 of 4 (51 to 100 %) of more than 3 % of the latency\n"
      "covered: 3 of 4 (30 to 95 %) agree with the gain, both within their intervals; the "
      "intervals of 1 of 4 (5 to 70 %) hold its median\n"
      "median error: 6.2 % of the gain\n");
  EXPECT_EQ(summary_text({}), "no checks\n");
  advice::Scoreboard unpredicted;
  unpredicted.total.checks = unpredicted.total.judged = 1;
  EXPECT_EQ(summary_text(unpredicted), "1 check, 1 judged, 0 with a prediction\n");
}

}  // namespace
}  // namespace ridge::cli
