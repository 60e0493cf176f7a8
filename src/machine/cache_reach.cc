// SPDX-License-Identifier: Apache-2.0
#include "machine/cache_reach.h"

#include <algorithm>

namespace ridge::machine {

std::int64_t cache_reach(std::span<const ReadRate> rates, double cache_per_s, double memory_per_s) {
  if (memory_per_s <= 0 || cache_per_s < 1.15 * memory_per_s) return 0;
  const double saved_per_byte = 1 / memory_per_s - 1 / cache_per_s;
  double reach = 0;
  for (const ReadRate& r : rates) {
    const auto bytes = static_cast<double>(r.bytes);
    const double saved = bytes / memory_per_s - bytes / r.bytes_per_s;
    reach = std::max(reach, std::min(saved / saved_per_byte, bytes));
  }
  return static_cast<std::int64_t>(reach);
}

}  // namespace ridge::machine
