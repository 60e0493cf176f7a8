// Writes a Model as ONNX bytes. Used for zoo files, the canonical copy that a runtime sees, and
// generated benchmarks.
//
// Deterministic: the same Model gives the same bytes. Seeded tensors are generated while writing,
// file ranges copied in windows; memory stays bounded by the largest window, not by the weights.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "onnx/document.h"

namespace ridge::onnx {

enum class Weights {
  kInline,    ///< every tensor's elements inside the file; protobuf readers stop at 2 GiB
  kExternal,  ///< initializers of more than 1 KiB beside it (`location` below), aligned to 4 KiB
  /// Structure only: initializers of the main graph that are not Storage::kInline become external
  /// references to "ridge" with offset = index in Graph::initializers and length = bytes; whoever
  /// loads the model supplies the elements. Those of subgraphs and attributes, which no runtime
  /// takes from outside, are written inside.
  kDetached,
  /// Tensors with external data stay references to their location and offset, which need not be a
  /// location that a reader would accept; all others are inside.
  kReferenced,
};

struct WriteOptions {
  Weights weights = Weights::kInline;
  std::string location = {};  ///< kExternal: file name beside the model
};

/// Writes atomically: data file first, then the model. `document` supplies the file that kFile
/// tensors refer to; it may be the one that is replaced.
Result<void> write_file(const Document& document, const std::string& path,
                        const WriteOptions& options = {});
/// For structure (kDetached) or small models.
Result<std::string> write_bytes(const Document& document, const WriteOptions& options = {});

}  // namespace ridge::onnx
