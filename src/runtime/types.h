// SPDX-License-Identifier: Apache-2.0
// Descriptions of a runtime, of a model to load, of a loaded one and of its outputs, as Runtime
// (runtime.h) takes and returns them. Plain data.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "ipc/descriptor.h"
#include "onnx/data_type.h"
#include "runtime/measurement.h"
#include "runtime/weights.h"

namespace ridge::runtime {

struct RuntimeInfo {
  std::string name, version, library;
  /// Notes for readers of results; may be empty.
  std::string notes;
  std::uint64_t capabilities = 0;  ///< RIDGE_CAN_... of runtime/abi.h
};

enum class Dump : std::uint32_t {
  kNothing = 0,
  kStructure = 1,  ///< the optimized graph without weights of more than 1 KiB
  kWeights = 2,    ///< runnable; for comparing results
};

/// Kind of bytes that a model to load is.
enum class Form : std::uint32_t {
  kOriginal = 0,
  kPrepared = 1,  ///< by Runtime::prepare
  kUnpacked = 2,  ///< prepared, and weights keep their layout: a shorter load, maybe longer runs
};

struct LoadRequest {
  std::string_view model;           ///< ONNX bytes (onnx::Weights::kDetached)
  std::span<const Weight> weights;  ///< one for every initializer that the model keeps outside
  Dump dump = Dump::kStructure;
  /// Bytes of the memory arena over which activations are spread, from run to run
  /// (RidgeModel::arena_reach); 0: they lie where the arena puts them.
  std::int64_t arena_reach = 0;
  Form form = Form::kOriginal;
};

/// -1 in dims: unknown.
struct TensorType {
  std::string name;
  onnx::DataType type = onnx::DataType::kUndefined;
  std::vector<std::int64_t> dims;
};

/// Layer of a runtime that lists its layers and their originals (not ONNX Runtime).
struct RuntimeLayer {
  std::string name, type, implementation, precision, layout;
  std::vector<std::string> originals, inputs, outputs;
};

struct RuntimeGraph {
  /// ONNX bytes of the optimized graph that is executed; empty if no dump was requested.
  std::string model;
  /// Types that the runtime infers before its main optimizations, bodies included.
  std::vector<TensorType> tensors;
  std::vector<TensorType> inputs, outputs;
  std::vector<RuntimeLayer> layers;
};

using SessionId = std::uint32_t;

struct Loaded {
  SessionId session = 0;
  /// Duration of the runtime's load call: parsing, optimizing, packing weights, and writing the
  /// dump if requested.
  Nanos load;
  Nanos prepare;  ///< preparing weights before that: mapping, generating
  /// Error because of which weights in files were passed as copies instead; "": not refused.
  std::string refused_files;
  RuntimeGraph graph;
};

/// Elements of an output of the last run.
struct OutputTensor {
  TensorType type;
  /// View into Outputs::memory; empty for anything but a tensor of numbers.
  std::span<const std::byte> bytes;
};

struct Outputs {
  std::vector<OutputTensor> tensors;
  std::shared_ptr<const ipc::Mapping> memory;  ///< shared by the outputs of one call
};

/// A process that a template (template.h) made for one user, its model loaded: what the user needs
/// to drive it. It ends when the user's end of its sockets closes.
struct Forked {
  pid_t process = 0;
  ipc::Descriptor handle;  ///< pidfd; not open where the system has none
  ipc::Descriptor channel, control;
  ipc::Descriptor output;  ///< file of its standard output and error
};

/// Data for a progress line; sent as batches arrive, at most ten times a second.
struct Progress {
  Mode mode = Mode::kWarmup;
  std::uint32_t rounds_done = 0;
  std::uint32_t min_rounds = 0;
  Nanos elapsed;
};
using OnProgress = std::function<void(const Progress&)>;

}  // namespace ridge::runtime
