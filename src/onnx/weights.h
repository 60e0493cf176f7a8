// SPDX-License-Identifier: Apache-2.0
// Loads or generates the elements of a tensor: from the arena, the model file, an external file, or
// a seed.
//
// External files are resolved safely: below the folder of the model's path or of the model itself
// (external_file.h), no absolute path, no ".." out of the folder, a regular file, offset and length
// within it. Source: onnx/onnx docs/ExternalDataSecurity.md.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "onnx/document.h"

namespace ridge::onnx {

/// Range of an open file with a tensor's packed elements.
struct WeightRange {
  std::shared_ptr<const File> file;
  std::int64_t offset = 0;
  std::int64_t length = 0;
};

/// Checks and opens the file of a kFile tensor. Input error if the location is not allowed or the
/// file too short, environment error if it is missing.
Result<WeightRange> locate(const Document& document, const Tensor& tensor);

/// Calls locate() for many tensors; each external file is checked and opened once. Borrows the
/// document. Not thread-safe.
class WeightLocator {
 public:
  explicit WeightLocator(const Document& document) : document_(document) {}
  Result<WeightRange> locate(const Tensor& tensor);

 private:
  const Document& document_;
  std::map<std::string_view, std::shared_ptr<const File>> files_;
};

/// Checks only the text of an external location (absolute, "..", empty, drive letters, NUL),
/// without accessing the file system. Called for every tensor when a model is opened; a missing
/// external file is an error only when the elements are needed.
Result<void> check_location(std::string_view location);

/// Loads the packed little-endian elements of a tensor of at most `limit` bytes. Input error if the
/// file has no elements (weights stripped) or if they are strings.
Result<std::vector<std::byte>> load(const Document& document, const Tensor& tensor,
                                    std::int64_t limit);

/// Callback that receives a tensor's bytes in order, in windows.
using ByteSink = std::function<Result<void>(std::span<const std::byte>)>;

/// Streams the elements of a tensor of any size; needs one window of memory (1 MiB).
Result<void> stream(WeightLocator& locator, const Tensor& tensor, const ByteSink& sink);

/// Generates elements [first, …) of a seeded tensor in type `type`, as many as fit `out`. The
/// recipe's floats are rounded to nearest even for narrower floats, to the nearest integer within
/// range for integers, and compared with the mean for bool (true above it). Input error for types
/// narrower than a byte, 8-bit floats, complex numbers and strings.
Result<void> generate(const SeededTensor& recipe, DataType type, std::int64_t first,
                      std::span<std::byte> out);

}  // namespace ridge::onnx
