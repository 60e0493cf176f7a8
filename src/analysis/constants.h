// Small constants of the file as values that shape rules can compute with.
//
// Cost: a tensor is decoded on first use and kept; one that lies in a file is read then, and only
// up to kMaxFolded elements.
#pragma once

#include "base/arena.h"
#include "base/result.h"
#include "onnx/document.h"
#include "ops/type.h"

namespace ridge::analysis {

/// The elements of a tensor; nullptr where it has more than kMaxFolded, is seeded, or holds no
/// numbers (strings, complex). uint64 elements past 2^63-1 become unknown. Errors: those of
/// onnx::load.
Result<const ops::Value*> tensor_value(const onnx::Document& document, const onnx::Tensor& tensor,
                                       Arena& arena);

}  // namespace ridge::analysis
