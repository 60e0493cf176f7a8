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
  /// Documents and stores of runs, one of which may be a model to measure; or models only.
  std::vector<std::string> runs;
  /// Specification for measuring the models. Empty runtimes and threads: as in the first run, or
  /// the defaults of MeasureSpec if there are models only.
  MeasureSpec spec;
  measure::Turns turns = measure::Turns::kRuns;
  std::vector<std::pair<std::string, std::string>> labels = {};  ///< label, source

  /// True if all sources are models: their columns are measured in turns.
  bool are_models() const;
  /// True if one model is the only source: its columns differ in runtime, threads or sizes.
  bool is_single_model() const { return runs.size() == 1 && are_models(); }
};

struct Column {
  std::string source;  ///< as given; the runtime's name if one model is the only source
  compare::RunFacts facts;
  profile::Profile profile;
};

struct Columns {
  std::vector<Column> all;  ///< in the order given
  bool complete = true;     ///< false: a column could not be measured (reported to the notices)
};

}  // namespace ridge::session
