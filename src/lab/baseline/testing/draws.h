// SPDX-License-Identifier: Apache-2.0
// Simulated fleets: a run database of equal machines, of which one may have slow memory.
//
//   const FleetNoise noise = FleetNoise::load("tests/data/noise");
//   write_fleet(store, noise, {.memory = 0.8}, seed);           // machine "n01" has slow memory
//
// Each machine runs two models three times, at six places of the recorded noise (tests/data/noise:
// one operation repeated on a shared machine, idle to a load of fourteen), drawn anew for each run,
// so that machines are as busy as that one was. Noise within a machine is the recorded excess over
// the shortest duration of its series. Between machines each figure has a normal factor of 1 %, the
// "luck" of bench/aa_power.cc.
//
// Roofs are read as machine/roof_meter.h does (rounds of 24 bursts until three lie within 2 % of
// the best, at most 12; of streams three kernels), and kept as machine/measured_roofs.h does: measured up to four times, at
// the first runs, of which each roof keeps the highest. A latency and each layer time are medians
// of consecutive durations. Slow memory lowers the memory roofs and slows three of eight layers.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/file.h"
#include "profile/profile.h"
#include "stats/normal.h"
#include "stats/random.h"
#include "stats/samples.h"
#include "stats/testing/noise_series.h"
#include "store/store.h"

namespace ridge::lab::testing {

/// The recorded series, as factors of the shortest duration of each.
class FleetNoise {
 public:
  /// Loads 01.bin, 02.bin, ... up to the first that is missing or invalid.
  static FleetNoise load(const std::string& folder) {
    FleetNoise out;
    for (int i = 1;; ++i) {
      const auto bytes = read_file(fmt::format("{}/{:02}.bin", folder, i), 1 << 24);
      const auto series = bytes.ok() ? stats::testing::decode(*bytes) : std::nullopt;
      if (!series || series->steps.empty()) return out;
      out.series_.push_back(series->steps);
    }
  }
  std::size_t size() const { return series_.size(); }
  double at(std::size_t series, std::size_t i) const {
    const std::vector<std::uint32_t>& steps = series_[series];
    return 1 + stats::testing::NoiseSeries::kStep * steps[i % steps.size()];
  }
  std::size_t length(std::size_t series) const { return series_[series].size(); }

 private:
  std::vector<std::vector<std::uint32_t>> series_;
};

struct Fleet {
  int machines = 12, runs = 3;  ///< runs of each model
  double memory = 1;            ///< speed of the first machine's memory
  double between = 0.01;        ///< deviation of a figure's factor between machines
};

/// A place of the tape, from which durations are played.
class Tape {
 public:
  Tape(const FleetNoise& noise, stats::Random& random)
      : noise_(noise),
        series_(random.below(noise.size())),
        at_(random.below(noise.length(series_))) {}

  double next() { return noise_.at(series_, at_++); }

  double median(std::size_t samples) {
    std::vector<double> values;
    for (std::size_t i = 0; i < samples; ++i) values.push_back(next());
    return stats::median(values);
  }

  /// Shortest of the bursts of a roof.
  double best_burst() {
    constexpr int kBursts = 24, kRounds = 12, kWitnesses = 3;
    constexpr double kAgreement = 1.02;
    std::vector<double> bursts;
    double best = 0;
    for (int round = 0; round < kRounds; ++round) {
      for (int i = 0; i < kBursts; ++i) bursts.push_back(next());
      best = *std::ranges::min_element(bursts);
      const auto near =
          std::ranges::count_if(bursts, [&](double b) { return b <= best * kAgreement; });
      if (near >= kWitnesses) break;
    }
    return best;
  }

 private:
  const FleetNoise& noise_;
  std::size_t series_, at_;
};

inline double normal_factor(stats::Random& random, double deviation) {
  return std::exp(deviation * stats::normal_quantile(random.uniform() * 0.999998 + 1e-6));
}

inline constexpr std::array<const char*, 2> kFleetModels = {"zoo:first", "zoo:second"};
inline constexpr std::size_t kFleetLayers = 8, kMemoryLayers = 3, kFleetSamples = 300;
inline constexpr int kRoofAttempts = 4;

/// One machine of a fleet, whose runs follow each other.
class FleetMachine {
 public:
  FleetMachine(const FleetNoise& noise, const Fleet& fleet, int number, stats::Random& random)
      : noise_(noise), fleet_(fleet), number_(number), random_(random) {
    for (const char* dtype : {"float32", "int8"}) add_roof("compute", dtype, "", 1e11);
    for (const char* level : {"L1", "L2", "L3", "memory"})
      for (const char* kind : {"read", "write", "copy", "triad"})
        add_roof(kind, "float32", level, 5e10);
  }

