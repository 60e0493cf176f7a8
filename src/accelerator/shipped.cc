// SPDX-License-Identifier: Apache-2.0
#include "accelerator/shipped.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/suggest.h"
#include "base/text.h"

namespace ridge::accelerator {

std::vector<std::string> names_of(std::span<const ShippedFile> files) {
  std::vector<std::string> out;
  for (const auto& [name, content] : files) out.emplace_back(name);
  return out;
}

const ShippedFile* find_shipped(std::span<const ShippedFile> files, std::string_view name) {
  for (const ShippedFile& file : files)
    if (file.first == name) return &file;
  return nullptr;
}

std::string shown(std::string_view text) { return printable(shorten(valid_utf8(text), 60)); }

Error unknown_shipped(Error error, std::string_view name, const std::vector<std::string>& names) {
  const std::vector<std::string> near = near_names(name, names);
  if (!near.empty())
    return std::move(error).hint(fmt::format("did you mean {}?", fmt::join(near, " or ")));
  return std::move(error).hint(fmt::format("use one of {}, or a file with the suffix {}",
                                           fmt::join(names, ", "), kTomlEnding));
}

Result<std::string_view> shipped_text(const ShippedKind& kind, std::string_view name) {
  if (const ShippedFile* file = find_shipped(kind.files, name)) return file->second;
  return unknown_shipped(
      usage_error(kind.code, fmt::format("unknown {} '{}'", kind.noun, shown(name))), name,
      names_of(kind.files));
}

std::string stem_of(std::string_view path) {
  path = path.substr(path.rfind('/') + 1);
  return std::string(path.substr(0, path.size() - kTomlEnding.size()));
}

}  // namespace ridge::accelerator
