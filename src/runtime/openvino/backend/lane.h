// One of several callers of a session (RIDGE_HAS_LANES): an infer request of the compiled model, on
// a stream of its own where the property NUM_STREAMS allows as many.
//
// A lane that is handed its own outputs has two infer requests, which run in turns: the outputs of
// one are the inputs of the other, and nothing is copied.
//
// Ownership: refers to its Session, which must outlive it; a Feed refers to the caller's elements.
// Thread rule: a lane belongs to one thread, but cancel() may come from any; feeds are read by any.
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
struct Feed {
  std::vector<ov::Tensor> tensors;
};

class Lane {
 public:
  /// Parts of the session that a lane uses. `closed` is called with the object when it ends.
  struct Of {
    ov::CompiledModel& model;
    const std::vector<Port>& inputs;
    const std::vector<Port>& outputs;
    std::function<void(Lane*)> closed;
  };
  explicit Lane(Of of);
  ~Lane() { of_.closed(this); }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  Result<void> run(const Feed& feed);
  Result<RidgeTensors> outputs() { return rows_.of(request(), of_.outputs); }
  /// See RidgeRuntimeApi::hand_over. Returns 0: nothing is copied. Usage errors: an output or input
  /// that does not exist (RIDGE-OV-0027, RIDGE-OV-0028).
  Result<std::uint64_t> take(Lane& from, std::span<const RidgePair> pairs);
  /// Inputs that take() gave it.
  Result<RidgeTensors> inputs();
  void cancel();

 private:
  /// An output of a lane that is the input of this one.
  struct Taken {
    std::size_t input = 0;
    ov::Tensor tensor;
  };
  Result<Taken> taken(Lane& from, const RidgePair& pair);
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
