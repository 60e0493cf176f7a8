// SPDX-License-Identifier: Apache-2.0
#include "onnx/external_checksum.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "onnx/sha1.h"
#include "onnx/weights.h"

namespace ridge::onnx {
namespace {

constexpr std::int64_t kHashWindow = std::int64_t{1} << 20;
constexpr std::size_t kDigits = 40;

Error refused(std::string message, std::string_view location) {
  return input_error("RIDGE-ONNX-0315", std::move(message))
      .in(fmt::format("external data '{}'", location));
}

std::string lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  return text;
}

Result<std::string> sha1_of(const File& file) {
  Sha1 hash;
  std::vector<std::byte> window(static_cast<std::size_t>(std::min(file.size(), kHashWindow)));
  for (std::int64_t at = 0; at < file.size(); at += kHashWindow) {
    const auto part =
        std::span(window).first(static_cast<std::size_t>(std::min(kHashWindow, file.size() - at)));
    TRY(file.read_at(at, part));
    hash.add(part);
  }
  return hash.hex();
}

Result<void> verify(const Document& document, std::string_view location,
                    const std::string& checksum) {
  if (checksum.size() != kDigits ||
      checksum.find_first_not_of("0123456789abcdef") != std::string::npos)
    return refused(fmt::format("the checksum '{}' is no SHA-1", checksum.substr(0, 60)), location)
        .hint("a checksum has 40 hexadecimal digits; export the model again");
  Tensor nothing;  // of the file, which is located and opened as for any tensor
  nothing.type = DataType::kUint8;
  nothing.storage = Storage::kFile;
  nothing.external = true;
  nothing.location = location;
  const WeightRange range = TRY(locate(document, nothing));
  const std::string found = TRY(sha1_of(*range.file));
  if (found == checksum) return {};
  return refused("its content has another checksum than the model states", location)
      .evidence(fmt::format("SHA-1 {}, the model states {}", found, checksum))
      .hint("fetch the file again, or export the model again")
      .in_file(range.file->path());
}

}  // namespace

Result<void> verify_checksums(const Document& document) {
  std::map<std::string_view, std::string> by_location;
  for (const StatedChecksum& stated : document.model.checksums) {
    std::string checksum = lower(std::string(stated.checksum));
    const auto [at, fresh] = by_location.emplace(stated.location, checksum);
    if (!fresh && at->second != checksum)
      return refused("the model states two checksums of it", at->first)
          .evidence(fmt::format("{} and {}", at->second.substr(0, 60), checksum.substr(0, 60)))
          .hint("export the model again");
  }
  for (const auto& [location, checksum] : by_location) TRY(verify(document, location, checksum));
  return {};
}

}  // namespace ridge::onnx
