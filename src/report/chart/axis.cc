// SPDX-License-Identifier: Apache-2.0
#include "report/chart/axis.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/chart/free_labels.h"

namespace ridge::report {
namespace {

/// Decades up to which 2 and 5 times a power of ten are ticks too, up to which all multiples are,
/// and up to which multiples of a smaller step are.
constexpr double kFewDecades = 2.2, kOneDecade = 1.1, kPartOfDecade = 0.6;
constexpr double kRounding = 1e-9;
constexpr double kBetweenLabels = 14;  ///< pixels

/// About `parts` multiples of 1, 2 or 5 times a power of ten: (0, 9, 5) gives 0, 2, 4, 6, 8.
std::vector<double> round_ticks(double low, double high, double parts) {
  if (!(high > low)) return {low};
  const double rough = (high - low) / parts, decade = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * decade;
  for (const double times : {5.0, 2.0, 1.0})
    if (times * decade >= rough * (1 - kRounding)) step = times * decade;
  std::vector<double> out;
  for (double i = std::ceil(low / step - kRounding); i * step <= high + kRounding * step; ++i)
    // An axis of many decades begins above the 0 that rounding reaches.
    if (const double v = i * step; v >= low - kRounding * std::abs(low)) out.push_back(v + 0.0);
  return out;
}

}  // namespace

double ChartAxis::at(double value) const {
  if (!(high > low) || (logarithmic() && !(value > 0))) return from;
  const double share =
      logarithmic() ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
  return from + std::clamp(share, 0.0, 1.0) * (to - from);
}

std::vector<double> ChartAxis::ticks(double parts) const {
  const double decades = logarithmic() ? std::log10(high / low) : 0;
  if (decades < kPartOfDecade) return round_ticks(low, high, parts);
  const double step = std::max(1.0, std::ceil(decades / 8 - kRounding));
  std::vector<double> out;
  for (double e = std::floor(std::log10(low) + kRounding); e <= std::log10(high) + kRounding;
       e += step)
    for (const double times : {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0})
      if (const double v = times * std::pow(10, e);
          (times == 1 || decades < kOneDecade ||
           (decades < kFewDecades && (times == 2 || times == 5))) &&
          v >= low * (1 - kRounding) && v <= high * (1 + kRounding))
        out.push_back(v);
  return out.size() < 3 ? round_ticks(low, high, parts) : out;
}

std::vector<TickLabel> ChartAxis::labels(const std::vector<double>& values,
                                         const TickText& text) const {
  FreeLabels taken;
  std::vector<TickLabel> out;
  for (const double v : values) {
    std::string words = v == 0 ? "0" : text(v);
    const double width = text_width(words) + kBetweenLabels;
    const TextBox box{.x = at(v) - width / 2, .width = width};
    if (!taken.is_free(box)) continue;
    taken.take(box);
    out.push_back({v, std::move(words)});
  }
  return out;
}

ChartAxis axis_from_zero(double most) { return {.low = 0, .high = most > 0 ? 1.06 * most : 1}; }

ChartAxis log_axis(double least, double most) {
  const double low = std::max(least, 1e-9);
  return {
      .low = low / 1.15, .high = std::max(most, low) * 1.15, .spacing = AxisSpacing::kLogarithmic};
}

ChartAxis decade_axis(double least, double most) {
  const double low = std::floor(std::log10(least));
  const double high = std::max(std::ceil(std::log10(most)), low + 1);
  return {
      .low = std::pow(10, low), .high = std::pow(10, high), .spacing = AxisSpacing::kLogarithmic};
}

ValueRange::ValueRange()
    : low(std::numeric_limits<double>::infinity()),
      high(-std::numeric_limits<double>::infinity()) {}

void ValueRange::take(double value) {
  low = std::min(low, value);
  high = std::max(high, value);
}

}  // namespace ridge::report
