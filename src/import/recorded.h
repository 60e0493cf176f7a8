// What a reader makes of a foreign file, before anything is known of the model: layers with times
// in the recording's own words, and spans. import/join.h makes a Profile of it.
//
// Ownership: owns its texts. Plain data.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "profile/timeline.h"

namespace ridge::imports {

struct RecordedKernel {
  std::string name, type;
  double time_ns = 0;  ///< per run
};

/// Everything between two nodes that the recording does not list: TensorRT's {ForeignNode[a...b]}.
struct RecordedRegion {
  std::string from, to;
};

struct RecordedLayer {
  std::string name, type, implementation, precision;
  /// Names of nodes or tensors of the model as the recording lists them. Empty: `name` is all
  /// there is.
  std::vector<std::string> parts;
  std::vector<RecordedRegion> regions;
  bool inserted = false;  ///< by the runtime
  /// In each recorded run, in their order; as many for every layer. Empty: the file has one figure.
  std::vector<std::int64_t> runs_ns;
  double time_ns = 0;  ///< per run; ignored where runs_ns is there
  std::int64_t executions = 1;
  std::vector<RecordedKernel> kernels;
};

/// The names that a runtime gives to what it rewrites (import/names.h).
enum class Naming : std::uint8_t { kPlain, kOnnxRuntime, kOpenVino, kTensorRt };

struct Recorded {
  std::string tool, version;  ///< what executed, "onnxruntime"; "" where the file does not say
  Naming naming = Naming::kPlain;
  std::map<std::string, std::string> options;
  std::vector<RecordedLayer> layers;
  std::vector<std::int64_t> runs_ns;  ///< whole runs of the model, with its profiler on
  /// Where runs begin is not known: times and executions are sums over all that were recorded.
  bool runs_unknown = false;
  std::optional<std::int64_t> load_ns;
  profile::Timeline timeline;
  std::vector<std::string> notes;  ///< what was dropped, and what the figures are
};

}  // namespace ridge::imports
