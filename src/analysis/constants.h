// Small constants of the file, decoded to values that shape inference can compute with.
//
// Cost: each call decodes the tensor; one in an external file is read then. Tensors of more than
// kMaxFolded elements are skipped.
#pragma once

#include "base/arena.h"
#include "base/result.h"
#include "onnx/document.h"
#include "ops/type.h"

namespace ridge::analysis {

/// Returns the elements of a tensor; nullptr if it has more than kMaxFolded elements, is seeded, or
/// is not numeric (strings, complex). uint64 elements above 2^63-1 become unknown. Errors: those of
/// onnx::load.
Result<const ops::Value*> tensor_value(const onnx::Document& document, const onnx::Tensor& tensor,
                                       Arena& arena);

}  // namespace ridge::analysis
