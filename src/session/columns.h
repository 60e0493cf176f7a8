// SPDX-License-Identifier: Apache-2.0
// Measures one model in several runtimes, at several sizes and thread counts, in turns.
//
//   const MeasuredColumns c = TRY(measure_columns("model.onnx", spec, turns, environment));
#pragma once

#include <string>
#include <vector>

#include "measure/request.h"
#include "profile/profile.h"
#include "session/environment.h"
#include "session/measure_spec.h"

namespace ridge::session {

struct MeasuredColumns {
  struct Column {
    std::string runtime;  ///< as the spec names it
    profile::Profile profile;
  };
  std::vector<Column> columns;  ///< runtime by runtime; at least one
  bool complete = true;         ///< false: a column failed (reported to the notices)
};

/// Measures every combination of runtimes, thread counts and sizes in turns
/// (measure::profile_in_turns), without roofs. Sizes that the spec leaves free are taken from the
/// run `like` if it has them. Error if the model rejects a point or no column could be measured.
Result<MeasuredColumns> measure_columns(const std::string& model, const MeasureSpec& spec,
                                        measure::Turns turns, const Environment& environment,
                                        const profile::Profile* like = nullptr);

}  // namespace ridge::session
