#include "bricks/brick_times.h"

#include <algorithm>
#include <cmath>

#include "measure/event_cost.h"
#include "stats/samples.h"

namespace ridge::bricks {
namespace {

using profile::BrickRun;
using profile::ChainRun;
using profile::SuiteProcess;

/// Moves disturbed runs behind the others and returns how many count: the quiet ones, or the
/// quietest kLeastRuns.
template <typename Run>
std::size_t quiet_first(std::vector<Run>& runs, const measure::Host& host) {
  for (Run& run : runs)
    if (std::isnan(run.foreign_cpus)) run.foreign_cpus = -1;  // unknown
  std::ranges::stable_sort(runs, {}, &Run::foreign_cpus);
  std::size_t quiet = 0;
  while (quiet < runs.size() && !measure::is_disturbed(runs[quiet].foreign_cpus, host)) ++quiet;
  return std::min(runs.size(), std::max(quiet, kLeastRuns));
}

/// Runs of a chain in two successive rounds.
struct ChainPair {
  ChainRun first, second;
  double foreign_cpus = 0;
};

/// The chains of one length, as runs with and without profiling.
measure::LeveledRuns chain_of(const SuiteProcess& process, std::uint32_t kernels,
                              const measure::Host& host) {
  std::vector<ChainPair> pairs;
  const ChainRun* first = nullptr;
  for (const ChainRun& run : process.chains) {
    if (run.kernels != kernels) continue;
    if (first != nullptr) {
      pairs.push_back({*first, run, std::fmax(first->foreign_cpus, run.foreign_cpus)});
      first = nullptr;
    } else {
      first = &run;
    }
  }
  if (pairs.empty() && first != nullptr) pairs.push_back({*first, *first, first->foreign_cpus});
  pairs.resize(quiet_first(pairs, host));
  const auto mean = [](std::int64_t a, std::int64_t b) {
    return (static_cast<double>(a) + static_cast<double>(b)) / 2;
  };
  measure::LeveledRuns out{.events = static_cast<int>(kernels)};
  for (const auto& [one, other, load] : pairs) {
    out.plain_ns.push_back(mean(one.plain_ns, other.plain_ns));
    out.profiled_ns.push_back(mean(one.profiled_ns, other.profiled_ns));
    out.reported_ns.push_back(mean(one.reported_ns, other.reported_ns));
  }
  return out;
}

measure::EventCost cost_of(const SuiteProcess& process, const measure::Host& host) {
  const auto [brief, lengthy] =
      std::ranges::minmax(process.chains, {}, [](const ChainRun& run) { return run.kernels; });
  if (brief.kernels == lengthy.kernels) return {};
  return measure::event_cost(chain_of(process, brief.kernels, host),
                             chain_of(process, lengthy.kernels, host));
}

}  // namespace

BrickTimes::BrickTimes(std::span<const SuiteProcess> processes, const measure::Host& host,
                       bool warm) {
  for (const SuiteProcess& process : processes) {
    add(process, host, warm);
    ++processes_;
  }
  for (auto& [key, brick] : bricks_) limit_outliers(brick.times);
  limit_outliers(outside_);
}

void BrickTimes::add(const SuiteProcess& process, const measure::Host& host, bool warm) {
  for (const profile::LostBrick& brick : process.lost) lost_[brick.key] = brick.why;
  for (const profile::SuiteBrick& b : process.bricks)
    planned_[b.key] = {.kind = b.kind, .macs = b.macs, .bytes = b.bytes};
  if (process.chains.empty()) return;
  const measure::EventCost cost = cost_of(process, host);
  const auto number = static_cast<std::uint32_t>(processes_);
  outside_.push_back({.process = number,
                      .ns = std::max(0.0, cost.outside_ns),
                      .runs = static_cast<std::uint32_t>(process.chains.size() / 2)});
  for (const profile::SuiteBrick& brick : process.bricks) {
    if (brick.runs.empty()) continue;
    lost_.erase(brick.key);
    BrickTime& time = bricks_[brick.key];
    const bool other = brick.warm != warm;
    if (other && !time.times.empty() && !time.other_state) continue;
    if (!other && time.other_state) time.times.clear();
    time.other_state = other;
    time.size = planned_[brick.key];
    add(brick, number, cost.inside_ns, host);
  }
}

void BrickTimes::add(const profile::SuiteBrick& brick, std::uint32_t process, double inside_ns,
                     const measure::Host& host) {
  std::vector<BrickRun> runs = brick.runs;
  runs_ += runs.size();
  const std::size_t counted = quiet_first(runs, host);
  disturbed_ += runs.size() - counted;
  std::vector<double> times;
  for (std::size_t i = 0; i < counted; ++i)
    times.push_back(static_cast<double>(runs[i].reported_ns) -
                    static_cast<double>(runs[i].events) * inside_ns);
  const std::vector<double> near = stats::limited(times, kFarthestRun, kLeastRunSpread);
  BrickTime& time = bricks_[brick.key];
  const bool whole = runs[0].events == 0;
  const auto before = static_cast<double>(time.times.size());
  if (!whole)  // nothing is cut
    time.state_ns = (time.state_ns * before + stats::deviation(near)) / (before + 1);
  time.times.push_back({.process = process,
                        .ns = whole ? stats::median(times) : std::max(0.0, stats::mean(near)),
                        .runs = static_cast<std::uint32_t>(counted)});
}

std::vector<BrickSize> BrickTimes::unmeasured() const {
  std::vector<BrickSize> out;
  for (const auto& [key, size] : planned_)
    if (!bricks_.contains(key)) out.push_back(size);
  return out;
}

const BrickTime* BrickTimes::find(std::string_view key) const {
  const auto found = bricks_.find(std::string(key));
  return found == bricks_.end() ? nullptr : &found->second;
}

std::string BrickTimes::lost(std::string_view key) const {
  const auto found = lost_.find(std::string(key));
  return found == lost_.end() || find(key) != nullptr ? std::string() : found->second;
}

}  // namespace ridge::bricks
