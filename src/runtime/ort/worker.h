// SPDX-License-Identifier: Apache-2.0
// One of several callers of a session (RIDGE_HAS_WORKERS): ONNX Runtime lets threads run one
// session at the same time.
//
// Outputs that are handed over are ONNX Runtime's own values, which its next run takes as inputs:
// nothing is copied. A shared buffer is a value of ONNX Runtime over the caller's memory, which it
// is given as input and as output, as its own generator binds the caches of GroupQueryAttention.
//
// Ownership: refers to its Session, which must outlive it; a PreparedInput refers to the caller's
// elements. A value that was handed over lives as long as one of its workers needs it. Thread rule:
// a worker belongs to one thread; prepared inputs are read by any.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/ort/handles.h"
#include "runtime/ort/tensor_list.h"

namespace ridge::ort {

/// Inputs of a model as ONNX Runtime takes them.
struct PreparedInput {
  std::vector<Handle<OrtValue>> owned;
  std::vector<const OrtValue*> values;  ///< pointers to `owned`
  std::vector<const char*> names;       ///< names of the session's inputs, one for each value
};

/// Parts of the session that a worker uses.
struct WorkerSession {
  const Library* library = nullptr;
  OrtSession* session = nullptr;
  const OrtRunOptions* options = nullptr;  ///< cancellation ends runs through them
  const std::vector<std::string>* output_names = nullptr;
  const std::vector<const char*>* wanted = nullptr;  ///< output_names as pointers
  const std::vector<std::string>* input_names = nullptr;
  const OrtMemoryInfo* memory = nullptr;
};

class Worker {
 public:
  explicit Worker(const WorkerSession& of) : of_(of), results_(of.wanted->size()) {}
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  Result<void> run(const PreparedInput& prepared);
  Result<RidgeTensors> outputs();
  /// See RidgeRuntimeApi::hand_over. Returns 0: nothing is copied. Usage errors: an output or input
  /// that does not exist (RIDGE-ORT-0024).
  Result<std::uint64_t> take(const Worker& from, std::span<const RidgePair> pairs);
  /// Inputs that take() gave it.
  Result<RidgeTensors> inputs();
  /// See RidgeRuntimeApi::share_buffers: `buffers` and `pairs` have a row for each buffer. Usage
  /// errors as of take().
  Result<void> share(std::span<const RidgeTensor> buffers, std::span<const RidgePair> pairs);

 private:
  using Value = std::shared_ptr<OrtValue>;
  /// An output of a worker that is an input of this one.
  struct Taken {
    const char* name = nullptr;  ///< name of the input
    Value value;
  };
  /// A buffer that is an input and an output.
  struct Shared {
    const char* name = nullptr;  ///< name of the input
    std::size_t output = 0;
    Value value;
  };
  Result<Taken> taken(const Worker& from, const RidgePair& pair) const;
  Result<const char*> input_named(const char* name) const;
  bool given(std::string_view input) const;

  WorkerSession of_;
  std::vector<Value> results_;  // null: an optional output that does not exist
  std::vector<Taken> taken_;
  std::vector<Shared> shared_;
  std::vector<const char*> names_;  // inputs of a run, while it lasts
  std::vector<const OrtValue*> values_;
  TensorList list_, input_list_;
};

}  // namespace ridge::ort
