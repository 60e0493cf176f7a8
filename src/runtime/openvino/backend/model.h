// SPDX-License-Identifier: Apache-2.0
// Loads an ONNX model into OpenVINO, with elements owned by the caller.
//
// External weights of floating-point and 8-bit type become inputs of the model that OpenVINO reads,
// and afterwards constants over the caller's memory: they are not copied. Other elements, such as
// large index tables, which the front end may need to inspect, are stored in the model itself.
#pragma once

#include <memory>
#include <string_view>

#include "runtime/openvino/backend/settings.h"

namespace ridge::openvino {

/// `weights` must outlive the model. Input errors: a model that OpenVINO's front end rejects.
Result<std::shared_ptr<ov::Model>> read_model(ov::Core& core, std::string_view onnx,
                                              const RidgeTensors& weights);

}  // namespace ridge::openvino
