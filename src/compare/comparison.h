// Comparison of two or more runs over the nodes of one model: differences per group of nodes and
// their significance.
//
//   const Comparison c = TRY(compare_runs(std::move(runs)));
//   for (const Row& row : c.groups) row.cells[1].verdict == Verdict::kFaster …
//
// Times. The time of a cell is the median over the profiled runs of the sum of its layers'
// corrected times, with a 95 % interval that treats processes as blocks. The interval is computed
// on a logarithmic scale, like that of the ratio: for runs measured apart, the ratio's interval
// contains 1 if each time lies in the other's interval, and does not if the intervals do not
// overlap. A document without times of single runs gives the sum of its layers' medians, without
// interval and verdict; fewer than kLeastRuns runs give no verdict. Ratio and difference are
// relative to the first run, the baseline (stats/change.h). For runs measured in turns
// (Measuring::kInterleaved) they are medians over pairs of runs, which is not the quotient of the
// medians.
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

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compare/drift.h"
#include "compare/groups.h"
#include "compare/node_join.h"
#include "compare/run.h"
#include "stats/change.h"

namespace ridge::compare {

inline constexpr std::size_t kLeastRuns = 6;  ///< minimum of stats::median_interval for 95 %
inline constexpr double kFalseDiscoveryRate = 0.05;

/// Defaults of ridge compare; bench/aa_power.cc measures their power.
inline constexpr double kThreshold = 0;         ///< every significant difference counts
inline constexpr std::uint32_t kProcesses = 5;  ///< per column

enum class Verdict : std::uint8_t { kBaseline, kFaster, kSlower, kNotShown, kNotJudged };
/// Name of a verdict: "baseline", "faster", "slower", "no difference shown", "not judged".
std::string_view name(Verdict verdict);

/// A row in one column. All fields except the time, its interval and the layers are relative to the
/// baseline.
struct Cell {
  std::optional<double> time_ns;  ///< nullopt: unknown, or the run's model has none of the nodes
  std::optional<stats::Interval> interval;
  std::size_t layers = 0;
  bool below_resolution = false;  ///< shorter than the resolution of the run's profiler
  std::optional<double> ratio;    ///< nullopt if a time is 0 or unknown
  std::optional<stats::Interval> ratio_interval;
  std::optional<double> per_item_ratio;  ///< ratio of the times per item, if batch sizes differ
  std::optional<double> difference_ns;
  std::optional<stats::Interval> difference_interval;
  /// confidence of the intervals of ratio and difference; 0: there are none
  double confidence = 0;
  std::size_t processes = 0;  ///< smaller number of processes of the two runs, if there is a change
  std::optional<double> detectable;  ///< slowdown, as a share; nullopt without an interval
  Verdict verdict = Verdict::kBaseline;
  std::string reason;                   ///< reason for kNotJudged
  std::optional<stats::Change> change;  ///< set if both runs have enough samples
};

struct Row {
  std::string label;                 ///< "layer1.0: conv1 + bn1 + relu", a module, an operator
  std::string module;                ///< the deepest module that contains all nodes
  std::string op;                    ///< key of the table by operator
  std::vector<std::uint32_t> nodes;  ///< common numbers
  std::vector<Cell> cells;           ///< by run
};

/// Components of a column's latency, or of its difference from the baseline's.
struct Parts {
  double latency_ns = 0, groups_ns = 0, inserted_ns = 0, unattributed_ns = 0, outside_ns = 0,
         unexplained_ns = 0;
};

/// Number of groups per verdict, of one column against the baseline.
struct Tally {
  struct Side {
    std::size_t groups = 0;
    double ns = 0;  ///< sum of the absolute differences
  };
  Side faster, slower;
  std::size_t not_shown = 0, not_judged = 0;
};

struct Comparison {
  std::vector<Run> runs;
  NodeJoin join;
  Row latency;
  std::vector<Row> groups;     ///< ordered by first node
  std::vector<Row> modules;    ///< parents before children, without the root
  std::vector<Row> operators;  ///< by name
  Row inserted, unattributed;
  std::vector<std::optional<Parts>> parts;        ///< by run; nullopt if the latency is unknown
  std::vector<std::optional<Parts>> differences;  ///< by run, relative to the baseline
  /// By run: share of the latency difference explained by groups and inserted layers; nullopt if no
  /// difference of latency is shown.
  std::vector<std::optional<double>> explained;
  /// By run, against the baseline; nullopt if the runs took turns, ran on different machines, or
  /// have no common reference kernel.
  std::vector<std::optional<Drift>> drifts;
  std::vector<Tally> tallies;  ///< by run; the baseline's is empty
  std::vector<double> groups_ns;
  double best_ns = 0;       ///< sum over groups of the fastest run's time
  std::size_t untimed = 0;  ///< nodes without a layer in any run
  std::size_t folded = 0;   ///< number of these computed at load time in every run that has them
  double threshold = 0;
  bool interleaved = false;
  std::vector<std::string> notes;
};

/// Order of measurement. kInterleaved: in turns, run by run (measure::Turns::kRuns).
enum class Measuring : std::uint8_t { kApart, kInterleaved };

struct CompareOptions {
  double threshold = kThreshold;
  Measuring measuring = Measuring::kApart;
};

Result<Comparison> compare_runs(std::vector<Run> runs, const CompareOptions& options = {});

}  // namespace ridge::compare
