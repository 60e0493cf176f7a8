// SPDX-License-Identifier: Apache-2.0
// Texts for the figures of a comparison, shared by its tables and its report.
//
// Texts contain names of runs unescaped; the output formats escape them. An unknown value is "" or
// "?".
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compare/rows.h"
#include "compare/run_labels.h"

namespace ridge::exports {

/// Duration with its sign: "+1.2 ms", "-3 ns"; "?" for NaN.
std::string signed_duration(double ns);
/// Duration: "1.2 ms"; "?" where not known.
std::string time_text(const std::optional<double>& ns);
/// Interval of durations: "[1.2 ms, 1.3 ms]"; "" where not known.
std::string time_interval_text(const std::optional<stats::Interval>& ns);
/// Ratio: "0.885"; "" where not known.
std::string ratio_text(const std::optional<double>& ratio);
/// Interval of a ratio: "[0.881, 0.889]"; "" where not known.
std::string interval_text(const std::optional<stats::Interval>& ci);
/// "97.3 %": confidence of the ratio intervals in a column, which is the same for all its rows.
std::string confidence_text(const std::vector<compare::Row>& rows, std::size_t run);
/// "1.2 %": smallest slowdown that the comparison could have detected; "" where not known.
std::string detectable_text(const compare::Cell& cell);
/// Time, with "<" where it is below the profiler's resolution; "-" where the runtime has no layer.
std::string cell_time(const compare::Cell& cell);
/// The verdict, or the reason why there is none.
std::string verdict_text(const compare::Cell& cell);

/// "2 runs over 57 groups of nodes, measured in turns"
std::string scope_text(const compare::Comparison& c);
/// "openvino against ort: faster in 7 groups (-25.2 ms), slower in none, …"
std::string tally_text(const compare::Comparison& c, std::size_t run);
/// "openvino against ort could have detected a latency 0.9 % longer, and groups 3.1 % longer
/// (median of 57)"; "" where nothing is judged.
std::string power_text(const compare::Comparison& c, std::size_t run);
/// Time of the best of each: "80.4 ms over all groups, where ort 140.8 ms, …"
std::string best_text(const compare::Comparison& c);
/// "3 nodes are folded away, 1 node has no layer in any run"; "" where every node has one.
std::string untimed_text(const compare::Comparison& c);

bool batches_differ(const compare::Comparison& c);
/// Difference of the longest and the shortest time of a row.
double apart(const compare::Row& row);

/// Settings of the runs (runtime, threads, sizes, machine): the shared ones as one text, and a
/// column for each that differs and is not part of the labels.
struct FactsOfRuns {
  std::string shared;  ///< "ONNX Runtime 1.31.1; batch=1"
  std::vector<compare::FactColumn> differing;
};
FactsOfRuns facts_of(const compare::Comparison& c);

/// Part of the latency; shown_parts() has those that are not 0 in some run, the latency last.
struct Part {
  std::string_view title;
  double compare::Parts::*ns;
};
std::vector<Part> shown_parts(const compare::Comparison& c);
/// "110 % of the latency": sum of the parts of a run; "" where that is not known.
std::string add_up_text(const std::optional<compare::Parts>& parts);

}  // namespace ridge::exports
