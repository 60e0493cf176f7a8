// SPDX-License-Identifier: Apache-2.0
#include "bricks/brick_times.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "measure/event_cost.h"
#include "stats/samples.h"

namespace ridge::bricks {
namespace {

using profile::BrickRun;
using profile::ChainRun;
using profile::SuiteProcess;

/// Moves disturbed runs behind the others and returns how many count: the quiet ones, or the
/// quietest kMinRuns.
template <typename Run>
std::size_t quiet_first(std::vector<Run>& runs, const measure::Host& host) {
  for (Run& run : runs)
    if (std::isnan(run.foreign_cpus)) run.foreign_cpus = -1;  // unknown
  std::ranges::stable_sort(runs, {}, &Run::foreign_cpus);
  std::size_t quiet = 0;
  while (quiet < runs.size() && !measure::is_disturbed(runs[quiet].foreign_cpus, host)) ++quiet;
  return std::min(runs.size(), std::max(quiet, kMinRuns));
}

/// Runs of a chain in two successive rounds.
struct ChainPair {
  ChainRun first, second;
  double foreign_cpus = 0;
};

/// The chains of one length and size, as runs with and without profiling.
measure::LeveledRuns chain_of(const SuiteProcess& process, std::int64_t bytes,
                              std::uint32_t kernels, const measure::Host& host) {
  std::vector<ChainPair> pairs;
  const ChainRun* first = nullptr;
  for (const ChainRun& run : process.chains) {
    if (run.kernels != kernels || run.bytes != bytes) continue;
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

measure::EventCost cost_of(const SuiteProcess& process, std::int64_t bytes,
                           const measure::Host& host) {
  const auto [brief, lengthy] =
      std::ranges::minmax(process.chains, {}, [](const ChainRun& run) { return run.kernels; });
  if (brief.kernels == lengthy.kernels) return {};
  return measure::event_cost(chain_of(process, bytes, brief.kernels, host),
                             chain_of(process, bytes, lengthy.kernels, host));
}

/// Part of an event's cost that lies inside its duration, by the bytes that the kernel touches:
/// linear in their logarithm between the chains.
class InsideCost {
 public:
  void add(std::int64_t bytes, double ns) { points_[log_of(static_cast<double>(bytes))] = ns; }
  /// After at least one add().
  double at(double bytes) const {
    const double x = log_of(bytes);
    const auto above = points_.lower_bound(x);
    if (above == points_.end()) return points_.rbegin()->second;
    if (above == points_.begin()) return above->second;
    const auto below = std::prev(above);
    const double share = (x - below->first) / (above->first - below->first);
    return std::lerp(below->second, above->second, share);
  }

 private:
  static double log_of(double bytes) { return std::log2(std::max(1.0, bytes)); }
  std::map<double, double> points_;
};

/// Ratio of two reuse distances, as a power of two and at least 0.
double ratio(std::int64_t one, std::int64_t other) {
  constexpr double kAll = 1e12;  // all other bricks
  const auto bytes = [](std::int64_t reuse) {
    return reuse > 0 ? static_cast<double>(reuse) : kAll;
  };
  return std::abs(std::log2(bytes(one) / bytes(other)));
}

}  // namespace

CorrectedProcess corrected(const SuiteProcess& process, const measure::Host& host) {
  CorrectedProcess out{.process = &process};
  if (process.chains.empty()) return out;
  std::set<std::int64_t> sizes;
  for (const ChainRun& run : process.chains) sizes.insert(run.bytes);
  InsideCost inside;
  for (const std::int64_t bytes : sizes) {
    const measure::EventCost cost = cost_of(process, bytes, host);
    inside.add(bytes, cost.inside_ns);
    out.outside_ns = std::max(0.0, cost.outside_ns);  // of the largest
  }
  for (std::size_t b = 0; b < process.bricks.size(); ++b) {
    std::vector<BrickRun> runs = process.bricks[b].runs;
    if (runs.empty()) continue;
    const double bytes = static_cast<double>(process.bricks[b].bytes);
    const double inside_ns = inside.at(bytes / std::max(1U, runs[0].events));
    const std::size_t counted = quiet_first(runs, host);
    std::vector<double> times;
    for (std::size_t i = 0; i < counted; ++i)
      times.push_back(static_cast<double>(runs[i].reported_ns) -
                      static_cast<double>(runs[i].events) * inside_ns);
    const std::vector<double> near = stats::limited(times, kFarthestRun, kMinRunSpread);
    const bool whole = runs[0].events == 0;  // nothing is cut
    out.bricks.push_back({.position = b,
                          .ns = whole ? stats::median(times) : std::max(0.0, stats::mean(near)),
                          .state_ns = whole ? 0 : stats::deviation(near),
                          .runs = static_cast<std::uint32_t>(counted),
                          .disturbed = static_cast<std::uint32_t>(runs.size() - counted),
                          .quiet = !measure::is_disturbed(runs[counted - 1].foreign_cpus, host)});
  }
  return out;
}

BrickTimes::BrickTimes(std::span<const SuiteProcess> processes, const measure::Host& host,
                       std::int64_t reuse_bytes) {
  std::vector<CorrectedProcess> all;
  for (const SuiteProcess& process : processes) all.push_back(corrected(process, host));
  *this = BrickTimes(all, reuse_bytes);
}

BrickTimes::BrickTimes(std::span<const CorrectedProcess> processes, std::int64_t reuse_bytes) {
  for (const CorrectedProcess& process : processes) {
    add(process, reuse_bytes);
    ++processes_;
  }
  for (auto& [key, brick] : bricks_) {
    brick.processes = brick.times.size();
    if (std::ranges::count(brick.times, true, &ProcessTime::quiet) >= 2)
      std::erase_if(brick.times, [](const ProcessTime& t) { return !t.quiet; });
    limit_outliers(brick.times);
  }
  limit_outliers(outside_);
}

void BrickTimes::add(const CorrectedProcess& corrected, std::int64_t reuse_bytes) {
  const SuiteProcess& process = *corrected.process;
  for (const profile::LostBrick& brick : process.lost) lost_[brick.key] = brick.why;
  for (const profile::SuiteBrick& b : process.bricks)
    planned_[b.key] = {.kind = b.kind, .macs = b.macs, .bytes = b.bytes};
  if (process.chains.empty()) return;
  const auto number = static_cast<std::uint32_t>(processes_);
  outside_.push_back({.process = number,
                      .ns = corrected.outside_ns,
                      .runs = static_cast<std::uint32_t>(process.chains.size() / 2)});
  for (const CorrectedProcess::Brick& one : corrected.bricks) {
    const profile::SuiteBrick& brick = process.bricks[one.position];
    lost_.erase(brick.key);
    BrickTime& time = bricks_[brick.key];
    const double apart = ratio(brick.reuse_bytes, reuse_bytes);
    if (!time.times.empty() && apart > time.apart) continue;
    if (apart < time.apart) time.times.clear();
    time.apart = apart;
    time.size = planned_[brick.key];
    runs_ += one.runs + one.disturbed;
    disturbed_ += one.disturbed;
    const auto before = static_cast<double>(time.times.size());
    time.state_ns = (time.state_ns * before + one.state_ns) / (before + 1);
    time.times.push_back({.process = number, .ns = one.ns, .runs = one.runs, .quiet = one.quiet});
  }
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
