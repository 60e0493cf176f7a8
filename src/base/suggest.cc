// SPDX-License-Identifier: Apache-2.0
#include "base/suggest.h"

#include <algorithm>
#include <utility>

namespace ridge {
namespace {

/// Levenshtein distance with one row of memory.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

}  // namespace

std::vector<std::string> near_names(std::string_view name,
                                    const std::vector<std::string>& candidates, std::size_t most) {
  constexpr std::size_t kLongest = 64;
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& c : candidates) {
    if (c.size() > kLongest || name.size() > kLongest) continue;
    const std::size_t distance = edit_distance(name, c);
    const bool close = distance <= std::max<std::size_t>(2, c.size() / 3);
    if (close && distance < std::max(c.size(), name.size())) near.emplace_back(distance, c);
  }
  std::sort(near.begin(), near.end());
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(near.size(), most); ++i) names.push_back(near[i].second);
  return names;
}

}  // namespace ridge
