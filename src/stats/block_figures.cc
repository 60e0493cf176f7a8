// SPDX-License-Identifier: Apache-2.0
#include "stats/block_figures.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "stats/normal.h"

namespace ridge::stats {
namespace {

constexpr std::size_t kLeastBatches = 16;
/// As for the median at 95 %: fewer values say nothing about their spread.
constexpr std::size_t kLeastValues = 6;

using Processes = std::span<const std::vector<double>>;
using BlockFigure = std::function<double(std::span<const double>)>;

std::vector<double> series_of(Processes blocks) {
  std::vector<double> out;
  for (const std::vector<double>& block : blocks) out.insert(out.end(), block.begin(), block.end());
  return out;
}

std::size_t trimmed_count(std::size_t n, double cut) {
  return static_cast<std::size_t>(std::floor(static_cast<double>(n) * cut));
}

double mean_error(std::span<const double> values) {
  return deviation(values) / std::sqrt(static_cast<double>(values.size()));
}

/// Means of adjacent pairs; an odd last value is dropped.
std::vector<double> pair_means(std::span<const double> values) {
  std::vector<double> out(values.size() / 2);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = (values[2 * i] + values[2 * i + 1]) / 2;
  return out;
}

Interval joined(const Interval& a, const Interval& b) {
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}

/// Widest t x standard error of the mean of a series, over batches of 1, 2, 4, ... values.
/// `freedom`: of the single values.
double reach_of_mean(std::vector<double> series, double freedom, double tail) {
  double out = student_quantile(1 - tail, freedom) * mean_error(series);
  for (series = pair_means(series); series.size() >= kLeastBatches; series = pair_means(series))
    out = std::max(out, student_quantile(1 - tail, static_cast<double>(series.size() - 1)) *
                            mean_error(series));
  return out;
}

/// Interval of the population that the blocks' own figures are drawn from.
std::optional<Interval> between_figures(Processes blocks, const BlockFigure& figure, double tail) {
  std::vector<double> figures;
  for (const std::vector<double>& block : blocks)
    if (!block.empty()) figures.push_back(figure(block));
  if (figures.size() < 2) return std::nullopt;
  const bool logarithms = std::ranges::all_of(figures, [](double f) { return f > 0; });
  if (logarithms)
    for (double& f : figures) f = std::log(f);
  const double middle = mean(figures);
  const double reach =
      student_quantile(1 - tail, static_cast<double>(figures.size() - 1)) * mean_error(figures);
  if (!logarithms) return Interval{middle - reach, middle + reach};
  return finite_interval(std::exp(middle - reach), std::exp(middle + reach));
}

/// Adds the interval between blocks, and the value itself.
void complete(Processes blocks, const BlockFigure& figure, double tail, Estimate& out) {
  if (const auto apart = between_figures(blocks, figure, tail))
    out.interval = joined(*out.interval, *apart);
  out.interval = joined(*out.interval, {out.value, out.value});
}

double ranked(std::span<const double> ascending, double q) {
  const double rank = std::ceil(static_cast<double>(ascending.size()) * q);
  return ascending[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

}  // namespace

double trimmed_mean(std::span<const double> values, double cut) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> ascending = sorted(values);
  const std::size_t trimmed = trimmed_count(values.size(), cut);
  return mean(std::span(ascending).subspan(trimmed, values.size() - 2 * trimmed));
}

Estimate block_trimmed_mean(Processes blocks, double cut, double confidence) {
  std::vector<double> series = series_of(blocks);
  Estimate out{.value = trimmed_mean(series, cut),
               .interval = {},
               .samples = static_cast<std::int64_t>(series.size())};
  const std::size_t trimmed = trimmed_count(series.size(), cut), kept = series.size() - 2 * trimmed;
  if (series.size() < kLeastValues || kept < 2) return out;
  const std::vector<double> ascending = sorted(series);
  const double least = ascending[trimmed], most = ascending[series.size() - 1 - trimmed];
  for (double& value : series) value = std::clamp(value, least, most);
  const double share = static_cast<double>(kept) / static_cast<double>(series.size());
  const double tail = (1 - confidence) / 2;
  const double reach = reach_of_mean(series, static_cast<double>(kept - 1), tail) / share;
  out.interval = Interval{out.value - reach, out.value + reach};
  if (ascending.front() >= 0) out.interval->lo = std::max(out.interval->lo, 0.0);
  const BlockFigure figure = [cut](std::span<const double> block) {
    return trimmed_mean(block, cut);
  };
  complete(blocks, figure, tail, out);
  return out;
}

Estimate block_quantile(Processes blocks, double q, double confidence) {
  std::vector<double> series = series_of(blocks);
  Estimate out{.value = std::numeric_limits<double>::quiet_NaN(),
               .interval = {},
               .samples = static_cast<std::int64_t>(series.size())};
  if (series.empty()) return out;
  const std::vector<double> ascending = sorted(series);
  out.value = ranked(ascending, q);
  out.interval = quantile_interval(series, q, confidence);
  if (!out.interval) return out;
  const double tail = (1 - confidence) / 2;
  for (double& value : series) value = value > out.value ? 1 : value < out.value ? 0 : 1 - q;
  const double h = reach_of_mean(series, static_cast<double>(series.size() - 1), tail);
  if (q - h <= 0 || q + h >= 1) {
    out.interval.reset();
    return out;
  }
  out.interval = joined(
      *out.interval, {quantile_of_sorted(ascending, q - h), quantile_of_sorted(ascending, q + h)});
  const BlockFigure figure = [q](std::span<const double> block) {
    return ranked(sorted(block), q);
  };
  complete(blocks, figure, tail, out);
  return out;
}

}  // namespace ridge::stats
