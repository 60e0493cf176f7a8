// Measured processes whose truth is known: a model of a few layers and a profiler of known cost, on
// a machine as noisy as the recordings of tests/data/noise.
//
//   const Synthetic s = synthetic(noise, at, seed);
//   estimate(s.processes, s.truth.layers_ns.size(), s.cost, host)
//
// The tape of recordings says how long each piece of work took at each moment: a piece of 0.3
// operations takes three tenths of what the operation took there, one of 3 operations takes three
// in a row. Whatever runs (chains, plain runs, profiled runs, what nobody times) moves along the
// tape. The profiler adds its costs to that, each event's within a fifth of its mean.
//
// The truth of a layer, of a run: the median of what it takes unprofiled, begun anywhere in the
// stretch of tape that the processes used. So intervals are asked to cover what these processes
// would have seen, noise included, not what an idle machine would.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "measure/event_cost.h"
#include "measure/runs.h"
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

/// What the generator is told, in operations of the tape (about a millisecond) and nanoseconds.
struct Machine {
  std::vector<double> layers = {0.02, 1.5, 0.3, 0.05, 0.8, 0.1, 2.2, 0.01, 0.4, 0.6};
  double gap = 0.01;         ///< before each layer
  double wall_ns = 12'000;   ///< an event adds to the run
  double inside_ns = 5'000;  ///< of that, in its own duration
  double fixed_ns = 40'000;  ///< profiling adds to a run
  std::size_t processes = 3, pairs = 40;
};

struct Truth {
  std::vector<double> layers_ns;
  double run_ns = 0, profiled_ns = 0;
};

struct Synthetic {
  std::vector<ProcessRuns> processes;
  EventCost cost;
  Truth truth;
};

class Generator {
 public:
  Generator(const stats::testing::Noise& noise, std::size_t at, std::uint64_t seed)
      : noise_(noise), tape_(noise, static_cast<double>(at)), random_(seed) {}

  Synthetic make(const Machine& m) {
    Synthetic out;
    ChainRuns brief{.kernels = 20}, lengthy{.kernels = 60};
    for (int turn = 0; turn < 4; ++turn)
      for (ChainRuns* chain : {&brief, &lengthy})
        for (int i = 0; i < 20; ++i) chain_pair(m, *chain);
    out.cost = event_cost(brief, lengthy);
    const double from = tape_.at();
    for (std::size_t p = 0; p < m.processes; ++p) {
      tape_.spend(50);  // loading
      ProcessRuns& process = out.processes.emplace_back();
      for (std::size_t i = 0; i < m.pairs; ++i) {
        if (random_.below(2) == 0)
          plain(m, process), profiled(m, process);
        else
          profiled(m, process), plain(m, process);
      }
    }
    out.truth = truth(m, from, tape_.at());
    return out;
  }

 private:
  double cost(double mean) { return mean * (0.8 + 0.4 * random_.uniform()); }

  void chain_pair(const Machine& m, ChainRuns& chain) {
    constexpr double kKernel = 0.05;
    chain.plain_ns.push_back(tape_.spend(chain.kernels * kKernel));
    double run = cost(m.fixed_ns), reported = 0;
    for (int k = 0; k < chain.kernels; ++k) {
      const double ns = tape_.spend(kKernel);
      run += ns + cost(m.wall_ns);
      reported += ns + cost(m.inside_ns);
    }
    chain.profiled_ns.push_back(run);
    chain.reported_ns.push_back(reported);
  }

  void plain(const Machine& m, ProcessRuns& process) {
    double ns = 0;
    for (const double work : m.layers) ns += tape_.spend(m.gap) + tape_.spend(work);
    process.plain.push_back({.wall_ns = std::llround(ns), .foreign_cpus = 0, .events = {}});
  }

  void profiled(const Machine& m, ProcessRuns& process) {
    Run run;
    double ns = cost(m.fixed_ns);
    for (std::uint32_t k = 0; k < m.layers.size(); ++k) {
      ns += tape_.spend(m.gap) + cost(m.wall_ns - m.inside_ns);
      const double layer = tape_.spend(m.layers[k]) + cost(m.inside_ns);
      run.events.push_back({k, std::llround(layer)});
      ns += layer;
    }
    run.wall_ns = std::llround(ns);
    process.profiled.push_back(std::move(run));
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
