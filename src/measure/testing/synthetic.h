// SPDX-License-Identifier: Apache-2.0
// Synthetic measurements with known truth: a model of a few layers and a profiler of known cost, on
// a machine as noisy as the recordings of tests/data/noise.
//
//   const Synthetic s = synthetic(noise, at, seed);
//   estimate(s.processes, s.truth.layers_ns.size(), s.cost, host)
//
// The tape of recordings determines how long work takes at each moment: work of 0.3 operations
// takes three tenths of the recorded operation there, work of 3 operations takes three in a row.
// Everything that runs (chains, plain runs, profiled runs, untimed work) advances along the tape.
// The profiler adds its costs, each event's within a fifth of its mean, and so do the levels below
// the layers.
//
// A process has a random factor, as from its layout in memory: all of its work takes longer or
// shorter throughout, each layer by the same multiple of the spread of its runs. Its mean is zero,
// and it is not part of the truth.
//
// The true time of a layer or run is the median of its unprofiled time, started anywhere in the
// stretch of tape that the processes used. So intervals must cover what these processes would have
// seen, noise included, not the time on an idle machine.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "measure/event_cost.h"
#include "measure/runs.h"
#include "stats/normal.h"
#include "stats/random.h"
#include "stats/samples.h"
#include "stats/testing/replay.h"

namespace ridge::measure::testing {

/// Consumes work along the tape of noise.
class Tape {
 public:
  Tape(const stats::testing::Noise& noise, double at) : noise_(noise), at_(at) {}

  /// Returns the nanoseconds that `work` operations take from here on.
  double spend(double work) {
    double ns = 0;
    while (work > 0) {
      const double within = std::floor(at_) + 1 - at_;
      const double piece = std::min(work, within);
      ns += piece * noise_.ns(static_cast<std::size_t>(at_));
      at_ = piece < within ? at_ + piece : std::floor(at_) + 1;
      work -= piece;
    }
    return ns;
  }
  double at() const { return at_; }

 private:
  const stats::testing::Noise& noise_;
  double at_;
};

/// Level below the layers: number of readings of a full run, and their costs.
struct Deeper {
  int events = 0;
  double wall_ns = 0, fixed_ns = 0;
};

/// Parameters of the generator, in operations of the tape (about a millisecond) and nanoseconds.
struct Machine {
  std::vector<double> layers = {0.02, 1.5, 0.3, 0.05, 0.8, 0.1, 2.2, 0.01, 0.4, 0.6};
  double gap = 0.01;         ///< before each layer
  double wall_ns = 12'000;   ///< cost of an event in the run
  double inside_ns = 5'000;  ///< the part inside its own duration
  double fixed_ns = 40'000;  ///< cost of profiling per run
  std::array<Deeper, kDeeperLevels> deeper = {{{4, 6'000, 10'000}, {48, 1'500, 30'000}}};
  std::size_t processes = 3, pairs = 40;
  /// Spread between processes relative to that between runs (standard deviations, per layer).
  double luck = 0;
};

struct Truth {
  std::vector<double> layers_ns;
  double run_ns = 0, profiled_ns = 0, deepest_ns = 0;
};

struct Synthetic {
  std::vector<ProcessRuns> processes;
  EventCost cost;
  Truth truth;
};

/// Runs per round: plain, profiled, part and whole of each deeper level, all at once.
inline constexpr std::size_t kRunsOfRound = 3 + 2 * std::size_t{kDeeperLevels};

class Generator {
 public:
  Generator(const stats::testing::Noise& noise, std::size_t at, std::uint64_t seed)
      : noise_(noise), tape_(noise, static_cast<double>(at)), random_(seed) {}

  Synthetic make(const Machine& m) {
    Synthetic out;
    LeveledRuns brief{.events = 20}, lengthy{.events = 60};
    for (int turn = 0; turn < 4; ++turn)
      for (LeveledRuns* chain : {&brief, &lengthy})
        for (int i = 0; i < 20; ++i) chain_pair(m, *chain);
    out.cost = event_cost(brief, lengthy);
    const double from = tape_.at();
    const std::vector<double> spread = spread_ahead(m);
    for (std::size_t p = 0; p < m.processes; ++p) {
      tape_.spend(50);  // loading
      ProcessRuns& process = out.processes.emplace_back();
      const Machine lucky = with_luck(m, spread);
      for (std::size_t i = 0; i < m.pairs; ++i) round(lucky, process);
    }
    out.truth = truth(m, from, tape_.at());
    return out;
  }

 private:
  /// Predicted relative spread of each layer's runs: the standard deviation of a normal sample with
  /// this median absolute deviation.
  std::vector<double> spread_ahead(const Machine& m) const {
    constexpr int kStarts = 200;
    const double run = std::accumulate(m.layers.begin(), m.layers.end(), 0.0);
    const double stretch = static_cast<double>(m.processes * m.pairs * kRunsOfRound) * run;
    std::vector<double> out;
    for (const double work : m.layers) {
      std::vector<double> times;
      for (int i = 0; i < kStarts; ++i)
        times.push_back(Tape(noise_, tape_.at() + stretch * i / kStarts).spend(work));
      out.push_back(stats::kMadToSigma * stats::mad(times) / stats::median(times));
    }
    return out;
  }

