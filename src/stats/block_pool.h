// Samples in blocks (the processes of a measuring), pooled so that medians of resamples are cheap.
//
//   BlockPool pool(samples_of_each_process);
//   for (double& r : replicates) r = pool.resampled_median(random);
//
// Samples of one block resemble each other, so blocks are drawn with replacement first, then
// samples inside each (Davison and Hinkley, Bootstrap Methods, 1997, section 3.8). Empty blocks are
// ignored. Samples must be finite. Ownership: copies the samples. Thread rule: one user at a time.
// Cost: O(n log n) once, a resample is one pass over n.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "stats/random.h"

namespace ridge::stats {

class BlockPool {
 public:
  explicit BlockPool(std::span<const std::vector<double>> blocks);

  bool empty() const { return values_.empty(); }
  std::size_t blocks() const { return members_.size(); }
  const std::vector<double>& ascending() const { return values_; }

  /// Blocks are drawn too. Not for an empty pool.
  double resampled_median(Random& random);
  /// Of these blocks, positions among those that are not empty.
  double resampled_median(std::span<const std::size_t> drawn, Random& random);

 private:
  struct Range {
    std::size_t first, size;
  };

  void order_by_value();
  void clear();
  void draw(const Range& block, Random& random);
  double median_of_drawn() const;
  double at(std::size_t k) const;

  std::vector<Range> members_;
  std::vector<double> values_;         // ascending
  std::vector<std::size_t> ranks_;     // of the samples in block order
  std::vector<std::uint32_t> counts_;  // by rank: how often the present resample has it
  std::size_t total_ = 0;              // of the present resample
};

}  // namespace ridge::stats
