// SPDX-License-Identifier: Apache-2.0
#include "advice/record/scoreboard_describe.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "record/json_write.h"

namespace ridge::advice {
namespace {

using nlohmann::json;

/// Rounds every number of a document to four digits.
void round_numbers(json& value) {
  if (value.is_number_float()) value = std::round(value.get<double>() * 1e4) / 1e4;
  if (value.is_structured())
    for (json& child : value) round_numbers(child);
}

TEST(ScoreboardDocument, HasEveryFigure) {
  Scoreboard board;
  board.ridge = "1.2.3";
  board.rows.push_back({.kind = "over\"head", .host = "h", .runtime = "r", .score = {}});
  Score& score = board.rows[0].score;
  score.checks = 9;
  score.judged = 8;
  score.repeated = 2;
  score.predicted = 6;
  score.unpredictable = {1, 6};
  score.within = {1, 5};
  score.sign_right = {1, 2};
  score.covered = {3, 4};
  score.inside = {2, 4};
  score.median_error = 0.25;
  StringSink sink;
  record::write_json(board, sink);
  json document = json::parse(sink.text());
  round_numbers(document);
  EXPECT_EQ(document, json::parse(R"({
    "schema": "ridge.advice_scoreboard/1", "ridge": "1.2.3",
    "rows": [{"kind": "over\"head", "host": "h", "runtime": "r",
      "checks": 9, "judged": 8, "repeated": 2, "predicted": 6,
      "unpredictable": {"count": 1, "of": 6, "share": 0.1667, "ci95": [0.0301, 0.5635]},
      "within": {"count": 1, "of": 5, "share": 0.2, "ci95": [0.0362, 0.6245]},
      "sign_right": {"count": 1, "of": 2, "share": 0.5, "ci95": [0.0945, 0.9055]},
      "covered": {"count": 3, "of": 4, "share": 0.75, "ci95": [0.3006, 0.9544]},
      "inside": {"count": 2, "of": 4, "share": 0.5, "ci95": [0.15, 0.85]},
      "median_relative_error": 0.25, "confidence": "medium"}],
    "total": {"checks": 0, "judged": 0, "repeated": 0, "predicted": 0,
      "unpredictable": {"count": 0, "of": 0, "share": null, "ci95": null},
      "within": {"count": 0, "of": 0, "share": null, "ci95": null},
      "sign_right": {"count": 0, "of": 0, "share": null, "ci95": null},
      "covered": {"count": 0, "of": 0, "share": null, "ci95": null},
      "inside": {"count": 0, "of": 0, "share": null, "ci95": null},
      "median_relative_error": null}})"))
      << sink.text();
}

}  // namespace
}  // namespace ridge::advice
