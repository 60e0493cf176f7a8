// SPDX-License-Identifier: Apache-2.0
#include "import/alignment.h"

#include <algorithm>

namespace ridge::imports {
namespace {

/// Score table: the best score of the first i elements against the first j, or of the elements from
/// i and j onward.
class Table {
 public:
  Table(std::size_t first, std::size_t second)
      : width_(second + 1), cells_((first + 1) * (second + 1), 0) {}
  std::int32_t& at(std::size_t i, std::size_t j) { return cells_[i * width_ + j]; }

 private:
  std::size_t width_;
  std::vector<std::int32_t> cells_;
};

}  // namespace

std::vector<std::uint32_t> align(std::size_t first, std::size_t second, const Worth& worth) {
  Table until(first, second), from(first, second);
  for (std::size_t i = 1; i <= first; ++i)
    for (std::size_t j = 1; j <= second; ++j) {
      const std::int32_t here = worth(i - 1, j - 1);
      until.at(i, j) = std::max(until.at(i - 1, j), until.at(i, j - 1));
      if (here > 0) until.at(i, j) = std::max(until.at(i, j), until.at(i - 1, j - 1) + here);
    }
  for (std::size_t i = first; i-- > 0;)
    for (std::size_t j = second; j-- > 0;) {
      const std::int32_t here = worth(i, j);
      from.at(i, j) = std::max(from.at(i + 1, j), from.at(i, j + 1));
      if (here > 0) from.at(i, j) = std::max(from.at(i, j), from.at(i + 1, j + 1) + here);
    }
  // Example: a = conv relu relu, b = conv relu, every fitting pair scores 4. until(i, j) is the
  // best score of the prefixes, from(i, j) the best score of the suffixes; best = until(3, 2) = 8.
  // conv: only until(0,0) + 4 + from(1,1) = 0 + 4 + 4 reaches 8, and skipping it gives at most
  // until(0,j) + from(1,j) = 4, so conv -> 0. First relu: until(1,1) + 4 + from(2,2) = 8, but
  // skipping it also reaches 8 (until(1,1) + from(2,1) = 4 + 4), so it is ambiguous: unmatched.
  const std::int32_t best = until.at(first, second);
  std::vector<std::uint32_t> out(first, kUnmatched);
  for (std::size_t i = 0; i < first; ++i) {
    std::size_t ways = 0, only = 0;
    for (std::size_t j = 0; j <= second && ways < 2; ++j) {
      // Skipping element i is optimal too.
      if (until.at(i, j) + from.at(i + 1, j) == best) ways = 2;
      if (j == second) break;
      const std::int32_t here = worth(i, j);
      if (here == 0 || until.at(i, j) + here + from.at(i + 1, j + 1) != best) continue;
      ++ways;
      only = j;
    }
    if (ways == 1) out[i] = static_cast<std::uint32_t>(only);
  }
  return out;
}

}  // namespace ridge::imports
