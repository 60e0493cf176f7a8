// SPDX-License-Identifier: Apache-2.0
// One of several callers of a session (RIDGE_HAS_WORKERS): an infer request of the compiled model,
// on a stream of its own where the property NUM_STREAMS allows as many.
//
// A worker that is handed its own outputs has two infer requests, which run in turns: the outputs
// of one are the inputs of the other, and nothing is copied.
//
// Ownership: refers to its Session, which must outlive it; a PreparedInput refers to the caller's
// elements. Thread rule: a worker belongs to one thread, but cancel() may come from any; prepared
// inputs are read by any.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "runtime/openvino/backend/outputs.h"

namespace ridge::openvino {

/// Inputs of a model, by its inputs; empty where none was given.
struct PreparedInput {
  std::vector<ov::Tensor> tensors;
};

class Worker {
 public:
  /// Parts of the session that a worker uses. `closed` is called with the object when it ends.
  struct Of {
    ov::CompiledModel& model;
    const std::vector<Port>& inputs;
    const std::vector<Port>& outputs;
    std::function<void(Worker*)> closed;
  };
  explicit Worker(Of of);
  ~Worker() { of_.closed(this); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  Result<void> run(const PreparedInput& prepared);
  Result<RidgeTensors> outputs() { return rows_.of(request(), of_.outputs); }
  /// See RidgeRuntimeApi::hand_over. Returns 0: nothing is copied. Usage errors: an output or input
  /// that does not exist (RIDGE-OV-0027, RIDGE-OV-0028).
  Result<std::uint64_t> take(Worker& from, std::span<const RidgePair> pairs);
  /// Inputs that take() gave it.
  Result<RidgeTensors> inputs();
  void cancel();

 private:
  /// An output of a worker that is the input of this one.
  struct Taken {
    std::size_t input = 0;
    ov::Tensor tensor;
  };
  Result<Taken> taken(Worker& from, const RidgePair& pair);
  ov::InferRequest& request() { return requests_[current_]; }

  Of of_;
  std::array<ov::InferRequest, 2> requests_;  // the second is made where it is needed
  std::size_t current_ = 0;
  std::mutex making_;  // another thread may cancel
  std::vector<Taken> taken_;
  OutputRows rows_;
  std::vector<RidgeTensor> input_rows_;
  std::vector<std::vector<std::int64_t>> input_dims_;
};

}  // namespace ridge::openvino
