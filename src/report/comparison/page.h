// SPDX-License-Identifier: Apache-2.0
// The report of a comparison: one self-contained HTML file that opens offline, in the style of a
// profile's page (report/profile/page.h).
//
// Sections: latencies and verdicts, the parts of each latency, the parts of the difference
// (waterfalls by module and operator), every module and group side by side with ratio, interval
// and verdict, the runs' timelines on one axis colored by verdict, the method of the comparison.
// Readable without scripts. Names of models and runs are untrusted text and escaped.
#pragma once

#include <string>

#include "compare/rows.h"
#include "report/kit/page.h"

namespace ridge::report {

PageContent comparison_content(const compare::Comparison& comparison);
std::string comparison_page(const compare::Comparison& comparison);

}  // namespace ridge::report
