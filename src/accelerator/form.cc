// SPDX-License-Identifier: Apache-2.0
#include "accelerator/form.h"

#include <limits>

#include "base/checked.h"

namespace ridge::accelerator {

std::int64_t product(std::span<const std::int64_t> sizes) {
  std::int64_t out = 1;
  for (const std::int64_t s : sizes)
    out = checked_mul(out, s).value_or(std::numeric_limits<std::int64_t>::max());
  return out;
}

std::int64_t times(std::initializer_list<std::int64_t> sizes) {
  return product(std::span(sizes.begin(), sizes.size()));
}

}  // namespace ridge::accelerator
