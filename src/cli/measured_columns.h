// One model in several runtimes, sizes and threads, measured side by side.
//
//   MeasuredColumns c = TRY(measure_columns("model.onnx", options, turns, console));
#pragma once

#include <string>
#include <vector>

#include "cli/console.h"
#include "cli/measuring.h"
#include "measure/session.h"
#include "profile/profile.h"

namespace ridge::cli {

struct MeasuredColumns {
  struct Column {
    std::string runtime;  ///< as --runtime names it
    profile::Profile profile;
  };
  std::vector<Column> columns;  ///< runtime by runtime; at least one
  bool whole = true;            ///< false: a column failed (its error was printed)
};

/// Measures every combination of runtime, sizes and threads in turns (measure::profile_in_turns);
/// without roofs. Sizes that the options leave open are those of the run `like`, where it has them.
/// An error where no column could be measured.
Result<MeasuredColumns> measure_columns(const std::string& model, const MeasuringOptions& options,
                                        measure::Turns turns, Console& console,
                                        const profile::Profile* like = nullptr);

}  // namespace ridge::cli
