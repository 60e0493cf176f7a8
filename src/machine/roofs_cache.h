// SPDX-License-Identifier: Apache-2.0
// Cache of measured roofs: one small JSON document per host.
//
// The file contains its complete key, so a collision of the hashed file name is detected. Files
// that are damaged, belong to another host or have another version are treated as absent. Thread
// rule: pure except for the files, which are replaced as a whole.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "machine/host.h"
#include "machine/roof.h"

namespace ridge::machine {

/// Returns the key, composed of all that the roofs depend on: processor, microcode, hypervisor,
/// allowed processors, instruction sets, kernel, version of ridge.
std::string cache_key(const Host& host);

/// <folder>/machine-<16 hexadecimal digits of the key>.json
std::string cache_path(const std::string& folder, const std::string& key);

std::optional<MeasuredRoofs> load_cache(const std::string& folder, const std::string& key);

/// Saves the roofs; creates the folder if it is missing. Errors: RIDGE-MACH-0004, or as write_file.
Result<void> save_cache(const std::string& folder, const std::string& key,
                        const MeasuredRoofs& roofs);

}  // namespace ridge::machine
