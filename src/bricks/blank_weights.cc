// SPDX-License-Identifier: Apache-2.0
#include "bricks/blank_weights.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace ridge::bricks {
namespace {

/// Smallest weight without its elements.
constexpr std::int64_t kLargeBytes = 4096;
constexpr std::int64_t kPage = 4096;
/// Least size of the file, so that it seldom grows.
constexpr std::size_t kMinFile = std::size_t{16} << 20;

/// Fills memory with ordinary numbers of every floating type: 0x3c3c is 1.06 as float16, 0x3c3c3c3c
/// is 0.011 as float32. Pages differ in their first element.
void fill_pages(std::span<std::byte> memory) {
  std::memset(memory.data(), 0x3c, memory.size());
  for (std::size_t page = 0; (page + 1) * kPage <= memory.size(); ++page) {
    const std::uint16_t halves[2] = {static_cast<std::uint16_t>(0x3c00 | (page & 0x3ff)),
                                     static_cast<std::uint16_t>(0x3c00 | (page >> 10 & 0x3ff))};
    std::memcpy(memory.data() + page * kPage, halves, sizeof(halves));
  }
}

std::int64_t bytes_of(const onnx::Tensor& tensor) {
  return onnx::storage_bytes(tensor.type, tensor.elements).value_or(0);
}

bool is_blank(const onnx::Tensor& tensor) {
  const onnx::DataTypeInfo* type = onnx::info(tensor.type);
  return type != nullptr && type->floating && bytes_of(tensor) >= kLargeBytes;
}

}  // namespace

/// A file of at least so many bytes; null if there is no room.
std::shared_ptr<const File> BlankWeights::file_of(std::size_t bytes) {
  if (memory_ && memory_->bytes().size() >= bytes) return file_;
  file_.reset();
  memory_.reset();
  if (!folder_) {
    Result<TemporaryFolder> made = TemporaryFolder::make(memory_folder_);
    if (!made.ok()) return nullptr;
    folder_.emplace(std::move(*made));
  }
  std::optional<runtime::MemoryFile> memory =
      runtime::MemoryFile::make(folder_->path(), std::max(kMinFile, bytes));
  if (!memory) return nullptr;
  Result<File> file = File::open(memory->path());
  if (!file.ok()) return nullptr;
  fill_pages(memory->bytes());
  memory_.emplace(std::move(*memory));
  file_ = std::make_shared<const File>(std::move(*file));
  return file_;
}

Result<std::vector<runtime::Weight>> BlankWeights::of(const attribution::Canonical& copy) {
  std::int64_t largest = 0, count = 0;
  for (const attribution::WeightSource& source : copy.weights)
    if (is_blank(*source.tensor)) {
      largest = std::max(largest, bytes_of(*source.tensor));
      ++count;
    }
  const std::shared_ptr<const File> file =
      count == 0 ? nullptr : file_of(static_cast<std::size_t>(largest + count * kPage));
  std::vector<runtime::Weight> out;
  onnx::WeightLocator locator(*copy.original);
  std::int64_t blank = 0;
  for (const attribution::WeightSource& source : copy.weights) {
    const onnx::Tensor& tensor = *source.tensor;
    if (!is_blank(tensor)) {
      out.push_back(TRY(runtime::weight_of(locator, source.name, tensor)));
      continue;
    }
    runtime::Weight weight{.name = std::string(source.name),
                           .type = tensor.type,
                           .dims = {tensor.dims.begin(), tensor.dims.end()},
                           .elements = SeededTensor{.mean = static_cast<float>(blank + 1)}};
    if (file != nullptr) weight.elements = onnx::WeightRange{file, blank * kPage, bytes_of(tensor)};
    ++blank;
    out.push_back(std::move(weight));
  }
  return out;
}

}  // namespace ridge::bricks
