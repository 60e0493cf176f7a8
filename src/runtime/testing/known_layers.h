// SPDX-License-Identifier: Apache-2.0
// Layers with known times, to test the correction of a profiler's errors: its reports can be
// compared with the true times.
//
//   layers=A,B,...  the nodes of a model with this many nodes take A, B, ... us each
//   chain=A         a node of any other model (the calibration's chains) takes A us
//   gap=A           between layers: A us
//   outside=A       before the first layer: A us
//   event=W,I       a profiled event adds W us to the run, I us of it inside its own duration
//   lie=NAME        fault in the profiler's reports: the names are those in known_layers.cc
//
// Nothing really waits. From the first model with known layers on, the child's CLOCK_MONOTONIC is
// simulated and advances by what a layer takes, so that neither the speed of the machine nor its
// load matters: the plug-in must be in LD_PRELOAD of the child as well (it is the same object
// then), or the runs seem to take no time. Layer times vary by 1 % from run to run, seeded.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/abi.h"

namespace ridge::runtime::testing {

/// A node of the model and its tensors.
struct KnownNode {
  std::string name, type;
  std::vector<std::string> inputs, outputs;
};

class KnownLayers {
 public:
  KnownLayers() = default;
  /// Without "layers" in `options`, used() is false.
  KnownLayers(const std::map<std::string, std::string>& options, std::string_view model);

  bool used() const { return used_; }
  /// Lists the layers as a runtime does; they live as long as this object.
  void list(RidgeGraph& graph);
  /// Simulates one run, profiled if the sink takes events.
  void run(const RidgeProfileSink& sink);

 private:
  struct Reported {
    std::size_t layer = 0;
    std::int64_t start_ns = 0, stop_ns = 0, duration_ns = 0;
  };
  std::int64_t pass(std::int64_t ns) const;
  std::int64_t varied(std::int64_t ns);
  void work(std::size_t layer, bool profiled, std::vector<Reported>& events);
  std::int64_t event_ns(std::int64_t planned_ns) const;
  bool lies(std::string_view name) const { return lie_ == name; }
  std::int64_t told(const Reported& event) const;
  void change(std::vector<Reported>& events) const;

  bool used_ = false, chain_ = true;
  std::vector<KnownNode> nodes_;
  std::vector<RidgeLayer> listed_;
  std::vector<std::vector<const char*>> names_;  ///< names in listed_
  std::vector<std::int64_t> layers_ns_;
  std::size_t slowest_ = 0;
  std::int64_t gap_ns_ = 0, outside_ns_ = 0, wall_ns_ = 0, inside_ns_ = 0;
  std::int64_t step_ns_ = 0;  ///< deviation of the profiler's clock
  std::int64_t profiled_runs_ = 0;
  std::string lie_;
  std::uint64_t random_ = 1;
};

}  // namespace ridge::runtime::testing
