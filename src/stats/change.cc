// SPDX-License-Identifier: Apache-2.0
#include "stats/change.h"

#include <algorithm>
#include <cmath>

namespace ridge::stats {
namespace {

using Blocks = std::vector<std::vector<double>>;
using BlockSpan = std::span<const std::vector<double>>;

constexpr double kMinDoubt = 1e-9;
constexpr double kOpen = 4;  // a factor of two in each direction

template <typename Of>
Blocks of_pairs(BlockSpan first, BlockSpan second, Of of) {
  Blocks out;
  for (std::size_t b = 0; b < std::min(first.size(), second.size()); ++b) {
    if (first[b].size() != second[b].size()) continue;
    std::vector<double>& block = out.emplace_back(first[b].size());
    for (std::size_t i = 0; i < block.size(); ++i) block[i] = of(first[b][i], second[b][i]);
  }
  return out;
}

Blocks logarithms(BlockSpan blocks) {
  Blocks out(blocks.begin(), blocks.end());
  for (std::vector<double>& block : out)
    for (double& v : block) v = std::log(v);
  return out;
}

bool all_above_0(BlockSpan blocks) {
  return std::all_of(blocks.begin(), blocks.end(), [](const std::vector<double>& block) {
    return std::all_of(block.begin(), block.end(), [](double v) { return v > 0; });
  });
}

}  // namespace

std::optional<Interval> Contrast::interval(double confidence) const {
  const std::optional<Interval> second = second_.interval(confidence);
  if (!second || !first_) return second;
  const std::optional<Interval> first = first_->interval(confidence);
  if (!first) return std::nullopt;
  const double m1 = first_->value(), m2 = second_.value();
  return Interval{m2 - m1 - std::hypot(first->hi - m1, m2 - second->lo),
                  m2 - m1 + std::hypot(m1 - first->lo, second->hi - m2)};
}

std::optional<Interval> time_interval(BlockSpan times, double confidence) {
  const bool positive = all_above_0(times);
  std::optional<Interval> out =
      BlockMedian(positive ? logarithms(times) : Blocks(times.begin(), times.end()))
          .interval(confidence);
  if (out)
    out = positive ? Interval{std::exp(out->lo), std::exp(out->hi)}
                   : Interval{std::max(0.0, out->lo), out->hi};
  return out;
}

std::size_t Contrast::size() const {
  return first_ ? std::min(first_->size(), second_.size()) : second_.size();
}

Change::Change(BlockSpan first, BlockSpan second, Runs runs) {
  const bool has_ratio = all_above_0(first) && all_above_0(second);
  if (runs == Runs::kApart) {
    plain_ = Contrast(BlockMedian(first), BlockMedian(second));
    if (has_ratio)
      logarithms_ = Contrast(BlockMedian(logarithms(first)), BlockMedian(logarithms(second)));
    return;
  }
  plain_ = Contrast(BlockMedian(of_pairs(first, second, [](double a, double b) { return b - a; })));
  if (has_ratio)
    logarithms_ = Contrast(
        BlockMedian(of_pairs(first, second, [](double a, double b) { return std::log(b / a); })));
}

double Change::ratio() const { return std::exp(logarithms_.value()); }

std::optional<Interval> Change::ratio_interval(double confidence) const {
  const std::optional<Interval> ci = logarithms_.interval(confidence);
  return ci ? std::optional(Interval{std::exp(ci->lo), std::exp(ci->hi)}) : std::nullopt;
}

Finding finding(const std::optional<Interval>& interval, const Interval& indifferent) {
  if (!interval) return Finding::kNone;
  if (interval->lo > indifferent.hi) return Finding::kAbove;
  return interval->hi < indifferent.lo ? Finding::kBelow : Finding::kNone;
}

bool tells_nothing(const Interval& ratio) { return !(ratio.hi <= kOpen * ratio.lo); }

double doubt(const IntervalAt& interval, const Interval& indifferent) {
  const auto found = [&](double wrong) {
    return finding(interval(1 - wrong), indifferent) != Finding::kNone;
  };
  double no = kMinDoubt, yes = 1;
  if (found(no)) return no;
  if (!found(0.999)) return 1;
  while (yes / no > 1.001) {
    const double between = std::sqrt(no * yes);
    (found(between) ? yes : no) = between;
  }
  return yes;
}

// Example: doubts 0.001, 0.02, 0.04, 0.5 and rate 0.05. The limits rate x rank / m are 0.0125,
// 0.025, 0.0375, 0.05; the largest rank whose doubt is within its limit is 2. Confidence: 1 - 0.05
// x 2 / 4 = 0.975.
double common_confidence(std::span<const double> doubts, double rate) {
  std::vector<double> ascending(doubts.begin(), doubts.end());
  std::sort(ascending.begin(), ascending.end());
  const auto m = static_cast<double>(ascending.size());
  double found = 1;  // if there is no finding: as for the first
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    const double rank = static_cast<double>(i + 1);
    if (ascending[i] <= rate * rank / m) found = rank;
  }
  return ascending.empty() ? 1 - rate : 1 - rate * found / m;
}

}  // namespace ridge::stats
