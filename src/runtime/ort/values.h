// Values that ONNX Runtime is given: tensors over the caller's elements, text, sequences, and
// optionals that hold nothing.
//
// Ownership: a tensor of numbers refers to the caller's memory, everything else is ONNX Runtime's.
// Errors: input class, in ONNX Runtime's words.
#pragma once

#include "runtime/abi.h"
#include "runtime/ort/handles.h"
#include "runtime/ort/library.h"

namespace ridge::ort {

/// TensorProto.DataType of an element type.
std::int32_t onnx_type(ONNXTensorElementDataType type);

/// A value over the caller's elements. ONNX Runtime does not write to what it was given as input or
/// weight.
Result<Handle<OrtValue>> wrap_tensor(const Library& library, const OrtMemoryInfo* memory,
                                     const RidgeTensor& tensor, Phase phase);

/// An input of any kind.
Result<Handle<OrtValue>> make_input(const Library& library, const OrtEnv* env,
                                    const OrtMemoryInfo* memory, const RidgeTensor& input);

}  // namespace ridge::ort
