// Labels of the columns of a comparison: as given, else by what differs, else by the file.
#pragma once

#include <vector>

#include "base/result.h"
#include "compare/run.h"
#include "workbench/compare_sources.h"

namespace ridge::workbench {

/// A column is called by its given label, else by what differs where that is brief, else by its
/// file; of a source with several runs by that and what tells them apart. Errors (usage class): a
/// label of no run.
Result<std::vector<compare::Run>> labelled(const CompareSources& given,
                                           std::vector<Column> columns);

}  // namespace ridge::workbench
