// SPDX-License-Identifier: Apache-2.0
#include "compare/cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stats/block_median.h"
#include "stats/samples.h"

namespace ridge::compare {
namespace {

using profile::Layer;
using profile::Profile;
using stats::Interval;

std::size_t samples_in(const Times& times) {
  std::size_t n = 0;
  for (const std::vector<double>& block : times.blocks) n += block.size();
  return n;
}

/// Splits the runs of layers into processes; they are concatenated like the samples of the latency.
/// Returns one block if the numbers of runs do not match.
std::vector<std::vector<double>> in_blocks(const Profile& profile, std::vector<double> runs) {
  std::vector<std::vector<double>> out;
  auto next = runs.begin();
  for (const profile::Process& process : profile.latency.processes) {
    const std::ptrdiff_t size = std::ssize(process.samples_ns);
    if (runs.end() - next < size) return {std::move(runs)};
    out.emplace_back(next, next + size);
    next += size;
  }
  if (next != runs.end()) return {std::move(runs)};
  return out;
}

/// Number of runs of every one of the layers; 0 if they differ.
std::size_t common_runs(const Profile& profile, std::span<const std::uint32_t> layers) {
  const std::vector<Layer>& all = profile.layers;
  const std::uint32_t first = layers.empty() ? 0 : layers[0];
  const std::size_t n = all.empty() ? 0 : all[first].runs_ns.size();
  const bool same = std::all_of(layers.begin(), layers.end(),
                                [&](std::uint32_t l) { return all[l].runs_ns.size() == n; });
  return same ? n : 0;
}

/// True for a time of which only the limit is known: the profiler does not resolve it. Without a
/// layer it is 0.
bool unresolved(const Cell& cell) { return cell.below_resolution && cell.layers > 0; }

Cell time_cell(const std::optional<Times>& times) {
  Cell cell;
  if (!times) return cell;
  cell.time_ns = times->median_ns;
  cell.layers = times->layers;
  cell.below_resolution = times->below_resolution;
  if (!unresolved(cell)) cell.interval = stats::time_interval(times->blocks, 0.95);
  // rounded to picoseconds: the digits beyond are rounding errors of the logarithms
  if (cell.interval)
    cell.interval = {std::round(1e3 * cell.interval->lo) / 1e3,
                     std::round(1e3 * cell.interval->hi) / 1e3};
  return cell;
}

/// True if any layer has time left after the profiling overhead is subtracted; on a very busy
/// machine the overhead may exceed all of it.
bool tells_layers(const Profile& profile) {
  return std::any_of(profile.layers.begin(), profile.layers.end(),
                     [](const Layer& layer) { return layer.corrected_ns > 0; });
}

/// Reason why no verdict is possible; "" if one is.
std::string obstacle(const Run& run, const std::optional<Times>& times) {
  if (!times) return fmt::format("not in the model of {}", run.label);
  if (times->layers > 0 && !tells_layers(run.profile))
    return fmt::format("profiling cost {} more than its layers take", run.label);
  if (!times->median_ns) return fmt::format("{} has no such time", run.label);
  if (times->blocks.empty())
    return run.label + (run.profile.subject.kind == "estimated" ? " is estimated, not measured"
                                                                : " has no times of single runs");
  if (samples_in(*times) < kMinRuns)
    return fmt::format("{} has fewer than {} runs", run.label, kMinRuns);
  return "";
}

/// Reason why the layers of two runs cannot be compared; "" if they can.
std::string unlike(const Run& baseline, const Run& run) {
  const LayerTimes times = layer_times_of(baseline, run);
  if (times != LayerTimes::kFirstReported && times != LayerTimes::kSecondReported) return "";
  const bool first = times == LayerTimes::kFirstReported;
  return fmt::format("layer times of {} are as reported, those of {} corrected",
                     first ? baseline.label : run.label, first ? run.label : baseline.label);
}

/// True if the profilers cannot tell which is longer: both are below their resolutions, or one is,
/// and the other does not lie above that resolution.
bool too_short(const Cell& a, const Cell& b, const Times& of_a, const Times& of_b) {
  if (!a.below_resolution && !b.below_resolution) return false;
  if (a.below_resolution && b.below_resolution) return true;
  const Cell& above = a.below_resolution ? b : a;
  const double limit = (a.below_resolution ? of_a : of_b).resolution_ns;
  return (above.interval ? above.interval->lo : above.time_ns.value_or(0)) <= limit;
}

void set_against(Cell& cell, const Cell& baseline) {
  if (!cell.time_ns || !baseline.time_ns) return;
  cell.difference_ns = *cell.time_ns - *baseline.time_ns;
  if (*baseline.time_ns > 0 && *cell.time_ns > 0) cell.ratio = *cell.time_ns / *baseline.time_ns;
}

/// Test whether a change exceeds the threshold. If a run took no time there is no ratio; then the
/// difference is tested, as a share of the baseline's time.
class EstimateOptions {
 public:
  EstimateOptions(const Cell& cell, const Cell& baseline, double threshold)
      : change_(*cell.change), by_ratio_(!std::isnan(change_.ratio())) {
    const double margin = by_ratio_ ? threshold : threshold * baseline.time_ns.value_or(0);
    const double none = by_ratio_ ? 1 : 0;
    indifferent_ = {none - margin, none + margin};
  }
  double doubt() const {
    return stats::doubt([this](double confidence) { return interval(confidence); }, indifferent_);
  }
  Verdict answer(double confidence) const {
    const stats::Finding found = stats::finding(interval(confidence), indifferent_);
    if (found == stats::Finding::kAbove) return Verdict::kSlower;
    return found == stats::Finding::kBelow ? Verdict::kFaster : Verdict::kNotShown;
  }

