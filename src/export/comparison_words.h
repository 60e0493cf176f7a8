// The figures of a comparison in words: what its tables and its report both say.
//
// Texts hold names of runs as they are; sinks make them safe. What is not known is "" or "?".
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compare/comparison.h"
#include "compare/run_labels.h"

namespace ridge::exports {

/// "+1.2 ms", "-3 ns".
std::string signed_duration(double ns);
/// "1.2 ms", "?".
std::string time_text(const std::optional<double>& ns);
/// "[1.2 ms, 1.3 ms]", "".
std::string time_interval_text(const std::optional<stats::Interval>& ns);
/// "0.885", "".
std::string ratio_text(const std::optional<double>& ratio);
/// "[0.881, 0.889]", "".
std::string interval_text(const std::optional<stats::Interval>& ci);
/// "97.3 %": of the intervals of ratios in a column of a table, which all have the same.
std::string confidence_text(const std::vector<compare::Row>& rows, std::size_t run);
/// "1.2 %": the least slowdown that the comparison could have shown, "".
std::string detectable_text(const compare::Cell& cell);
/// A time, marked where the profiler cannot resolve it, a dash where the runtime has no layer.
std::string cell_time(const compare::Cell& cell);
/// The verdict, or why there is none.
std::string verdict_text(const compare::Cell& cell);

/// "2 runs over 57 groups of nodes, measured in turns"
std::string scope_text(const compare::Comparison& c);
/// "openvino against ort: faster in 7 groups (-25.2 ms), slower in none, …"
std::string tally_text(const compare::Comparison& c, std::size_t run);
/// "openvino against ort could have shown a latency 0.9 % longer, and groups 3.1 % longer (median
/// of 57)"; "" where nothing is judged.
std::string power_text(const compare::Comparison& c, std::size_t run);
/// Of best of each: "80.4 ms over all groups, where ort 140.8 ms, …"
std::string best_text(const compare::Comparison& c);
/// "3 nodes are folded away, 1 node has no layer in any run"; "" where every node has one.
std::string untimed_text(const compare::Comparison& c);

bool batches_differ(const compare::Comparison& c);
/// The longest less the shortest time of a row.
double apart(const compare::Row& row);

/// What a reader asks of every run (runtime, threads, sizes, machine): what all share is said once,
/// what differs and their labels do not say is a column.
struct FactsOfRuns {
  std::string shared;  ///< "ONNX Runtime 1.31.1; batch=1"
  std::vector<compare::FactColumn> differing;
};
FactsOfRuns facts_of(const compare::Comparison& c);

/// Parts of the latency that say anything, the latency last.
struct Part {
  std::string_view title;
  double compare::Parts::*ns;
};
std::vector<Part> shown_parts(const compare::Comparison& c);
/// "110 % of the latency": what the parts of a run add up to; "" where that is not known.
std::string add_up_text(const std::optional<compare::Parts>& parts);

}  // namespace ridge::exports
