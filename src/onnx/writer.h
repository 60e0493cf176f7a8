// SPDX-License-Identifier: Apache-2.0
// Writes a Model as ONNX bytes: zoo files, the copy that is passed to a runtime, and generated
// benchmarks.
//
// Deterministic: the same Model results in the same bytes. Seeded tensors are generated while
// writing, and file ranges are copied in windows; memory is bounded by the largest window, not by
// the weights.
#pragma once

#include <string>

#include "base/result.h"
#include "onnx/document.h"
#include "onnx/write_options.h"

namespace ridge::onnx {

/// Writes atomically: the data file first, then the model. `document` provides the file of kFile
/// tensors; it may be the file that is replaced. RIDGE-ONNX-0401: the file would exceed 2 GiB.
Result<void> write_file(const Document& document, const std::string& path,
                        const WriteOptions& options = {});
/// Writes to memory; for structure (kDetached) or small models.
Result<std::string> write_bytes(const Document& document, const WriteOptions& options = {});

}  // namespace ridge::onnx
