// SPDX-License-Identifier: Apache-2.0
// A model with more of its tensors as outputs, to compare what it computes on the way.
//
//   std::string bytes = TRY(with_outputs(*copy.document, {"r3.0"}, onnx::Weights::kDetached));
//
// Pure. Cost: as onnx::write_bytes. Errors: as onnx::write_bytes.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "onnx/document.h"
#include "onnx/write_options.h"

namespace ridge::attribution {

/// Serializes the document with the tensors of those names as further outputs. A tensor that is an
/// output already stays one output.
Result<std::string> with_outputs(const onnx::Document& document,
                                 std::span<const std::string_view> names, onnx::Weights weights);

}  // namespace ridge::attribution
