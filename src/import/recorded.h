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

/// Sizes of a tensor as it ran.
using Dims = std::vector<std::int64_t>;

struct RecordedKernel {
  std::string name, type;
  double time_ns = 0;  ///< per run
};

/// Everything between two nodes that the recording does not list: TensorRT's {ForeignNode[a...b]}.
struct RecordedRegion {
  std::string from, to;
};

/// What a recording says of an operator that PyTorch ran, for the join by order (operators.h).
struct RecordedOperation {
  /// Of its tensor inputs, in their order; empty: not recorded. An input without a shape is {}.
  std::vector<std::vector<std::int64_t>> inputs;
  /// Of the module that called it: "layer1.0.conv1", or the PyTorch profiler's
  /// "nn.Module: Conv2d_3"; "" where it does not say.
  std::string module;
};

struct RecordedLayer {
  std::string name, type, implementation, precision;
  /// Where tensors that it reads or writes have another element type than it computes in.
  std::string input_precision, output_precision;
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
  std::vector<Dims> inputs, outputs;  ///< of its first execution; empty: not recorded
  std::vector<Dims> outputs_later;    ///< of an execution that wrote other sizes; empty: none did
  std::string output_shapes;          ///< `outputs` as ONNX Runtime prints them
  /// Of one operator in its place of every run; layers stand in the order of execution then.
  std::optional<RecordedOperation> operation;
};

/// The names that a runtime gives to what it rewrites (import/names.h).
enum class Naming : std::uint8_t { kPlain, kOnnxRuntime, kOpenVino, kTensorRt };

struct Recorded {
  std::string tool, version;  ///< what executed, "onnxruntime"; "" where the file does not say
  Naming naming = Naming::kPlain;
  std::map<std::string, std::string> options;
  std::vector<RecordedLayer> layers;
  std::map<std::string, Dims> tensors;  ///< by name, where the recording has names of tensors
  std::vector<std::int64_t> runs_ns;    ///< whole runs of the model, with its profiler on
  std::string work_unknown;  ///< why times cannot be held against the work of a run; "": they can
  /// Where runs begin is not known: times and executions are sums over all that were recorded.
  bool runs_unknown = false;
  /// By process, where there are several: the time of its layers per run of it.
  std::vector<double> process_ns;
  std::optional<std::int64_t> load_ns;
  profile::Timeline timeline;
  std::vector<std::string> notes;  ///< what was dropped, and what the figures are
};

}  // namespace ridge::imports
