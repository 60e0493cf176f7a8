// Writes a Model as ONNX bytes: zoo files, the copy that is passed to a runtime, and generated
// benchmarks.
//
// Deterministic: the same Model results in the same bytes. Seeded tensors are generated while
// writing, and file ranges are copied in windows; memory is bounded by the largest window, not by
// the weights.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "onnx/document.h"

namespace ridge::onnx {

enum class Weights {
  kInline,    ///< all elements inside the file; protobuf readers stop at 2 GiB
  kExternal,  ///< initializers above 1 KiB in a file beside it (`location` below), 4 KiB-aligned
  /// Structure only: initializers of the main graph that are not Storage::kInline become external
  /// references to "ridge" with offset = index in Graph::initializers and length = bytes; the
  /// loader of the model supplies the elements. Those of subgraphs and attributes, which no runtime
  /// accepts from outside, are written inside.
  kDetached,
  /// Tensors with external data remain references to their location and offset, which may be a
  /// location that the reader would reject; all others are written inside.
  kReferenced,
};

struct WriteOptions {
  Weights weights = Weights::kInline;
  std::string location = {};  ///< kExternal: file name beside the model
};

/// Writes atomically: the data file first, then the model. `document` provides the file of kFile
/// tensors; it may be the file that is replaced.
Result<void> write_file(const Document& document, const std::string& path,
                        const WriteOptions& options = {});
/// Writes to memory; for structure (kDetached) or small models.
Result<std::string> write_bytes(const Document& document, const WriteOptions& options = {});

}  // namespace ridge::onnx
