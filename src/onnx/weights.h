// The elements of a tensor, made real: from the arena, the model file, an external file, or a seed.
//
// External files are resolved safely: contained in the model's folder, no absolute path, no "..",
// no symbolic link anywhere below the folder, a regular file with one hard link, offset and length
// inside it (openat2 RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS, with a component-by-component
// O_NOFOLLOW walk where the kernel lacks it). Source: onnx/onnx docs/ExternalDataSecurity.md.
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

/// A range of an open file that holds a tensor's packed elements.
struct WeightRange {
  std::shared_ptr<const File> file;
  std::int64_t offset = 0;
  std::int64_t length = 0;
};

/// Checks and opens where a kFile tensor lies. Input error where the location is not allowed or too
/// short, environment error where missing.
Result<WeightRange> locate(const Document& document, const Tensor& tensor);

/// locate() for many tensors: each external file is checked and opened once. Borrows the document.
/// Not thread-safe.
class WeightLocator {
 public:
  explicit WeightLocator(const Document& document) : document_(document) {}
  Result<WeightRange> locate(const Tensor& tensor);

 private:
  const Document& document_;
  std::map<std::string_view, std::shared_ptr<const File>> files_;
};

/// Only the string checks of an external location (absolute, "..", empty, drive letters, NUL): done
/// for every tensor when a model is opened, without touching the file system. A missing external
/// file is no error until the elements are needed.
Result<void> check_location(std::string_view location);

/// Packed little-endian elements of a tensor of at most `limit` bytes. Input error where the file
/// holds none (weights stripped) or strings.
Result<std::vector<std::byte>> load(const Document& document, const Tensor& tensor,
                                    std::int64_t limit);

/// Receives a tensor's bytes in order, a window at a time.
using ByteSink = std::function<Result<void>(std::span<const std::byte>)>;

/// The same for tensors of any size: memory stays at one window (1 MiB).
Result<void> stream(WeightLocator& locator, const Tensor& tensor, const ByteSink& sink);

/// Elements [first, …) of a seeded tensor as packed elements of `type`, as many as fit `out`: the
/// recipe's floats, rounded to nearest even for narrower floats, to the nearest integer within
/// range for integers, "above the mean" for bool. Input error for types narrower than a byte, 8-bit
/// floats, complex numbers and strings.
Result<void> generate(const SeededTensor& recipe, DataType type, std::int64_t first,
                      std::span<std::byte> out);

}  // namespace ridge::onnx
