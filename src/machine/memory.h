// SPDX-License-Identifier: Apache-2.0
// Memory that programs may still take on this machine.
#pragma once

#include <cstdint>
#include <optional>

#include "machine/system_files.h"

namespace ridge::machine {

/// MemAvailable of /proc/meminfo in bytes; nullopt if unreadable.
std::optional<std::int64_t> memory_available(const SystemFiles& files = live_files());

}  // namespace ridge::machine
