// The median of a series in time, with an interval that knows that neighbours resemble each other.
//
//   const Estimate e = stats::series_median(log_ratios);
//
// A machine that others use is slow for a while, then fast for a while, so forty runs in a row say
// less than forty runs apart, and an interval that takes them as independent is too narrow. Here
// the interval is between two order statistics, at ranks 0.5 -+ h (Woodruff 1952, JASA 47:635: the
// interval of a share, read back through the distribution). h is that of the share of values above
// the median, from means of consecutive batches (Heidelberger and Lewis 1984, Operations Research
// 32:185): for batches of 1, 2, 4, ... values, while there are sixteen, h = t x sqrt(variance of
// the batches' shares / batches), with t of Student's distribution; the greatest h counts.
// Dependence that outlasts a sixteenth of the series is not seen. It assumes no shape of the noise:
// only which values lie above the median matters, so spikes of any height count once.
//
// Never narrower than the exact interval of independent values (median_interval). Below six values
// no interval of 95 % exists, and the least and the greatest stand in. NaN where the series is
// empty. Thread rule: pure. Cost: O(n log n).
#pragma once

#include <span>

#include "stats/bootstrap.h"

namespace ridge::stats {

Estimate series_median(std::span<const double> series, double confidence = 0.95);

}  // namespace ridge::stats
