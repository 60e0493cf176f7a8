// SPDX-License-Identifier: Apache-2.0
// Output of a format reader, independent of the model: layers with times, named as in the
// recording, and spans. import/join.h turns it into a Profile.
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

/// Tensor dimensions at run time.
using Dims = std::vector<std::int64_t>;

struct RecordedKernel {
  std::string name, type;
  double time_ns = 0;  ///< per run
};

/// All nodes between two named ones, not listed by the recording: TensorRT's {ForeignNode[a...b]}.
struct RecordedRegion {
  std::string from, to;
};

/// Recorded properties of an operator that PyTorch ran, used to match by order (operators.h).
struct RecordedOperation {
  /// Shapes of its tensor inputs, in order; empty: not recorded. An input without a shape is {}.
  std::vector<std::vector<std::int64_t>> inputs;
  /// Module that called it: "layer1.0.conv1", or the PyTorch profiler's "nn.Module: Conv2d_3"; ""
  /// if not recorded.
  std::string module;
};

struct RecordedLayer {
  std::string name, type, implementation, precision;
  /// Element types of its inputs and outputs where they differ from `precision`.
  std::string input_precision, output_precision;
  /// Names of model nodes or tensors that the recording lists for the layer. Empty: only `name` is
  /// known.
  std::vector<std::string> parts;
  std::vector<RecordedRegion> regions;
  bool inserted = false;  ///< inserted by the runtime
  /// True if the time is the launch's on the host, and a device worked after it: rates cannot be
  /// told.
  bool launch_only = false;
  /// Position among the nodes without a name that one run executed of this operator, for releases
  /// that record no name for them.
  std::optional<std::size_t> nameless;
  /// Time in each recorded run, in order; the same number for every layer. Empty: the file has one
  /// time only.
  std::vector<std::int64_t> runs_ns;
  double time_ns = 0;  ///< per run; ignored if runs_ns is set
  std::int64_t executions = 1;
  /// Processes that recorded the layer, if run boundaries are unknown: its time is the median over
  /// their sums.
  std::int64_t recordings = 1;
  std::vector<RecordedKernel> kernels;
  std::vector<Dims> inputs, outputs;  ///< first execution; empty: not recorded
  /// Outputs of an execution that wrote other sizes than the first; empty: none did.
  std::vector<Dims> outputs_later;
  std::string output_shapes;  ///< `outputs` as ONNX Runtime prints them
  /// Set if the layer is one operator at the same position of every run; layers are then in
  /// execution order.
  std::optional<RecordedOperation> operation;
};

/// Runtime whose naming rules apply (import/names.h).
enum class Naming : std::uint8_t { kPlain, kOnnxRuntime, kOpenVino, kTensorRt };

struct Recorded {
  std::string tool, version;  ///< runtime that executed, "onnxruntime"; "" if unknown
  Naming naming = Naming::kPlain;
  std::map<std::string, std::string> options;
  std::vector<RecordedLayer> layers;
  std::map<std::string, Dims> tensors;  ///< by name, where the recording has names of tensors
  std::vector<std::int64_t> runs_ns;    ///< durations of whole runs, with the profiler on
  /// Reason why the layers of one run may add up to more than the run; "": they may not.
  std::string concurrent = "layers overlap, or are of other runs";
  /// Reason why times cannot be compared with the work of a run; "": they can.
  std::string work_unknown;
  /// True if run boundaries are unknown: times and executions are sums over the whole recording.
  bool runs_unknown = false;
  /// With several processes: time of each process's layers per run of it.
  std::vector<double> process_ns;
  std::optional<std::int64_t> load_ns;
  profile::Timeline timeline;
  std::vector<std::string> notes;  ///< dropped input, meaning of the times
};

}  // namespace ridge::imports
