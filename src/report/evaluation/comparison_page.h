// SPDX-License-Identifier: Apache-2.0
// The report of a comparison of evaluations: one self-contained HTML file that opens offline.
//
// Sections: tiles with the share of changed answers of each run; a table of the runs against the
// baseline (changed answers, accuracy, time of pre-processing and of the model); what a run changed
// in its steps; a matrix of the samples whose answer changed, a column for each run. Readable
// without scripts. Names of runs, samples and classes are untrusted text and escaped.
#pragma once

#include <string>

#include "compare/evaluation_comparison.h"

namespace ridge::report {

std::string evaluation_comparison_page(const compare::EvaluationComparison& comparison);

}  // namespace ridge::report
