// What a comparison is made of, and the columns that it becomes. Plain data.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "compare/run_labels.h"
#include "measure/session.h"
#include "profile/profile.h"
#include "workbench/measure_spec.h"

namespace ridge::workbench {

struct CompareSources {
  std::vector<std::string> runs;  ///< documents and stores of runs; one may be a model to measure
  /// How the model is measured. Without runtimes or threads: as the first run was.
  MeasureSpec spec;
  measure::Turns turns = measure::Turns::kRuns;
  std::vector<std::pair<std::string, std::string>> labels = {};  ///< name and run

  /// True if one model is the only source: its columns are measured in turns.
  bool measures_alone() const { return !spec.runtimes.empty() && runs.size() == 1; }
};

struct Column {
  std::string source;  ///< as given: a RUN; the runtime's name where one model is measured alone
  compare::RunFacts facts;
  profile::Profile profile;
};

struct Columns {
  std::vector<Column> all;  ///< in the order given
  bool whole = true;        ///< false: a column could not be measured (reported to the notices)
};

}  // namespace ridge::workbench
