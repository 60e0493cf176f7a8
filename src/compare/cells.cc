#include "compare/cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stats/samples.h"

namespace ridge::compare {
namespace {

using profile::Layer;
using profile::Profile;
using stats::Change;
using stats::Interval;
using stats::Side;

std::size_t samples_in(const Times& times) {
  std::size_t n = 0;
  for (const std::vector<double>& block : times.blocks) n += block.size();
  return n;
}

/// Runs of layers stand one process after the other, as the samples of the latency.
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

/// How many runs every one of the layers has; 0 where they differ.
std::size_t common_runs(const Profile& profile, std::span<const std::uint32_t> layers) {
  const std::vector<Layer>& all = profile.layers;
  const std::uint32_t first = layers.empty() ? 0 : layers[0];
  const std::size_t n = all.empty() ? 0 : all[first].runs_ns.size();
  const bool same = std::all_of(layers.begin(), layers.end(),
                                [&](std::uint32_t l) { return all[l].runs_ns.size() == n; });
  return same ? n : 0;
}

std::optional<Interval> known(const stats::Estimate& e) {
  return std::isnan(e.value) ? std::nullopt : std::optional(e.ci);
}

Cell time_cell(const std::optional<Times>& times) {
  Cell cell;
  if (!times) return cell;
  cell.time_ns = times->median_ns;
  cell.layers = times->layers;
  cell.below_resolution = times->below_resolution;
  if (samples_in(*times) >= kLeastRuns)
    cell.interval = known(stats::hierarchical_median(times->blocks));
  return cell;
}

/// Why no verdict is possible; empty where one is.
std::string obstacle(const Run& run, const std::optional<Times>& times) {
  if (!times) return fmt::format("not in the model of {}", run.label);
  if (!times->median_ns) return fmt::format("{} has no such time", run.label);
  if (times->blocks.empty()) return fmt::format("{} has no times of single runs", run.label);
  if (samples_in(*times) < kLeastRuns)
    return fmt::format("{} has fewer than {} runs", run.label, kLeastRuns);
  return "";
}

void set_against(Cell& cell, const Cell& baseline) {
  if (!cell.time_ns || !baseline.time_ns) return;
  cell.difference_ns = *cell.time_ns - *baseline.time_ns;
  if (*baseline.time_ns > 0 && *cell.time_ns > 0) cell.ratio = *cell.time_ns / *baseline.time_ns;
}

/// Of both sides of the threshold, which the change may be on, and its doubt.
struct Leaning {
  Verdict towards = Verdict::kNotShown;
  double doubt = 1;
};

Leaning leaning(const Cell& cell, double threshold) {
  const Change& c = *cell.change;
  // Where a side takes no time at all there is no ratio; any time is more than none.
  const bool by_ratio = !std::isnan(c.ratio.value);
  const double above = by_ratio ? stats::ratio_doubt(c, Side::kAbove, 1 + threshold)
                                : stats::difference_doubt(c, Side::kAbove, 0);
  const double below = by_ratio ? stats::ratio_doubt(c, Side::kBelow, 1 - threshold)
                                : stats::difference_doubt(c, Side::kBelow, 0);
  const Interval ci = by_ratio ? c.ratio.ci : c.difference.ci;
  const double centre = by_ratio ? 1 : 0, margin = by_ratio ? threshold : 0;
  const double doubt = std::min(1.0, 2 * std::min(above, below));  // either side was possible
  if (ci.lo > centre + margin) return {Verdict::kSlower, doubt};
  if (ci.hi < centre - margin) return {Verdict::kFaster, doubt};
  return {Verdict::kNotShown, doubt};
}

}  // namespace

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
  out.below_resolution = *out.median_ns < profile.profiling.resolution_ns;
  return out;
}

Times latency_of(const Profile& profile) {
  Times out;
  for (const profile::Process& process : profile.latency.processes)
    out.blocks.push_back(stats::as_doubles(process.samples_ns));
  if (samples_in(out) == 0) out.blocks.clear();
  if (profile.latency.ns.median > 0) out.median_ns = profile.latency.ns.median;
  return out;
}

std::vector<Cell> cells_of(std::span<const Run> runs,
                           const std::vector<std::optional<Times>>& times,
                           const CompareOptions& options) {
  const auto blocks = options.measuring == Measuring::kInterleaved ? stats::Blocks::kPaired
                                                                   : stats::Blocks::kIndependent;
  std::vector<Cell> out = {time_cell(times[0])};
  const std::string baseline_obstacle = obstacle(runs[0], times[0]);
  for (std::size_t r = 1; r < runs.size(); ++r) {
    Cell cell = time_cell(times[r]);
    cell.verdict = Verdict::kNotShown;
    cell.reason = baseline_obstacle.empty() ? obstacle(runs[r], times[r]) : baseline_obstacle;
    set_against(cell, out[0]);
    if (cell.reason.empty()) {
      cell.change = stats::change(times[0]->blocks, times[r]->blocks, blocks);
      cell.ratio_interval = known(cell.change->ratio);
      cell.difference_interval = known(cell.change->difference);
    } else {
      cell.verdict = Verdict::kNotJudged;
    }
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
    std::vector<Leaning> leanings;
    std::vector<double> doubts;
    for (Row& row : rows) {
      Cell& cell = row.cells[column];
      const bool resolved = !cell.below_resolution || !row.cells[0].below_resolution;
      if (!cell.change || !resolved) continue;
      judged.push_back(&cell);
      leanings.push_back(leaning(cell, threshold));
      doubts.push_back(leanings.back().doubt);
    }
    const std::vector<bool> shown = stats::discoveries(doubts, kFalseDiscoveryRate);
    for (std::size_t i = 0; i < judged.size(); ++i)
      judged[i]->verdict = shown[i] ? leanings[i].towards : Verdict::kNotShown;
  }
}

}  // namespace ridge::compare
