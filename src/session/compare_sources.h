// SPDX-License-Identifier: Apache-2.0
// Sources of a comparison, and the columns loaded or measured from them. Plain data.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "compare/run_labels.h"
#include "measure/request.h"
#include "profile/profile.h"
#include "session/measure_spec.h"

namespace ridge::session {

struct CompareSources {
  std::vector<std::string> runs;  ///< documents and stores of runs; one may be a model to measure
  /// Specification for measuring the model. Empty runtimes: as in the first run; empty threads: as
  /// in the first run, or 1 if the model is the only source.
  MeasureSpec spec;
  measure::Turns turns = measure::Turns::kRuns;
  std::vector<std::pair<std::string, std::string>> labels = {};  ///< label, source

  /// True if one model is the only source: its columns are measured in turns.
  bool is_single_model() const { return !spec.runtimes.empty() && runs.size() == 1; }
};

struct Column {
  std::string source;  ///< as given; the runtime's name if one model is measured alone
  compare::RunFacts facts;
  profile::Profile profile;
};

struct Columns {
  std::vector<Column> all;  ///< in the order given
  bool complete = true;     ///< false: a column could not be measured (reported to the notices)
};

}  // namespace ridge::session