  profile::Profile run(std::size_t model) {
    Tape tape(noise_, random_);
    if (attempts_ < kRoofAttempts) measure_roofs(tape);
    profile::Profile p;
    p.subject = subject(model);
    p.host_json = fmt::format(
        R"({{"hostname":"n{:02}","cpu":{{"model":"EPYC","microarchitecture":"Zen 5"}},"logical_cpus":2}})",
        number_ + 1);
    p.roofs = roofs_;
    double sum = 0;
    for (std::uint32_t i = 0; i < kFleetLayers; ++i) {
      p.nodes.push_back(node(i));
      p.layers.push_back(layer(model, i));
      sum += p.layers.back().corrected_ns;
    }
    for (profile::Layer& l : p.layers) {
      l.share = l.corrected_ns / sum;
      l.corrected_ns = std::round(l.corrected_ns * tape.median(kFleetSamples));
      l.time_ns.value = l.corrected_ns;
    }
    p.latency.ns.value = std::round(sum * tape.median(kFleetSamples));
    p.latency.processes.push_back(
        {.samples_ns = {static_cast<std::int64_t>(p.latency.ns.value)}, .steadiness = "flat"});
    p.items_per_s = 1e9 / p.latency.ns.value;
    p.profiling.layer_times = profile::kCorrectedTimes;
    return p;
  }

 private:
  bool is_slow() const { return number_ == 0; }

  void add_roof(const char* kind, const char* dtype, const char* level, double value) {
    const bool memory = std::string_view(level) == "memory";
    machine::Roof roof;
    roof.kind = kind;
    roof.dtype = dtype;
    roof.level = level;
    roof.unit = *level == '\0' ? "FLOP/s" : "B/s";
    roof.value =
        value * normal_factor(random_, fleet_.between) * (memory && is_slow() ? fleet_.memory : 1);
    ideal_.push_back(roof.value);
    roof.value = 0;
    roofs_.push_back(roof);
  }

  void measure_roofs(Tape& tape) {
    ++attempts_;
    for (std::size_t i = 0; i < roofs_.size(); ++i) {
      roofs_[i].value = std::max(roofs_[i].value, ideal_[i] / best_kernel(tape, i));
      roofs_[i].ci = {0.99 * roofs_[i].value, roofs_[i].value};
    }
  }

  /// Best of the kernels: three of a stream are measured in full, after a trial of each.
  double best_kernel(Tape& tape, std::size_t roof) const {
    const bool stream = !roofs_[roof].level.empty();
    double best = tape.best_burst();
    for (int kernel = 1; stream && kernel < 3; ++kernel) best = std::min(best, tape.best_burst());
    return best;
  }

  profile::Subject subject(std::size_t model) const {
    profile::Subject s;
    s.path = kFleetModels[model];
    s.graph_hash = fmt::format("hash{}", model);
    s.weights = "seeded";
    s.runtime = "ONNX Runtime";
    s.runtime_version = "1.31.1";
    s.threads = 1;
    s.ridge_version = "0.1.0";
    return s;
  }

  static profile::Node node(std::uint32_t i) {
    profile::Node n;
    n.index = i;
    n.name = fmt::format("conv{}", i);
    n.op_type = "Conv";
    n.status = "counted";
    n.work.macs = 1000 + i;
    return n;
  }

  /// A layer with its undisturbed time on this machine.
  profile::Layer layer(std::size_t model, std::uint32_t i) {
    const auto [factor, is_new] = luck_.try_emplace({model, i}, 1.0);
    if (is_new) factor->second = normal_factor(random_, fleet_.between);
    profile::Layer l;
    l.index = l.order = i;
    l.name = fmt::format("conv{}", i);
    l.type = "Conv";
    l.members = {{.node = i, .role = profile::Role::kExecutes}};
    l.corrected_ns = 1e6 * (1 + 0.1 * i) * factor->second;
    if (is_slow() && i < kMemoryLayers) l.corrected_ns /= fleet_.memory;
    return l;
  }

  const FleetNoise& noise_;
  const Fleet& fleet_;
  int number_;
  stats::Random& random_;
  int attempts_ = 0;
  std::vector<machine::Roof> roofs_;
  std::vector<double> ideal_;
  std::map<std::pair<std::size_t, std::uint32_t>, double> luck_;
};

inline Result<void> write_fleet(store::Store& store, const FleetNoise& noise, const Fleet& fleet,
                                std::uint64_t seed) {
  stats::Random random(seed);
  std::int64_t recorded_s = 1'750'000'000;
  for (int m = 0; m < fleet.machines; ++m) {
    FleetMachine machine(noise, fleet, m, random);
    for (int run = 0; run < fleet.runs; ++run)
      for (std::size_t model = 0; model < kFleetModels.size(); ++model)
        TRY(store.append(machine.run(model),
                         {.recorded_s = ++recorded_s, .point = {}, .fitness = {}}));
  }
  return {};
}

}  // namespace ridge::lab::testing
