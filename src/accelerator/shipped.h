// The descriptions of data/accelerators and data/energy, which travel inside the program.
// Thread rule: constants and pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "accelerator/toml.h"
#include "base/file.h"
#include "base/result.h"

namespace ridge::accelerator {

using ShippedFile = std::pair<std::string_view, std::string_view>;  ///< name, content

// Made by cmake/embed.cmake, sorted by name.
extern const std::span<const ShippedFile> kShippedMachines;
extern const std::span<const ShippedFile> kShippedEnergyTables;

/// What tells the path of a file from a name.
inline constexpr std::string_view kTomlEnding = ".toml";

std::vector<std::string> names_of(std::span<const ShippedFile> files);
/// Null where there is none.
const ShippedFile* find_shipped(std::span<const ShippedFile> files, std::string_view name);

/// `error` with what may have been meant by `name`.
Error unknown_shipped(Error error, std::string_view name, const std::vector<std::string>& names);

/// "dir/my.toml" -> "my".
std::string stem_of(std::string_view path);

/// What `read` makes of the file where the name ends in .toml, else what is shipped. A description
/// without a name of its own has the file's.
template <typename T>
Result<T> find_described(const std::string& name_or_path, Result<T> (*shipped)(std::string_view),
                         Result<T> (*read)(std::string_view)) {
  if (!name_or_path.ends_with(kTomlEnding)) return shipped(name_or_path);
  const std::string text = TRY(read_file(name_or_path, static_cast<std::int64_t>(kMostTomlBytes)));
  Result<T> out = read(text);
  if (!out.ok()) return std::move(out).error().in_file(name_or_path);
  if (out->name.empty()) out->name = stem_of(name_or_path);
  return out;
}

}  // namespace ridge::accelerator
