// SPDX-License-Identifier: Apache-2.0
// Small constants of the file, decoded to values that shape inference can compute with.
//
// Cost: each call decodes the tensor; one in an external file is read then. Tensors of more than
// kMaxFolded elements are skipped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/arena.h"
#include "base/result.h"
#include "onnx/document.h"
#include "ops/type.h"

namespace ridge::analysis {

/// Returns the elements of a tensor; nullptr if it has more than kMaxFolded elements, is seeded, or
/// is not numeric (strings, complex). uint64 elements above 2^63-1 become unknown. Errors: as
/// onnx::load.
Result<const ops::Value*> tensor_value(const onnx::Document& document, const onnx::Tensor& tensor,
                                       Arena& arena);

/// Decodes the elements that an input is given: `elements` elements of `type` in `bytes`, or one,
/// which is the value of all. Input error (RIDGE-ANA-0112) if there are as many of neither.
Result<const ops::Value*> value_of_bytes(onnx::DataType type, const ops::Shape& shape,
                                         std::int64_t elements, std::span<const std::byte> bytes,
                                         Arena& arena);

}  // namespace ridge::analysis
