// SPDX-License-Identifier: Apache-2.0
// Labels of the columns of a comparison: from --label, else from the facts that differ, else from
// the file name.
#pragma once

#include <vector>

#include "base/result.h"
#include "compare/run.h"
#include "session/compare_sources.h"

namespace ridge::session {

/// Labels each column with its given label, else with the facts that differ between columns if
/// these are short (compare::brief_labels), else with its file name. Runs of one source also get
/// the facts that distinguish them. Errors (usage class): a given label whose run is not among the
/// sources.
Result<std::vector<compare::Run>> label_columns(const CompareSources& given,
                                                std::vector<Column> columns);

}  // namespace ridge::session