  /// Varies the machine as a new process of the same model would.
  Machine with_luck(Machine m, const std::vector<double>& spread) {
    if (m.luck == 0) return m;
    const double drawn = stats::normal_quantile(random_.uniform() * 0.999998 + 1e-6);
    for (std::size_t k = 0; k < m.layers.size(); ++k)
      m.layers[k] *= std::max(0.1, 1 + m.luck * spread[k] * drawn);
    return m;
  }

  double cost(double mean) { return mean * (0.8 + 0.4 * random_.uniform()); }

  void chain_pair(const Machine& m, LeveledRuns& chain) {
    constexpr double kKernel = 0.05;
    chain.plain_ns.push_back(tape_.spend(chain.events * kKernel));
    double run = cost(m.fixed_ns), reported = 0;
    for (int k = 0; k < chain.events; ++k) {
      const double ns = tape_.spend(kKernel);
      run += ns + cost(m.wall_ns);
      reported += ns + cost(m.inside_ns);
    }
    chain.profiled_ns.push_back(run);
    chain.reported_ns.push_back(reported);
  }

  /// Runs every kind of run once, in random order.
  void round(const Machine& m, ProcessRuns& process) {
    enum Kind { kPlain, kProfiled, kPart, kWhole = kPart + int{kDeeperLevels} };
    constexpr int kDeepest = int{kWhole} + int{kDeeperLevels};
    std::array<int, kDeepest + 1> order;
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size(); i-- > 1;) std::swap(order[i], order[random_.below(i + 1)]);
    DeeperRuns deeper;
    for (const int kind : order) {
      const auto level = static_cast<std::size_t>(kind < kWhole ? kind - kPart : kind - kWhole);
      if (kind == kPlain) {
        process.plain.push_back({.wall_ns = std::llround(bare(m)), .events = {}});
      } else if (kind == kProfiled) {
        process.profiled.push_back(profiled(m));
      } else if (kind == kDeepest) {
        deeper.deepest_ns = static_cast<double>(profiled(m).wall_ns);
        for (const Deeper& d : m.deeper) *deeper.deepest_ns += added(d, d.events);
      } else {
        const Deeper& d = m.deeper[level];
        const int events = kind < kWhole ? d.events / 2 : d.events;
        (kind < kWhole ? deeper.part : deeper.whole)[level] =
            LeveledRun{bare(m) + added(d, events), events};
      }
    }
    process.deeper.push_back(deeper);
  }

  double added(const Deeper& level, int events) {
    double ns = cost(level.fixed_ns);
    for (int i = 0; i < events; ++i) ns += cost(level.wall_ns);
    return ns;
  }

  /// Returns the time of a run without any level.
  double bare(const Machine& m) {
    double ns = 0;
    for (const double work : m.layers) ns += tape_.spend(m.gap) + tape_.spend(work);
    return ns;
  }

  Run profiled(const Machine& m) {
    Run run;
    double ns = cost(m.fixed_ns);
    for (std::uint32_t k = 0; k < m.layers.size(); ++k) {
      ns += tape_.spend(m.gap) + cost(m.wall_ns - m.inside_ns);
      const double layer = tape_.spend(m.layers[k]) + cost(m.inside_ns);
      run.events.push_back({k, std::llround(layer)});
      ns += layer;
    }
    run.wall_ns = std::llround(ns);
    return run;
  }

  Truth truth(const Machine& m, double from, double to) const {
    constexpr int kStarts = 1000;
    std::vector<std::vector<double>> layers(m.layers.size());
    std::vector<double> runs;
    for (int i = 0; i < kStarts; ++i) {
      Tape tape(noise_, from + (to - from) * i / kStarts);
      double run = 0;
      for (std::size_t k = 0; k < m.layers.size(); ++k) {
        run += tape.spend(m.gap);
        layers[k].push_back(tape.spend(m.layers[k]));
        run += layers[k].back();
      }
      runs.push_back(run);
    }
    Truth t;
    for (const auto& times : layers) t.layers_ns.push_back(stats::median(times));
    t.run_ns = stats::median(runs);
    t.profiled_ns = t.run_ns + static_cast<double>(m.layers.size()) * m.wall_ns + m.fixed_ns;
    t.deepest_ns = t.profiled_ns;
    for (const Deeper& d : m.deeper) t.deepest_ns += d.events * d.wall_ns + d.fixed_ns;
    return t;
  }

  const stats::testing::Noise& noise_;
  Tape tape_;
  stats::Random random_;
};

inline Synthetic synthetic(const stats::testing::Noise& noise, std::size_t at, std::uint64_t seed,
                           const Machine& machine = {}) {
  return Generator(noise, at, seed).make(machine);
}

}  // namespace ridge::measure::testing
