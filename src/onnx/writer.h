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
  kInline,    ///< every tensor's elements inside the file
  kExternal,  ///< elements beside it (`location` below); needed above 2 GiB
  kDetached,  ///< structure only: tensors that are not inline become external references "ridge" with offset = initializer's index;
              ///< whoever loads the model supplies the elements
};

struct WriteOptions {
  Weights weights = Weights::kInline;
  std::string location;  ///< kExternal: file name beside the model
};

/// Writes atomically. `document` supplies the file that kFile tensors refer to.
Result<void> write_file(const Document& document, const std::string& path,
                        const WriteOptions& options = {});
/// For structure (kDetached) or small models.
Result<std::string> write_bytes(const Document& document, const WriteOptions& options = {});

}  // namespace ridge::onnx
