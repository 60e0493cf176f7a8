// SPDX-License-Identifier: Apache-2.0
#include "roofline/roofs.h"

#include <algorithm>

namespace ridge::roofline {

std::optional<double> Roofs::flop_per_s(std::string_view dtype) const {
  for (const machine::Roof& roof : compute)
    if (roof.dtype == dtype) return roof.value;
  return std::nullopt;
}

std::int64_t Roofs::cache_bytes() const {
  std::int64_t sum = 0;
  for (const Level& level : levels) sum += level.capacity;
  return sum;
}

Roofs roofs_from(const std::vector<machine::Roof>& rows, const std::vector<Cache>& caches,
                 std::int32_t threads) {
  Roofs out;
  out.threads = threads;
  for (const machine::Roof& row : rows)
    if (row.kind == "compute" && row.threads == threads) out.compute.push_back(row);

  for (const char* name : {"L1", "L2", "L3", "memory"}) {
    Level level{.name = name};
    for (const machine::Roof& row : rows)
      if (row.kind != "compute" && row.level == name && row.threads == threads) {
        level.bytes_per_s = std::max(level.bytes_per_s, row.value);
        if (row.kind == "read") level.read_per_s = std::max(level.read_per_s, row.value);
      }
    if (level.read_per_s == 0) level.read_per_s = level.bytes_per_s;
    for (const Cache& cache : caches)
      if (cache.level == name) {
        const std::int32_t used = std::min(threads, cache.instances);
        level.reach = cache.reach * used;
        level.capacity =
            (cache.reach > 0 ? std::min(cache.bytes, cache.reach) : cache.bytes) * used;
      }
    const bool usable = level.bytes_per_s > 0 && (level.capacity > 0 || level.name == "memory");
    if (usable) out.levels.push_back(std::move(level));
  }
  return out;
}

}  // namespace ridge::roofline
