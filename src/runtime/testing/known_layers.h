// Layers whose times are known, for a plug-in whose profiler is to be put to the test: what it
// reports can be compared with what the layers take.
//
//   layers=A,B,...  the nodes of a model with as many nodes take A, B, ... us each
//   chain=A         a node of any other model (the calibration's chains) takes A us
//   gap=A           between layers: A us
//   outside=A       before the first layer: A us
//   event=W,I       a profiled event adds W us to the run, I us of it inside its own duration
//   lie=NAME        what the profiler reports instead: the names are those of known_layers.cc
//
// Nothing is waited for. From the first model with known layers on, the child's CLOCK_MONOTONIC is
// ours and goes forward by what a layer takes, so that neither the speed of the machine nor its
// load changes anything: the plug-in must be in LD_PRELOAD of the child as well (it is the same
// object then), or the runs seem to take no time. Layers vary by 1 % from run to run, seeded.
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
  /// Where `options` has no layers it is not used().
  KnownLayers(const std::map<std::string, std::string>& options, std::string_view model);

  bool used() const { return used_; }
  /// The layers as a runtime lists them; they live as long as this.
  void list(RidgeGraph& graph);
  /// One run; profiled where the sink takes events.
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
  std::vector<std::vector<const char*>> names_;  ///< of listed_
  std::vector<std::int64_t> layers_ns_;
  std::size_t slowest_ = 0;
  std::int64_t gap_ns_ = 0, outside_ns_ = 0, wall_ns_ = 0, inside_ns_ = 0;
  std::int64_t step_ns_ = 0;  ///< that the profiler's clock has gone astray
  std::int64_t profiled_runs_ = 0;
  std::string lie_;
  std::uint64_t random_ = 1;
};

}  // namespace ridge::runtime::testing
