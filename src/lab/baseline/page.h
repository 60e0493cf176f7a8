// SPDX-License-Identifier: Apache-2.0
// The page of `ridge runs baseline`: one self-contained HTML file that opens offline.
//
// Sections: machines that lie outside, with the evidence; every machine in every roof and latency,
// as a chart of slowness; the same as a table of machines by tests; what was left out; the rule.
// Readable without scripts. Names are untrusted text and escaped. Thread rule: pure.
#pragma once

#include <string>

#include "lab/baseline/baseline.h"

namespace ridge::lab {

std::string baseline_page(const Baseline& baseline);

}  // namespace ridge::lab
