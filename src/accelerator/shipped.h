// The descriptions of data/accelerators and data/energy, which travel inside the program.
// Thread rule: constants and pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

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

}  // namespace ridge::accelerator
