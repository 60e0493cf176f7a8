// Measured processes whose truth is known: a model of a few layers and a profiler of known cost, on
// a machine as noisy as the recordings of tests/data/noise.
//
//   const Synthetic s = synthetic(noise, at, seed);
//   estimate(s.processes, s.truth.layers_ns.size(), s.cost, host)
//
// The tape of recordings says how long each piece of work took at each moment: a piece of 0.3
// operations takes three tenths of what the operation took there, one of 3 operations takes three
// in a row. Whatever runs (chains, plain runs, profiled runs, what nobody times) moves along the
// tape. The profiler adds its costs to that, each event's within a fifth of its mean, and so do the
// levels below the layers.
//
// A process has its luck, as its layout in memory gives it: all of its work takes longer or shorter
// for good, each layer by the same share of how far its runs lie apart. On average that is nothing,
// and no part of the truth.
//
// The truth of a layer, of a run: the median of what it takes unprofiled, begun anywhere in the
// stretch of tape that the processes used. So intervals are asked to cover what these processes
// would have seen, noise included, not what an idle machine would.
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

/// Works along the tape of noise.
class Tape {
 public:
  Tape(const stats::testing::Noise& noise, double at) : noise_(noise), at_(at) {}

  /// Nanoseconds that `work` operations take from here on.
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

/// A level below the layers: readings of a run with all of them, and what they add.
struct Deeper {
  int events = 0;
  double wall_ns = 0, fixed_ns = 0;
};

/// What the generator is told, in operations of the tape (about a millisecond) and nanoseconds.
struct Machine {
  std::vector<double> layers = {0.02, 1.5, 0.3, 0.05, 0.8, 0.1, 2.2, 0.01, 0.4, 0.6};
  double gap = 0.01;         ///< before each layer
  double wall_ns = 12'000;   ///< an event adds to the run
  double inside_ns = 5'000;  ///< of that, in its own duration
  double fixed_ns = 40'000;  ///< profiling adds to a run
  std::array<Deeper, kDeeperLevels> deeper = {{{4, 6'000, 10'000}, {48, 1'500, 30'000}}};
  std::size_t processes = 3, pairs = 40;
  /// How far processes lie apart, as a share of how far runs do (standard deviations, of each layer).
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

/// Plain, profiled, part and whole of each deeper level, all at once.
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
  /// Of each layer, how far its runs will lie apart as a share of its time: the standard deviation
  /// that a normal sample of this median deviation has.
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

  /// As another process of it runs.
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

  /// Every kind of run once, in drawn order.
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

  /// A run without any level.
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
