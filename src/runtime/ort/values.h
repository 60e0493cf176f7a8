// SPDX-License-Identifier: Apache-2.0
// Input values for ONNX Runtime: tensors over the caller's elements, text, sequences, and empty
// optionals.
//
// Ownership: a tensor of numbers refers to the caller's memory; other values are owned by ONNX
// Runtime. Errors: input class, with ONNX Runtime's message.
#pragma once

#include "runtime/abi.h"
#include "runtime/ort/handles.h"
#include "runtime/ort/library.h"

namespace ridge::ort {

/// Returns the TensorProto.DataType of an element type.
std::int32_t onnx_type(ONNXTensorElementDataType type);

/// Wraps the caller's elements. ONNX Runtime does not write to inputs and weights.
Result<Handle<OrtValue>> wrap_tensor(const Library& library, const OrtMemoryInfo* memory,
                                     const RidgeTensor& tensor, Phase phase);

/// Makes an input of any kind.
Result<Handle<OrtValue>> make_input(const Library& library, const OrtEnv* env,
                                    const OrtMemoryInfo* memory, const RidgeTensor& input);

}  // namespace ridge::ort
