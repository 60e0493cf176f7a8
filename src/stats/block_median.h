// The median of a series in time that was made in blocks (the processes of a measuring), with an
// interval that knows that neighbours resemble each other and that blocks differ.
//
//   const BlockMedian m(log_ratios_of_each_process);
//   m.value();  m.interval(0.95);
//
// A machine that others use is slow for a while, then fast for a while, so forty runs in a row say
// less than forty runs apart, and an interval that takes them as independent is too narrow; a
// process draws its layout of memory once, so three processes say less than their runs do. The
// interval is the widest of three:
//  - between two order statistics, exact for independent values (samples.h, median_interval);
//  - between values at ranks 0.5 -+ h (Woodruff 1952, JASA 47:635: the interval of a share, read
//    back through the distribution). h is that of the share of values above the median, from means
//    of consecutive batches (Heidelberger and Lewis 1984, Operations Research 32:185): for batches
//    of 1, 2, 4, ... values, while there are sixteen, h = t x sqrt(variance of the batches' shares
//    / batches); the greatest h counts. Dependence that outlasts a sixteenth of the series is not
//    seen here, but
//  - the mean of the blocks' own medians -+ t x its standard error, where there are two blocks.
// t is of Student's distribution with a degree less than there are batches, or blocks. No shape of
// the noise is assumed: only which values lie above a median matters, so spikes of any height count
// once.
//
// With one block it says only how well that block is known. Intervals are nested: one of more
// confidence holds those of less. Values must be finite; empty blocks are ignored. Thread rule:
// plain data. Cost: O(n log n) once, an interval O(log n).
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "stats/samples.h"

namespace ridge::stats {

/// The last of the three: what blocks that differ allow, whatever their values do. Nothing of fewer
/// than two blocks.
std::optional<Interval> between_blocks(std::span<const std::vector<double>> blocks,
                                       double confidence);

class BlockMedian {
 public:
  BlockMedian() = default;
  explicit BlockMedian(std::span<const std::vector<double>> blocks);

  std::size_t size() const { return ascending_.size(); }
  /// NaN where there is nothing.
  double value() const { return value_; }
  /// nullopt where so few values allow no interval of that confidence: at 95 % below six.
  std::optional<Interval> interval(double confidence) const;

 private:
  /// How well a mean is known: its standard error, with degrees of freedom.
  struct Error {
    double size, freedom;
  };
  std::optional<Interval> between_ranks(double tail) const;

  std::vector<double> ascending_;
  double value_ = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> tails_;  ///< P(fewer than r of n values lie below the median), r = 0 ... n/2
  std::vector<Error> shares_;  ///< of the share above the median, by size of the batches
  std::vector<double> medians_;  ///< of the blocks
};

}  // namespace ridge::stats
