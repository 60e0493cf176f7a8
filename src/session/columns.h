// SPDX-License-Identifier: Apache-2.0
// Measures models in several runtimes, at several sizes and thread counts, in turns.
//
//   const std::vector<std::string> models = {"base.onnx", "head.onnx"};
//   const MeasuredColumns c = TRY(measure_columns(models, spec, turns, environment));
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "measure/request.h"
#include "profile/profile.h"
#include "session/environment.h"
#include "session/measure_spec.h"

namespace ridge::session {

struct MeasuredColumns {
  struct Column {
    std::size_t model = 0;  ///< index into the models
    std::string runtime;    ///< as the spec names it
    profile::Profile profile;
  };
  std::vector<Column> columns;  ///< model by model, runtime by runtime; at least one
  bool complete = true;         ///< false: a column failed (reported to the notices)
};

/// Measures every combination of models, runtimes, thread counts and sizes in turns
/// (measure::profile_in_turns), without roofs. Sizes that the spec leaves free are taken from the
/// run `like` if it has them. A total budget is divided among all columns. Error if a model rejects
/// a point, or if too few columns for a comparison could be measured (two; one beside the run
/// `like`): then the failure of the last one that failed.
Result<MeasuredColumns> measure_columns(std::span<const std::string> models,
                                        const MeasureSpec& spec, measure::Turns turns,
                                        const Environment& environment,
                                        const profile::Profile* like = nullptr);

}  // namespace ridge::session
