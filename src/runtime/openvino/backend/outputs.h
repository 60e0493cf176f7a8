// SPDX-License-Identifier: Apache-2.0
// Outputs of an infer request as rows of the C interface.
//
// Ownership: the rows refer to the object and to the request's memory. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/openvino/backend/settings.h"

namespace ridge::openvino {

/// Input or output with its ONNX name.
struct Port {
  std::string name;
  ov::element::Type type;
  std::vector<std::int64_t> dims;
};

class OutputRows {
 public:
  /// The outputs of the request's last run; valid until the next call.
  Result<RidgeTensors> of(ov::InferRequest& request, const std::vector<Port>& outputs);

 private:
  std::vector<RidgeTensor> rows_;
  std::vector<ov::Tensor> tensors_;
  std::vector<std::vector<std::int64_t>> dims_;
};

}  // namespace ridge::openvino
