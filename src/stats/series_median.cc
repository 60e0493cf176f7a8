#include "stats/series_median.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "stats/normal.h"
#include "stats/samples.h"

namespace ridge::stats {
namespace {

constexpr std::size_t kLeastBatches = 16;

/// 1 above the median, 0 below, a half on it.
std::vector<double> sides(std::span<const double> series, double middle) {
  std::vector<double> out(series.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = series[i] > middle ? 1 : series[i] < middle ? 0 : 0.5;
  return out;
}

/// Half the width of the interval of the mean of `shares`, as independent values.
double half_width(std::span<const double> shares, double confidence) {
  const double centre = mean(shares);
  const auto n = static_cast<double>(shares.size());
  double squares = 0;
  for (const double s : shares) squares += (s - centre) * (s - centre);
  return student_quantile((1 + confidence) / 2, n - 1) * std::sqrt(squares / (n - 1) / n);
}

/// Means of neighbours; an odd one at the end is left out.
std::vector<double> halved(std::span<const double> shares) {
  std::vector<double> out(shares.size() / 2);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = (shares[2 * i] + shares[2 * i + 1]) / 2;
  return out;
}

}  // namespace

Estimate series_median(std::span<const double> series, double confidence) {
  if (series.empty()) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    return {kNone, {kNone, kNone}};
  }
  const std::vector<double> ascending = sorted(series);
  const double middle = quantile_of_sorted(ascending, 0.5);
  const auto exact = median_interval(series, confidence);
  if (!exact) return {middle, {ascending.front(), ascending.back()}};
  double h = 0;
  for (std::vector<double> shares = sides(series, middle); shares.size() >= kLeastBatches;
       shares = halved(shares))
    h = std::max(h, half_width(shares, confidence));
  h = std::min(h, 0.5);
  return {middle,
          {std::min(exact->lo, quantile_of_sorted(ascending, 0.5 - h)),
           std::max(exact->hi, quantile_of_sorted(ascending, 0.5 + h))}};
}

}  // namespace ridge::stats