 private:
  std::optional<Interval> interval(double confidence) const {
    return by_ratio_ ? change_.ratio_interval(confidence) : change_.difference_interval(confidence);
  }

  const stats::Change& change_;
  bool by_ratio_;
  Interval indifferent_;
};

double detectable(const Interval& ratio, double threshold) {
  return (1 + threshold) * std::sqrt(ratio.hi / ratio.lo) - 1;
}

std::size_t processes_in(const std::vector<std::vector<double>>& blocks) {
  return static_cast<std::size_t>(
      std::count_if(blocks.begin(), blocks.end(), [](const auto& b) { return !b.empty(); }));
}

/// By how much two times differ is not known where one is below the profiler's resolution.
void leave_out_intervals(Cell& cell) {
  cell.ratio_interval.reset();
  cell.difference_interval.reset();
  cell.detectable.reset();
}

/// Replaces "no difference shown" by "not judged": with so few processes the interval is too wide
/// for either.
void withhold(Cell& cell) {
  cell.verdict = Verdict::kNotJudged;
  cell.reason = fmt::format("too few processes to tell; --processes {}", kProcesses);
  leave_out_intervals(cell);
}

std::vector<double> medians_of(const std::vector<std::vector<double>>& blocks) {
  std::vector<double> out;
  for (const std::vector<double>& block : blocks)
    if (!block.empty()) out.push_back(stats::median(block));
  return out;
}

/// Sets the change of a cell relative to the baseline, both with enough runs.
void set_change(Cell& cell, const std::vector<std::vector<double>>& baseline,
                const std::vector<std::vector<double>>& blocks, stats::Runs runs) {
  stats::Change change(baseline, blocks, runs);
  if (change.size() < kMinRuns) {
    cell.reason = fmt::format("fewer than {} of its runs have a partner in turns", kMinRuns);
    return;
  }
  cell.difference_ns = change.difference();
  if (!std::isnan(change.ratio())) cell.ratio = change.ratio();
  cell.change = std::move(change);
  cell.scatter = scatter_within(medians_of(baseline), medians_of(blocks));
  cell.processes = std::min(processes_in(baseline), processes_in(blocks));
}

}  // namespace

LayerTimes layer_times_of(const Run& first, const Run& second) {
  const auto reported = [](const Run& run) {
    return run.profile.profiling.layer_times == profile::kReportedTimes;
  };
  const auto measured = [](const Run& run) { return run.profile.subject.kind == "measured"; };
  if (!measured(first) || !measured(second)) return LayerTimes::kAlike;
  if (reported(first) != reported(second))
    return reported(first) ? LayerTimes::kFirstReported : LayerTimes::kSecondReported;
  return reported(first) ? LayerTimes::kBothReported : LayerTimes::kAlike;
}

Times times_of(const Profile& profile, std::span<const std::uint32_t> layers) {
  Times out;
  out.layers = layers.size();
  out.median_ns = 0;
  const std::size_t runs = common_runs(profile, layers);
  if (runs > 0) {
    std::vector<double> sums(runs, 0);
    for (const std::uint32_t l : layers)
      for (std::size_t i = 0; i < runs; ++i)
        sums[i] += static_cast<double>(profile.layers[l].runs_ns[i]);
    out.median_ns = stats::median(sums);
    out.blocks = in_blocks(profile, std::move(sums));
  } else {
    for (const std::uint32_t l : layers) *out.median_ns += profile.layers[l].corrected_ns;
  }
  out.resolution_ns = profile.profiling.resolution_ns;
  out.below_resolution = *out.median_ns < out.resolution_ns;
  return out;
}

Times latency_of(const Profile& profile) {
  Times out;
  for (const profile::Process& process : profile.latency.processes)
    out.blocks.push_back(stats::as_doubles(process.samples_ns));
  if (samples_in(out) == 0) out.blocks.clear();
  if (profile.latency.ns.value > 0) out.median_ns = profile.latency.ns.value;
  return out;
}

std::vector<Cell> cells_of(std::span<const Run> runs,
                           const std::vector<std::optional<Times>>& times,
                           const CompareOptions& options) {
  const auto pairing =
      options.measuring == Measuring::kInterleaved ? stats::Runs::kInTurns : stats::Runs::kApart;
  std::vector<Cell> out = {time_cell(times[0])};
  const std::string baseline_obstacle = obstacle(runs[0], times[0]);
  for (std::size_t r = 1; r < runs.size(); ++r) {
    Cell cell = time_cell(times[r]);
    cell.verdict = Verdict::kNotShown;
    cell.reason = baseline_obstacle.empty() ? obstacle(runs[r], times[r]) : baseline_obstacle;
    if (cell.reason.empty() && times[0]->layers + times[r]->layers > 0)
      cell.reason = unlike(runs[0], runs[r]);
    set_against(cell, out[0]);
    if (cell.reason.empty() && too_short(out[0], cell, *times[0], *times[r]))
      cell.reason = "too short for the profilers to tell";
    if (cell.reason.empty()) set_change(cell, times[0]->blocks, times[r]->blocks, pairing);
    if (!cell.change) cell.verdict = Verdict::kNotJudged;
    const double items = static_cast<double>(runs[r].profile.batch) /
                         static_cast<double>(std::max<std::int64_t>(runs[0].profile.batch, 1));
    if (cell.ratio && items > 0 && items != 1) cell.per_item_ratio = *cell.ratio / items;
    out.push_back(std::move(cell));
  }
  return out;
}

void judge(std::span<Row> rows, double threshold) {
  const std::size_t columns = rows.empty() ? 0 : rows[0].cells.size();
  for (std::size_t column = 1; column < columns; ++column) {
    std::vector<Cell*> judged;
    std::vector<const Row*> row_of;
    std::vector<EstimateOptions> questions;
    std::vector<double> doubts;
    for (Row& row : rows) {
      Cell& cell = row.cells[column];
      if (!cell.change) continue;
      judged.push_back(&cell);
      row_of.push_back(&row);
      questions.emplace_back(cell, row.cells[0], threshold);
      doubts.push_back(questions.back().doubt());
    }
    const double confidence = stats::common_confidence(doubts, kFalseDiscoveryRate);
    for (std::size_t i = 0; i < judged.size(); ++i) {
      Cell& cell = *judged[i];
      cell.confidence = confidence;
      cell.ratio_interval = cell.change->ratio_interval(confidence);
      if (cell.ratio_interval) cell.detectable = detectable(*cell.ratio_interval, threshold);
      cell.difference_interval = cell.change->difference_interval(confidence);
      cell.verdict = questions[i].answer(confidence);
      const bool open = cell.ratio_interval && stats::tells_nothing(*cell.ratio_interval);
      if (open && cell.verdict == Verdict::kNotShown && cell.processes < kProcesses) withhold(cell);
      if (unresolved(cell) || unresolved(row_of[i]->cells[0])) leave_out_intervals(cell);
    }
  }
}

}  // namespace ridge::compare
