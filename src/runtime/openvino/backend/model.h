// An ONNX model into OpenVINO, with the elements that the caller keeps.
//
// Weights of floating and 8-bit type that the model keeps outside become inputs of what OpenVINO
// reads, and constants over the caller's memory afterwards: nothing is copied. Other elements, such
// as large tables of indices, which reading may need to look at, go into the model itself.
#pragma once

#include <memory>
#include <string_view>

#include "runtime/openvino/backend/settings.h"

namespace ridge::openvino {

/// `weights` must outlive the model. Input errors: what OpenVINO's front end refuses.
Result<std::shared_ptr<ov::Model>> read_model(ov::Core& core, std::string_view onnx,
                                              const RidgeTensors& weights);

}  // namespace ridge::openvino
