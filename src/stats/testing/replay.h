// Plays recorded noise back as the runs of two sides, A and B, of a comparison.
//
//   const Noise noise = Noise::load(folder);
//   const Pairs pairs = replay(noise, {.at = 1000, .seconds = 60, .slowdown = 0.02}, seed);
//   stats::paired_ratio(pairs.first, pairs.second);
//
// The series are one endless tape, in the order of recording; an experiment takes consecutive
// samples from `at` on until `seconds` have been played. What A and B would have taken is what the
// operation took there; B is slower by `slowdown` of the operation undisturbed, so that what other
// processes cost is not made larger, too. Nothing is drawn from a formula but who goes first.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/file.h"
#include "stats/compare.h"
#include "stats/random.h"
#include "stats/testing/noise_series.h"

namespace ridge::stats::testing {

class Noise {
 public:
  /// 01.bin, 02.bin, ... of the folder, up to the first that is not there.
  static Noise load(const std::string& folder) {
    Noise noise;
    for (int i = 1;; ++i) {
      const Result<std::string> bytes = read_file(fmt::format("{}/{:02}.bin", folder, i), 1 << 24);
      const auto series = bytes.ok() ? decode(*bytes) : std::nullopt;
      if (!series || series->steps.empty()) return noise;
      noise.starts_.push_back(noise.ns_.size());
      for (std::size_t s = 0; s < series->steps.size(); ++s) noise.ns_.push_back(series->ns(s));
    }
  }
  std::size_t series() const { return starts_.size(); }
  std::size_t size() const { return ns_.size(); }
  /// The tape has no end.
  double ns(std::size_t i) const { return ns_[i % ns_.size()]; }
  /// What the operation takes undisturbed, over all series.
  double least_ns() const { return *std::min_element(ns_.begin(), ns_.end()); }

 private:
  std::vector<double> ns_;
  std::vector<std::size_t> starts_;
};

struct Experiment {
  std::size_t at = 0;
  double seconds = 60;
  double slowdown = 0;    ///< of B, as a share of the undisturbed operation
  std::size_t burst = 1;  ///< runs of one side in a row; a pair is of the medians of two bursts
};

struct Pairs {
  std::vector<double> first, second;
};

inline Pairs replay(const Noise& noise, const Experiment& e, std::uint64_t seed) {
  Random random(seed);
  const double added = e.slowdown * noise.least_ns();
  Pairs out;
  std::vector<double> runs(e.burst);
  std::size_t at = e.at;
  double left_ns = e.seconds * 1e9;
  const auto burst = [&](double slower_ns) {
    for (double& ns : runs) {
      ns = noise.ns(at++) + slower_ns;
      left_ns -= ns;
    }
    return e.burst == 1 ? runs[0] : median(runs);
  };
  while (left_ns > 0) {
    const bool swapped = random.below(2) == 1;
    const double one = burst(swapped ? added : 0), other = burst(swapped ? 0 : added);
    out.first.push_back(swapped ? other : one);
    out.second.push_back(swapped ? one : other);
  }
  return out;
}

/// How often `paired_ratio` calls A and B different, over `experiments` that begin evenly along the
/// tape. `threshold`: of verdict().
struct Called {
  int slower = 0, faster = 0;
};

inline Called call(const Noise& noise, const Experiment& each, int experiments,
                   double threshold = 0) {
  Called called;
  for (int i = 0; i < experiments; ++i) {
    Experiment e = each;
    e.at = noise.size() / static_cast<std::size_t>(experiments) * static_cast<std::size_t>(i);
    const Pairs pairs = replay(noise, e, static_cast<std::uint64_t>(i) + 1);
    const Verdict v = verdict(paired_ratio(pairs.first, pairs.second), threshold);
    called.slower += v == Verdict::kSlower ? 1 : 0;
    called.faster += v == Verdict::kFaster ? 1 : 0;
  }
  return called;
}

}  // namespace ridge::stats::testing
