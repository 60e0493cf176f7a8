// The elements of a tensor, made real: from the arena, the model file, an external file, or a seed.
//
// External files are resolved safely: contained in the model's folder, no absolute path, no "..", no symbolic link anywhere below
// the folder, a regular file with one hard link, offset and length inside it (openat2 RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS, with a
// component-by-component O_NOFOLLOW walk where the kernel lacks it). Source: onnx/onnx docs/ExternalDataSecurity.md.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "onnx/document.h"

namespace ridge::onnx {

/// A range of an open file that holds a tensor's packed elements.
struct WeightRange {
  std::shared_ptr<const File> file;
  std::int64_t offset = 0;
  std::int64_t length = 0;
};

/// Checks and opens where a kFile tensor lies. Input error where the location is not allowed or too short, environment error where missing.
Result<WeightRange> locate(const Document& document, const Tensor& tensor);

/// Only the string checks of an external location (absolute, "..", empty, drive letters, NUL): done for every tensor when a model is
/// opened, without touching the file system. A missing external file is no error until the elements are needed.
Result<void> check_location(std::string_view location);

/// Packed little-endian elements of a tensor of at most `limit` bytes.
Result<std::vector<std::byte>> load(const Document& document, const Tensor& tensor, std::int64_t limit);

}  // namespace ridge::onnx
