// Measured roofs kept between runs: one small JSON document per host.
//
// The file holds its key in full, so a collision of the hashed file name is noticed. Anything odd
// in it (truncated, foreign, of another version) reads as absent. Thread rule: pure but for the
// files, which are replaced as a whole.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "machine/ceilings.h"
#include "machine/host.h"

namespace ridge::machine {

/// What the roofs depend on: processor, microcode, processors allowed, kernel, version of ridge.
std::string cache_key(const Host& host);

/// <folder>/machine-<16 hexadecimal digits of the key>.json
std::string cache_path(const std::string& folder, const std::string& key);

std::optional<Ceilings> load_cache(const std::string& folder, const std::string& key);

/// Makes the folder where it is missing. Errors: RIDGE-MACH-0004, or as write_file.
Result<void> save_cache(const std::string& folder, const std::string& key,
                        const Ceilings& ceilings);

}  // namespace ridge::machine
