// SPDX-License-Identifier: Apache-2.0
// Texts of baselines, for tables and the page. Names are as they were measured, not escaped. Pure.
#pragma once

#include <string>

#include "lab/baseline/baseline.h"

namespace ridge::lab {

/// "12 machines, 36 runs, 9 tests: 5 of roofs, 2 of latencies, 2 of layer groups"
std::string summary_of(const Baseline& baseline);
/// "1.25 x"
std::string slowness_text(double slowness);
/// "read 40.1 GB/s, expected 47.1 GB/s to 53.0 GB/s (0.80 x)", the figures of a finding in a row.
std::string evidence_text(const OffFinding& finding);
/// "not measured by ridge: 3 (run 4; run 7; run 9)"
std::string left_out_text(const LeftOut& left_out);
/// Names of the machines with findings, each once.
std::string off_machines(const Baseline& baseline);

}  // namespace ridge::lab
