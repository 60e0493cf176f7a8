// The report of a comparison: one self-contained HTML file that opens offline, in the look of a
// profile's (report/html.h).
//
// Sections: latencies and verdicts, what they are made of, what the difference is made of
// (waterfalls by module and operator), every module and group side by side with ratio, interval
// and verdict, the runs' timelines on one axis in the colours of the verdicts, how it was compared.
// Readable without scripts. Names of models and runs are hostile text: escaped.
#pragma once

#include <string>

#include "compare/comparison.h"

namespace ridge::report {

std::string comparison_page(const compare::Comparison& comparison);

}  // namespace ridge::report
