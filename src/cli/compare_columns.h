// The columns of ridge compare: runs that were measured before, a model that is measured now in
// several ways, or such a model beside runs of it.
//
//   Columns columns = TRY(columns_of(options, console));
#pragma once

#include <string>
#include <vector>

#include "cli/compare_verb.h"
#include "compare/run_labels.h"
#include "measure/session.h"
#include "profile/profile.h"

namespace ridge::cli {

/// A column, where it came from, and what tells it from others of the same source.
struct Column {
  std::string source;  ///< as given: a RUN; of a model that is measured alone a runtime's name
  compare::RunFacts facts;
  profile::Profile profile;
};

struct Columns {
  std::vector<Column> all;  ///< in the order given
  bool whole = true;        ///< false: a column could not be measured (its error was printed)
};

/// Whether nothing but one model is given, which is measured in turns.
bool measures_alone(const CompareOptions& options);
measure::Turns turns_of(const CompareOptions& options);

/// A model beside runs is measured as the first of them was where the options do not say otherwise:
/// in its runtime, at its sizes, with its threads; a line on standard error says so.
Result<Columns> columns_of(const CompareOptions& options, Console& console);

}  // namespace ridge::cli
