#include "import/alignment.h"

#include <algorithm>

namespace ridge::imports {
namespace {

/// Best worth of the first i elements against the first j, and of what is behind them.
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
  const std::int32_t best = until.at(first, second);
  std::vector<std::uint32_t> out(first, kUnmatched);
  for (std::size_t i = 0; i < first; ++i) {
    std::size_t ways = 0, only = 0;
    for (std::size_t j = 0; j <= second && ways < 2; ++j) {
      if (until.at(i, j) + from.at(i + 1, j) == best) ways = 2;  // left out at this place
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
