// SPDX-License-Identifier: Apache-2.0
// The value of rank ceil(n x share) among n values, as scenario/percentiles.h has it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ridge::sharing {

/// Reorders the values; 0 without any. Cost: O(n).
inline std::int64_t order_statistic(std::vector<std::int64_t>& values, double share) {
  if (values.empty()) return 0;
  const auto n = static_cast<double>(values.size());
  const auto rank = static_cast<std::size_t>(std::max(std::ceil(n * share), 1.0));
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(std::min(rank, values.size()) - 1);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace ridge::sharing
