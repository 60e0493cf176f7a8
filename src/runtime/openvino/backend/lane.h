// One of several callers of a session (RIDGE_HAS_LANES): an infer request of the compiled model, on
// a stream of its own where the property NUM_STREAMS allows as many.
//
// Ownership: refers to its Session, which must outlive it; a Feed refers to the caller's elements.
// Thread rule: a lane belongs to one thread, but cancel() may come from any; feeds are read by any.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "runtime/openvino/backend/outputs.h"

namespace ridge::openvino {

/// Inputs of a model, by its inputs; empty where none was given.
struct Feed {
  std::vector<ov::Tensor> tensors;
};

class Lane {
 public:
  /// `closed` is called with the object when it ends.
  Lane(ov::InferRequest request, const std::vector<Port>& outputs,
       std::function<void(Lane*)> closed)
      : request_(std::move(request)), outputs_(outputs), closed_(std::move(closed)) {}
  ~Lane() { closed_(this); }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  Result<void> run(const Feed& feed) {
    return guarded(Phase::kRun, [&]() -> Result<void> {
      for (std::size_t i = 0; i < feed.tensors.size(); ++i)
        if (feed.tensors[i]) request_.set_input_tensor(i, feed.tensors[i]);
      request_.infer();
      return {};
    });
  }
  Result<RidgeTensors> outputs() { return rows_.of(request_, outputs_); }
  void cancel() { request_.cancel(); }

 private:
  ov::InferRequest request_;
  const std::vector<Port>& outputs_;
  std::function<void(Lane*)> closed_;
  OutputRows rows_;
};

}  // namespace ridge::openvino
