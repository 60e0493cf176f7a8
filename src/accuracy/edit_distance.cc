// SPDX-License-Identifier: Apache-2.0
#include "accuracy/edit_distance.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace ridge::accuracy {
namespace {

constexpr std::size_t kRows = 64;

/// 64 rows of a column of the table of distances, as differences between neighboring rows: bit i of
/// `up` says that row i is one more than the row above it, of `down` that it is one less.
struct Block {
  std::uint64_t up = ~std::uint64_t{0}, down = 0;
};

/// Differences between a row and the same row of the column before, at the ends of a block.
struct Step {
  std::uint64_t up, down;  ///< bit i: row i is one more, one less
};

/// Moves a block to the next column. `equal`: bit i says that row i has the same symbol as the
/// column; `above`: the difference of the row above the block, -1, 0 or 1.
Step advance(Block& block, std::uint64_t equal, int above) {
  const std::uint64_t less_above = above < 0 ? 1 : 0, more_above = above > 0 ? 1 : 0;
  const std::uint64_t vertical = equal | block.down;
  const std::uint64_t with_above = equal | less_above;
  const std::uint64_t diagonal = (((with_above & block.up) + block.up) ^ block.up) | with_above;
  const Step step{block.down | ~(diagonal | block.up), block.up & diagonal};
  const std::uint64_t up = step.up << 1 | more_above, down = step.down << 1 | less_above;
  block.up = down | ~(vertical | up);
  block.down = up & vertical;
  return step;
}

int difference(const Step& step, std::size_t row) {
  return static_cast<int>(step.up >> row & 1U) - static_cast<int>(step.down >> row & 1U);
}

/// Rows with the same symbol, by block; only blocks in which it occurs.
struct Occurrences {
  std::size_t block;
  std::uint64_t rows;
};
using Index = std::unordered_map<char32_t, std::vector<Occurrences>>;

Index index_of(std::span<const char32_t> symbols) {
  Index index;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    auto& found = index[symbols[i]];
    if (found.empty() || found.back().block != i / kRows) found.push_back({i / kRows, 0});
    found.back().rows |= std::uint64_t{1} << i % kRows;
  }
  return index;
}

}  // namespace

std::uint64_t edit_distance(std::span<const char32_t> from, std::span<const char32_t> to) {
  if (from.empty() || to.empty()) return from.size() + to.size();
  const Index index = index_of(from);
  std::vector<Block> blocks((from.size() + kRows - 1) / kRows);
  const std::vector<Occurrences> nowhere;
  auto distance = static_cast<std::int64_t>(from.size());
  for (const char32_t symbol : to) {
    const auto found = index.find(symbol);
    const auto& occurrences = found == index.end() ? nowhere : found->second;
    auto next = occurrences.begin();
    int above = 1;  // a row of insertions
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      std::uint64_t equal = 0;
      if (next != occurrences.end() && next->block == b) equal = (next++)->rows;
      const Step step = advance(blocks[b], equal, above);
      const bool last = b + 1 == blocks.size();
      above = difference(step, last ? (from.size() - 1) % kRows : kRows - 1);
    }
    distance += above;
  }
  return static_cast<std::uint64_t>(distance);
}

}  // namespace ridge::accuracy
