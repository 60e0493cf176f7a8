// SPDX-License-Identifier: Apache-2.0
#include "onnx/weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/checked.h"
#include "onnx/external_file.h"
#include "onnx/kind.h"

namespace ridge::onnx {
namespace {

constexpr std::int64_t kReadWindow = 1 << 20;
constexpr std::size_t kLongestLocation = 4096;  // PATH_MAX

bool has_drive_letter(std::string_view path) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return path.size() >= 2 && path[1] == ':' && letter(path[0]);
}

/// Number of folders below the start at the end of the path; negative if it ever leaves the start.
///
/// Example: "a/../w" 1, "a/.." 0, "a/../../w" -1.
int depth(std::string_view path) {
  int depth = 0;
  while (depth >= 0) {
    const std::size_t slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    depth += part == ".." ? -1 : part.empty() || part == "." ? 0 : 1;
    if (slash == std::string_view::npos) break;
    path.remove_prefix(slash + 1);
  }
  return depth;
}

/// Returns why a location is rejected; empty if it is valid.
std::string_view objection(std::string_view location) {
  if (location.empty()) return "is empty";
  if (location.size() > kLongestLocation) return "is longer than any path";
  if (location.find('\0') != std::string_view::npos) return "contains a zero byte";
  if (location.front() == '/' || has_drive_letter(location)) return "is an absolute path";
  if (location.find('\\') != std::string_view::npos) return "contains a backslash";
  if (depth(location) < 0) return "leads outside the model's folder";
  if (location.back() == '/' || depth(location) == 0 || location.ends_with("/.") ||
      location.ends_with("/.."))
    return "is a folder";
  return {};
}

std::string folder_or_here(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return path.substr(0, std::max<std::size_t>(slash, 1));
}

/// Rejects a Git LFS pointer in the place of the data.
Result<void> refuse_pointer(const File& file) {
  std::string head(static_cast<std::size_t>(std::min<std::int64_t>(file.size(), kHeadBytes)), '\0');
  TRY(file.read_at(0, std::as_writable_bytes(std::span(head))));
  if (!is_lfs_pointer(head)) return {};
  return input_error("RIDGE-ONNX-0304", "this is a Git LFS pointer, not the external data")
      .in_file(file.path())
      .hint("fetch the data with 'git lfs pull'");
}

Error in_tensor(Error error, const Tensor& tensor) {
  return std::move(error).in(fmt::format("tensor '{}'", tensor.name.view()));
}

Result<std::int64_t> stored_bytes(const Tensor& tensor) {
  const auto bytes = storage_bytes(tensor.type, tensor.elements);
  if (!bytes) {
    return input_error("RIDGE-ONNX-0310",
                       fmt::format("{} elements have no packed form", name(tensor.type)));
  }
  if (tensor.storage == Storage::kNone && *bytes > 0) {
    return input_error("RIDGE-ONNX-0311", "the file does not contain the tensor's elements")
        .hint("its weights were stripped; take the complete model");
  }
  return *bytes;
}

Result<void> stream_seeded(const Tensor& tensor, std::int64_t bytes, const ByteSink& sink) {
  std::vector<std::byte> window(static_cast<std::size_t>(std::min(bytes, kReadWindow)));
  for (std::int64_t at = 0; at < bytes; at += kReadWindow) {
    const auto size = static_cast<std::size_t>(std::min(kReadWindow, bytes - at));
    const std::span<std::byte> part = std::span(window).first(size);
    // The window size is a power of two, so each window starts at a whole element.
    TRY(generate(tensor.recipe, tensor.type, at * 8 / info(tensor.type)->bits, part));
    TRY(sink(part));
  }
  return {};
}

Result<void> stream_range(const WeightRange& range, const ByteSink& sink) {
  std::vector<std::byte> window(static_cast<std::size_t>(std::min(range.length, kReadWindow)));
  for (std::int64_t at = 0; at < range.length; at += kReadWindow) {
    const auto size = static_cast<std::size_t>(std::min(kReadWindow, range.length - at));
    TRY(range.file->read_at(range.offset + at, std::span(window).first(size)));
    TRY(sink(std::span(window).first(size)));
  }
  return {};
}

}  // namespace

