// SPDX-License-Identifier: Apache-2.0
// Files with external data that a model names.
//
//   for (const auto& [location, tensor] : external_tensors(document.model))
//     use(onnx::locate(document, *tensor));
//
// Tensors of initializers, attributes, bodies and functions count. Cost: linear in the model.
// Ownership: the model owns names and tensors.
#pragma once

#include <map>
#include <string_view>

#include "onnx/document.h"

namespace ridge::onnx {

/// For each location, as the model has it, one of its tensors.
std::map<std::string_view, const Tensor*> external_tensors(const Model& model);

}  // namespace ridge::onnx
