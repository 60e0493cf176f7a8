// SPDX-License-Identifier: Apache-2.0
#include "bricks/batches.h"

#include <algorithm>
#include <numeric>

namespace ridge::bricks {

std::vector<Batching> batchings(std::span<const BrickBytes> bricks, std::int64_t reuse) {
  Batching few{.distance = reuse}, large{.distance = reuse};
  for (std::size_t i = 0; i < bricks.size(); ++i) {
    const BrickBytes& brick = bricks[i];
    const bool is_large = brick.weights >= reuse / kLargePart;
    Batching& of = is_large ? large : few;
    of.members.push_back(i);
    of.bytes.push_back(brick.resident + (is_large ? 0 : kSessionBytes));
    if (is_large) of.distance = std::max(of.distance, brick.far);
  }
  std::vector<Batching> out;
  for (Batching* of : {&few, &large}) {
    if (of->members.empty()) continue;
    const std::int64_t all = std::accumulate(of->bytes.begin(), of->bytes.end(), std::int64_t{0});
    of->lacking = std::max<std::int64_t>(0, of->distance - all);
    out.push_back(std::move(*of));
  }
  return out;
}

}  // namespace ridge::bricks
