// SPDX-License-Identifier: Apache-2.0
#include "pipeline/ranking.h"

#include <algorithm>
#include <cmath>

namespace ridge::pipeline {
namespace {

bool ranked_before(const Ranked& a, const Ranked& b) {
  if (std::isnan(a.score) != std::isnan(b.score)) return std::isnan(b.score);
  if (a.score > b.score || a.score < b.score) return a.score > b.score;
  return a.index < b.index;
}

}  // namespace

std::vector<Ranked> top(std::span<const float> scores, std::size_t most) {
  std::vector<Ranked> ranked;
  ranked.reserve(scores.size());
  for (const float score : scores)
    ranked.push_back({static_cast<std::int64_t>(ranked.size()), score});
  most = std::min(most, ranked.size());
  std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(most),
                    ranked.end(), ranked_before);
  ranked.resize(most);
  return ranked;
}

}  // namespace ridge::pipeline
