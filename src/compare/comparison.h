// SPDX-License-Identifier: Apache-2.0
// Comparison of two or more runs over the nodes of one model: differences per group of nodes and
// their significance.
//
//   const Comparison c = TRY(compare_runs(std::move(runs)));
//   for (const Row& row : c.groups) row.cells[1].verdict == Verdict::kFaster …
//
// Times. The time of a cell is the median over the profiled runs of the sum of its layers'
// corrected times, with a 95 % interval that treats processes as blocks. The interval is computed
// on a logarithmic scale, like the ratio's: for runs measured apart, the ratio's interval contains
// 1 if each time lies in the other's interval, and does not if the intervals do not overlap. A
// document without times of single runs gives the sum of its layers' medians, without interval and
// verdict; fewer than kMinRuns runs give no verdict. Ratio and difference are relative to the
// first run, the baseline (stats/change.h). For runs measured in turns (Measuring::kInterleaved)
// they are medians over pairs of runs, which is not the quotient of the medians.
//
// Verdicts. Faster or slower: the interval of the ratio lies entirely beyond the threshold. Among
// many rows some differ by chance, so the intervals of a table's column are widened together
// (stats::common_confidence): on average at most 5 % of its verdicts are wrong. All other rows are
// "no difference shown", which does not prove equality: `detectable` is the size that could have
// been shown. If the interval is wider than a factor of two in each direction
// (stats::tells_nothing) and a run has fewer than kProcesses processes, the cell is not judged and
// has no interval of the ratio. Times below the resolution of both profilers are not judged.
//
//   detectable = (1 + threshold) * sqrt(high / low) - 1        [low, high]: interval of the ratio
//
// is the smallest slowdown whose interval, with the same width, would lie beyond the threshold. On
// recorded noise, one comparison in three finds a slowdown of that size, two in three find one
// twice as large, nearly all one three times as large (aa_power_test.cc).
//
// Sums. latency = groups + inserted + unattributed + outside + unexplained, in every column:
// outside is the time between layers according to the run's own profile, unexplained is the rest.
//
// Errors: usage class for fewer than two runs; input class for runs without layers or without
// common nodes. Ownership: owns the runs. Thread rule: plain data. Cost: about 1 ms per row and
// column for 100 runs.
#pragma once

#include <vector>

#include "base/result.h"
#include "compare/rows.h"
#include "compare/run.h"

namespace ridge::compare {

Result<Comparison> compare_runs(std::vector<Run> runs, const CompareOptions& options = {});

}  // namespace ridge::compare
