// Two or more runs over the nodes of one model: which is faster where, and how sure that is.
//
//   const Comparison c = TRY(compare_runs(std::move(runs)));
//   for (const Row& row : c.groups) row.cells[1].verdict == Verdict::kFaster …
//
// Times. A cell's time is the median over the profiled runs of the sum of its layers' corrected
// times, with a 95 % interval that takes processes as blocks. It is made on a logarithmic scale, as
// that of the ratio is: of runs apart the ratio's interval has 1 where each time lies in the
// other's interval, and has not where these do not overlap. A document without times of single runs
// gives the sum of its layers' medians, no interval and no verdict; so do fewer than kLeastRuns
// runs. Ratio and difference are to the first run, the baseline (stats/change.h). Of runs that were
// measured in turns (Measuring::kInterleaved) they are medians over pairs of runs, which is not the
// quotient of the medians.
//
// Verdicts. Faster or slower: the interval of the ratio lies wholly past the threshold, nothing
// else. Because of many rows some look different by chance, the intervals of a table's column are
// widened together (stats::common_confidence), so that of its verdicts on average at most 5 % are
// wrong. Everything else is "no difference shown", which is no proof that there is none: what could
// have been shown stands beside it. Where that leaves a factor of two either way open
// (stats::tells_nothing) and a run has fewer than kProcesses processes, nothing is judged and no
// interval of the ratio is given. What the profilers of both runs cannot resolve is not judged.
//
//   detectable = (1 + threshold) * sqrt(high / low) - 1        [low, high]: interval of the ratio
//
// is the least slowdown at which an interval of this width around it lies past the threshold. On
// recorded noise one comparison in three finds one of that size, two in three one twice as large,
// nearly all one three times as large (aa_power_test.cc).
//
// Sums. latency = groups + inserted + unattributed + outside + unexplained, in every column:
// outside is what the run's own profile says passes between layers, unexplained is what is left.
//
// Errors: usage class for fewer than two runs; input class for runs without layers or with nothing
// in common.
// Ownership: owns the runs. Thread rule: plain data. Cost: about 1 ms per row and column for 100
// runs.
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

inline constexpr std::size_t kLeastRuns = 6;  ///< as stats::median_interval wants for 95 %
inline constexpr double kFalseDiscoveryRate = 0.05;

/// Of ridge compare, where nothing else is asked for; bench/aa_power.cc says what they find.
inline constexpr double kThreshold = 0;         ///< every difference that is shown matters
inline constexpr std::uint32_t kProcesses = 5;  ///< of each column

enum class Verdict : std::uint8_t { kBaseline, kFaster, kSlower, kNotShown, kNotJudged };
/// "baseline", "faster", "slower", "no difference shown", "not judged".
std::string_view name(Verdict verdict);

/// A row in one column. Everything but the time is against the baseline.
struct Cell {
  std::optional<double> time_ns;  ///< nullopt: not known, or the run's model has none of the nodes
  std::optional<stats::Interval> interval;
  std::size_t layers = 0;
  bool below_resolution = false;  ///< the run's profiler cannot tell so short a time
  std::optional<double> ratio;    ///< nullopt where a time is 0 or not known
  std::optional<stats::Interval> ratio_interval;
  std::optional<double> per_item_ratio;  ///< where batches differ: of the time for one item
  std::optional<double> difference_ns;
  std::optional<stats::Interval> difference_interval;
  double confidence = 0;      ///< of the intervals of ratio and difference; 0: there are none
  std::size_t processes = 0;  ///< of the run that has fewer, where there is a change
  std::optional<double> detectable;  ///< slowdown, as a share; nullopt where there is no interval
  Verdict verdict = Verdict::kBaseline;
  std::string reason;                   ///< why it is not judged
  std::optional<stats::Change> change;  ///< where both have enough runs
};

struct Row {
  std::string label;                 ///< "layer1.0: conv1 + bn1 + relu", a module, an operator
  std::string module;                ///< the deepest that holds all nodes
  std::string op;                    ///< what the group counts under by operator
  std::vector<std::uint32_t> nodes;  ///< common numbers
  std::vector<Cell> cells;           ///< by run
};

/// A column's latency in parts, or its difference from the baseline's.
struct Parts {
  double latency_ns = 0, groups_ns = 0, inserted_ns = 0, unattributed_ns = 0, outside_ns = 0,
         unexplained_ns = 0;
};

/// A column against the baseline, over groups.
struct Tally {
  struct Side {
    std::size_t groups = 0;
    double ns = 0;  ///< sum of the differences, not negative
  };
  Side faster, slower;
  std::size_t not_shown = 0, not_judged = 0;
};

struct Comparison {
  std::vector<Run> runs;
  NodeJoin join;
  Row latency;
  std::vector<Row> groups;     ///< by first node
  std::vector<Row> modules;    ///< parents before children, the whole model left out
  std::vector<Row> operators;  ///< by name
  Row inserted, unattributed;
  std::vector<std::optional<Parts>> parts;  ///< by run; nullopt where the latency is not known
  std::vector<std::optional<Parts>> differences;  ///< by run, from the baseline
  /// Share of the latency's difference that groups and inserted layers explain; nullopt where no
  /// difference of latency is shown.
  std::vector<std::optional<double>> explained;
  /// By run, against the baseline; nullopt where the runs took turns, or no reference kernels ran.
  std::vector<std::optional<Drift>> drifts;
  std::vector<Tally> tallies;  ///< by run; the baseline's is empty
  std::vector<double> groups_ns;
  double best_ns = 0;       ///< sum over groups of the fastest run's time
  std::size_t untimed = 0;  ///< nodes that no run has a layer for
  std::size_t folded = 0;   ///< of these, computed when the model was loaded, in every run
  double threshold = 0;
  bool interleaved = false;
  std::vector<std::string> notes;
};

/// kInterleaved: in turns, run by run (measure::Turns::kRuns).
enum class Measuring : std::uint8_t { kApart, kInterleaved };

struct CompareOptions {
  double threshold = kThreshold;
  Measuring measuring = Measuring::kApart;
};

Result<Comparison> compare_runs(std::vector<Run> runs, const CompareOptions& options = {});

}  // namespace ridge::compare
