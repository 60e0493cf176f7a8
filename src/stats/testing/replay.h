// SPDX-License-Identifier: Apache-2.0
// Replays recorded noise as the runs of the two sides, A and B, of a comparison.
//
//   const Noise noise = Noise::load(folder);
//   const Turns turns = replay(noise, {.at = 1000, .seconds = 60, .slowdown = 0.02}, seed);
//   stats::Change(turns.first, turns.second, Runs::kInTurns);
//
// The series form one endless tape, in the order of recording; an experiment takes consecutive
// samples from `at` on until `seconds` have been played. The time of A or B is the recorded time at
// that place; B is slowed down by the share `slowdown` of the undisturbed operation, so that the
// disturbances by other processes are not scaled. Only the order of the sides, and the offset of
// each process if `apart` is not 0, are random.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "base/file.h"
#include "stats/change.h"
#include "stats/normal.h"
#include "stats/random.h"
#include "stats/samples.h"
#include "stats/testing/noise_series.h"

namespace ridge::stats::testing {

class Noise {
 public:
  /// Loads 01.bin, 02.bin, ... of the folder, up to the first that is missing or invalid.
  static Noise load(const std::string& folder) {
    Noise noise;
    for (int i = 1;; ++i) {
      const Result<std::string> bytes = read_file(fmt::format("{}/{:02}.bin", folder, i), 1 << 24);
      const auto series = bytes.ok() ? decode(*bytes) : std::nullopt;
      if (!series || series->steps.empty()) return noise;
      noise.starts_.push_back(noise.ns_.size());
      for (std::size_t s = 0; s < series->steps.size(); ++s) noise.add(series->ns(s));
    }
  }
  std::size_t series() const { return starts_.size(); }
  std::size_t size() const { return ns_.size(); }
  /// Duration at position i of the tape, which wraps around.
  double ns(std::size_t i) const { return ns_[i % ns_.size()]; }
  /// Undisturbed duration of the operation: the minimum over all series.
  double min_ns() const { return min_ns_; }

 private:
  void add(double ns) {
    ns_.push_back(ns);
    min_ns_ = std::min(min_ns_, ns);
  }

  std::vector<double> ns_;
  std::vector<std::size_t> starts_;
  double min_ns_ = std::numeric_limits<double>::infinity();  ///< experiments ask for it often
};

/// Consecutive runs of one side, some of which are measured.
struct Turn {
  std::size_t before = 0;  ///< not measured
  std::size_t runs = 1;    ///< measured: their median is taken
  std::size_t after = 0;
};
/// Turn of ridge compare: one run to refill the caches, an unprofiled and a profiled one.
inline constexpr Turn kCompareTurn{.before = 1, .runs = 1, .after = 1};

struct Experiment {
  std::size_t at = 0;
  double seconds = 60;
  double slowdown = 0;  ///< slowdown of B, as a share of the undisturbed duration
  Turn turn{};
  std::size_t processes = 1;  ///< the seconds are divided among them
  /// deviation of a random offset of B per process, as a share of the undisturbed duration
  double apart = 0;
};

struct Turns {
  std::vector<std::vector<double>> first, second;  ///< by process
};

inline Turns replay(const Noise& noise, const Experiment& e, std::uint64_t seed) {
  Random random(seed);
  Turns out;
  std::vector<double> runs(e.turn.runs);
  std::size_t at = e.at;
  double left_ns = 0;
  const auto turn = [&](double slower_ns) {
    for (std::size_t i = 0; i < e.turn.before + e.turn.runs + e.turn.after; ++i) {
      const double ns = noise.ns(at++) + slower_ns;
      left_ns -= ns;
      if (i >= e.turn.before && i - e.turn.before < runs.size()) runs[i - e.turn.before] = ns;
    }
    return runs.size() == 1 ? runs[0] : median(runs);
  };
  for (std::size_t p = 0; p < e.processes; ++p) {
    left_ns += e.seconds * 1e9 / static_cast<double>(e.processes);
    const double luck = e.apart * normal_quantile(random.uniform() * 0.999998 + 1e-6);
    const double added = (e.slowdown + luck) * noise.min_ns();
    auto& first = out.first.emplace_back();
    auto& second = out.second.emplace_back();
    while (left_ns > 0) {
      const bool swapped = random.below(2) == 1;
      const double one = turn(swapped ? added : 0), other = turn(swapped ? 0 : added);
      first.push_back(swapped ? other : one);
      second.push_back(swapped ? one : other);
    }
  }
  return out;
}

/// Number of times ridge compare would report A and B as different, over `experiments` that start
/// evenly spaced on the tape; `threshold`: the smallest relevant difference.
struct Called {
  int slower = 0, faster = 0;
};

inline Called call(const Noise& noise, const Experiment& each, int experiments, double threshold) {
  Called called;
  for (int i = 0; i < experiments; ++i) {
    Experiment e = each;
    e.at = noise.size() / static_cast<std::size_t>(experiments) * static_cast<std::size_t>(i);
    const Turns turns = replay(noise, e, static_cast<std::uint64_t>(i) + 1);
    const Change change(turns.first, turns.second, Runs::kInTurns);
    const Finding f = finding(change.ratio_interval(0.95), {1 - threshold, 1 + threshold});
    called.slower += f == Finding::kAbove ? 1 : 0;
    called.faster += f == Finding::kBelow ? 1 : 0;
  }
  return called;
}

}  // namespace ridge::stats::testing
