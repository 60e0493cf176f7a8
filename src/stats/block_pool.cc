#include "stats/block_pool.h"

#include <algorithm>
#include <limits>

namespace ridge::stats {

BlockPool::BlockPool(std::span<const std::vector<double>> blocks) {
  for (const std::vector<double>& block : blocks) {
    if (block.empty()) continue;
    members_.push_back({values_.size(), block.size()});
    values_.insert(values_.end(), block.begin(), block.end());
  }
  order_by_value();
}

double BlockPool::resampled_median(Random& random) {
  clear();
  for (std::size_t i = 0; i < members_.size(); ++i)
    draw(members_[random.below(members_.size())], random);
  return median_of_drawn();
}

double BlockPool::resampled_median(std::span<const std::size_t> drawn, Random& random) {
  clear();
  for (const std::size_t block : drawn) draw(members_[block], random);
  return median_of_drawn();
}

void BlockPool::order_by_value() {
  std::vector<std::size_t> order(values_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [this](std::size_t a, std::size_t b) { return values_[a] < values_[b]; });
  ranks_.resize(order.size());
  for (std::size_t rank = 0; rank < order.size(); ++rank) ranks_[order[rank]] = rank;
  std::sort(values_.begin(), values_.end());
  counts_.resize(values_.size());
}

void BlockPool::clear() {
  std::fill(counts_.begin(), counts_.end(), 0u);
  total_ = 0;
}

void BlockPool::draw(const Range& block, Random& random) {
  for (std::size_t k = 0; k < block.size; ++k)
    ++counts_[ranks_[block.first + random.below(block.size)]];
  total_ += block.size;
}

double BlockPool::median_of_drawn() const { return 0.5 * (at((total_ - 1) / 2) + at(total_ / 2)); }

/// The k-th smallest (0-based) value of the present resample.
double BlockPool::at(std::size_t k) const {
  std::size_t seen = 0;
  for (std::size_t rank = 0; rank < counts_.size(); ++rank) {
    seen += counts_[rank];
    if (seen > k) return values_[rank];
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace ridge::stats
