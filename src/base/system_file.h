// SPDX-License-Identifier: Apache-2.0
// Files whose size the system does not tell before they are read, as those below /proc.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace ridge {

/// Errors: as File; environment class, RIDGE-IO-0010 (it cannot be read, as when its process
/// has ended) and 0011 (more than `limit` bytes).
Result<std::string> read_system_file(const std::string& path, std::int64_t limit);

}  // namespace ridge
