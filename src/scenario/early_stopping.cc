// SPDX-License-Identifier: Apache-2.0
#include "scenario/early_stopping.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scenario/beta.h"

namespace ridge::scenario {
namespace {

/// The first number from `low` on for which `holds` is true, given that it stays true.
template <typename Holds>
std::int64_t first(std::int64_t low, Holds holds) {
  std::int64_t step = 1, high = low;
  while (high < std::numeric_limits<std::int64_t>::max() / 4 && !holds(high))
    low = high + 1, high += step, step *= 2;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (holds(middle))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

double share(const StoppingRule& rule) { return rule.percentile - rule.tolerance; }

}  // namespace

double at_most_late(std::int64_t late, std::int64_t queries, double share) {
  if (late < 0) return 0;
  if (late >= queries) return 1;
  return beta_share(share, static_cast<double>(queries - late), static_cast<double>(late) + 1);
}

std::int64_t min_queries(std::int64_t late, const StoppingRule& rule) {
  return first(late + 1, [&](std::int64_t queries) {
    return at_most_late(late, queries, share(rule)) < 1 - rule.confidence;
  });
}

std::optional<std::int64_t> max_late(std::int64_t queries, const StoppingRule& rule) {
  const std::int64_t too_many = first(0, [&](std::int64_t late) {
    return !(at_most_late(late, queries, share(rule)) < 1 - rule.confidence);
  });
  if (too_many == 0) return std::nullopt;
  return too_many - 1;
}

std::optional<std::int64_t> estimate_rank(std::int64_t queries, const StoppingRule& rule) {
  const std::optional<std::int64_t> late = max_late(queries, rule);
  if (!late || *late < 1) return std::nullopt;
  return queries - *late;
}

LateVerdict judge_late(std::int64_t late, std::int64_t queries, const StoppingRule& rule) {
  const std::int64_t needed = min_queries(late, rule);
  if (queries >= needed) return {Verdict::kValid, 0};
  const double as_many = 1 - at_most_late(late - 1, queries, rule.percentile);
  return {as_many < 1 - rule.confidence ? Verdict::kInvalid : Verdict::kUndecided,
          needed - queries};
}

}  // namespace ridge::scenario
