// SPDX-License-Identifier: Apache-2.0
// Comparison of runs as rows of cells: times, ratios, verdicts, and their sums. Plain data, whose
// definitions comparison.h gives.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.h"
#include "compare/drift.h"
#include "compare/node_join.h"
#include "compare/run.h"
#include "stats/change.h"
#include "stats/samples.h"

namespace ridge::compare {

inline constexpr std::size_t kMinRuns = 6;  ///< minimum of stats::median_interval for 95 %
inline constexpr double kFalseDiscoveryRate = 0.05;

/// Defaults of ridge compare; bench/aa_power.cc measures their power.
inline constexpr double kThreshold = 0;         ///< every significant difference counts
inline constexpr std::uint32_t kProcesses = 5;  ///< per column

/// kDrift: a difference is shown, but between these runs, which did not take turns, the machine
/// drifted by at least as much (drift.h).
enum class Verdict : std::uint8_t { kBaseline, kFaster, kSlower, kNotShown, kDrift, kNotJudged };

}  // namespace ridge::compare

namespace ridge {

template <>
struct Words<compare::Verdict> {
  using Verdict = compare::Verdict;
  static constexpr std::array list{
      Word{Verdict::kBaseline, "baseline"}, Word{Verdict::kFaster, "faster"},
      Word{Verdict::kSlower, "slower"},     Word{Verdict::kNotShown, "no difference shown"},
      Word{Verdict::kDrift, "drift"},       Word{Verdict::kNotJudged, "not judged"}};
};

}  // namespace ridge

namespace ridge::compare {

constexpr std::string_view name(Verdict verdict) { return word(verdict); }

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
  /// Scatter of the processes' medians within each of the two runs; nullopt: not known.
  std::optional<Scatter> scatter;
  std::size_t processes = 0;  ///< smaller number of processes of the two runs; 0 without `change`
  std::optional<double> detectable;  ///< slowdown, as a share; nullopt without an interval
  Verdict verdict = Verdict::kBaseline;
  std::string reason;                   ///< reason for kNotJudged
  std::optional<stats::Change> change;  ///< set if both runs have enough samples
};

struct Row {
  std::string label;                 ///< "layer1.0: conv1 + bn1 + relu", a module, an operator
  std::string module;                ///< the deepest module that contains all nodes
  std::string op;                    ///< key of the table by operator
  std::vector<std::uint32_t> nodes;  ///< common numbers of `join`
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
  std::size_t not_shown = 0, drift = 0, not_judged = 0;
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
  std::vector<Tally> tallies;     ///< by run; the baseline's is empty
  std::vector<double> groups_ns;  ///< by run: sum over groups
  /// Sum over the groups that all runs have of the shortest time, and the least that a run takes
  /// for the others: not above the time of any run.
  double best_ns = 0;
  std::optional<std::size_t> best_others;  ///< the run with the least time for the others
  std::size_t untimed = 0;                 ///< nodes without a layer in any run
  std::size_t folded = 0;  ///< untimed nodes that every run with the node computes at load time
  double threshold = 0;
  bool interleaved = false;
  std::vector<std::string> notes;
};

/// True if every run has the group.
bool is_shared(const Row& group);

/// Order of measurement. kInterleaved: in turns, run by run (measure::Turns::kRuns).
enum class Measuring : std::uint8_t { kApart, kInterleaved };

struct CompareOptions {
  double threshold = kThreshold;
  Measuring measuring = Measuring::kApart;
};

}  // namespace ridge::compare
