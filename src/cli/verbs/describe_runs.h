// SPDX-License-Identifier: Apache-2.0
// Content of a run database, and its description (record/describe.h): ridge.runs/1.
#pragma once

#include <vector>

#include "store/describe_lists.h"

namespace ridge::cli {

struct StoreContent {
  std::vector<store::RunRow> runs;
  std::vector<store::Failure> failures;
  std::vector<store::EvaluationRow> evaluations;
  std::vector<store::GenerationRow> generations;
};

}  // namespace ridge::cli

namespace ridge {

template <>
struct record::Describe<cli::StoreContent> {
  using T = cli::StoreContent;
  static constexpr std::string_view schema = "ridge.runs/1";
  static constexpr std::string_view text =
      "What a run database holds: `ridge runs list FILE --format json`. The whole of a run: `ridge "
      "runs show FILE:RUN --format json` (ridge.profile/1).";
  static constexpr std::array fields{
      field<&T::runs>("runs", "oldest first", item_lines()),
      field<&T::failures>("failures",
                          "points that `ridge bench` could not measure, the last failure of each",
                          item_lines()),
      field<&T::evaluations>(
          "evaluations",
          "of `ridge eval --store`, oldest first; the whole of one: `ridge runs show FILE "
          "evaluation:N --format json` (ridge.evaluation/1)",
          on_line(), item_lines()),
      field<&T::generations>(
          "generations",
          "of `ridge generate --store`, oldest first; the whole of one: `ridge runs show FILE "
          "generation:N --format json` (ridge.generation/1)",
          on_line(), item_lines())};
};

}  // namespace ridge