Result<void> check_location(std::string_view location) {
  const std::string_view why = objection(location);
  if (why.empty()) return {};
  const std::string shown(location.substr(0, 200));
  return input_error("RIDGE-ONNX-0301", fmt::format("external data location '{}' {}", shown, why))
      .hint("external data must lie in the model's folder, named by a relative path with '/'");
}

Result<WeightRange> WeightLocator::locate(const Tensor& tensor) {
  if (tensor.storage != Storage::kFile) {
    return bug("the tensor's elements are in no file", "onnx::locate");
  }
  const std::int64_t needed =
      TRY_IN(fmt::format("tensor '{}'", tensor.name.view()), stored_bytes(tensor));
  std::shared_ptr<const File> file = document_.file;
  if (tensor.external) {
    if (auto allowed = check_location(tensor.location); !allowed) {
      return in_tensor(std::move(allowed).error(), tensor);
    }
    std::shared_ptr<const File>& known = files_[tensor.location];
    if (known == nullptr) {
      if (document_.file == nullptr) {
        return in_tensor(input_error("RIDGE-ONNX-0312", "external data of a model without a file")
                             .in_file(document_.path),
                         tensor);
      }
      auto opened =
          open_beneath(folder_or_here(document_.path), tensor.location, document_.file.get());
      if (opened.ok()) {
        if (auto data = refuse_pointer(*opened); !data) opened = std::move(data).error();
      }
      if (!opened) return in_tensor(std::move(opened).error(), tensor);
      known = std::make_shared<const File>(std::move(opened).value());
    }
    file = known;
  }
  if (file == nullptr) return bug("a file range without a file", "onnx::locate");
  const auto end = checked_add(tensor.offset, needed);
  if (tensor.offset < 0 || !end || *end > file->size()) {
    return in_tensor(
        input_error("RIDGE-ONNX-0307",
                    fmt::format("the data spans bytes {} to {}, but the file ends at {}",
                                tensor.offset, end.value_or(INT64_MAX), file->size()))
            .in_file(file->path())
            .hint("the file is truncated or belongs to another model"),
        tensor);
  }
  return WeightRange{std::move(file), tensor.offset, needed};
}

Result<WeightRange> locate(const Document& document, const Tensor& tensor) {
  return WeightLocator(document).locate(tensor);
}

Result<void> stream(WeightLocator& locator, const Tensor& tensor, const ByteSink& sink) {
  const std::int64_t bytes =
      TRY_IN(fmt::format("tensor '{}'", tensor.name.view()), stored_bytes(tensor));
  if (bytes == 0) return {};
  switch (tensor.storage) {
    case Storage::kInline:
      return sink(tensor.bytes);
    case Storage::kFile:
      return stream_range(TRY(locator.locate(tensor)), sink);
    case Storage::kSeeded:
      return stream_seeded(tensor, bytes, sink);
    case Storage::kNone:
    case Storage::kStrings:
      break;
  }
  return bug("a tensor without bytes got through", "onnx::stream");
}

Result<std::vector<std::byte>> load(const Document& document, const Tensor& tensor,
                                    std::int64_t limit) {
  const std::int64_t bytes =
      TRY_IN(fmt::format("tensor '{}'", tensor.name.view()), stored_bytes(tensor));
  if (bytes > limit) {
    return in_tensor(
        input_error("RIDGE-ONNX-0313",
                    fmt::format("the elements need {} bytes, the limit is {}", bytes, limit)),
        tensor);
  }
  std::vector<std::byte> out;
  out.reserve(static_cast<std::size_t>(bytes));
  WeightLocator locator(document);
  TRY(stream(locator, tensor, [&](std::span<const std::byte> part) {
    out.insert(out.end(), part.begin(), part.end());
    return Result<void>();
  }));
  return out;
}

}  // namespace ridge::onnx
