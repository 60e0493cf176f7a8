#include "scenario/early_stopping.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ridge::scenario {
namespace {

/// lgamma of the C library writes a global variable, `signgam`.
double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

/// Continued fraction of the incomplete beta function by Lentz's method as modified by Thompson and
/// Barnett 1986 (J. Comput. Phys. 64:490); converges fast for x < (a + 1) / (a + b + 2).
double beta_fraction(double x, double a, double b) {
  constexpr double kTiny = 1e-300, kPrecision = 1e-15;
  double c = 1;
  double d = 1 - (a + b) * x / (a + 1);
  d = 1 / (std::abs(d) < kTiny ? kTiny : d);
  double h = d;
  for (int m = 1; m < 200'000; ++m) {
    const auto step = [&](double numerator) {
      d = 1 + numerator * d;
      d = 1 / (std::abs(d) < kTiny ? kTiny : d);
      c = 1 + numerator / c;
      c = std::abs(c) < kTiny ? kTiny : c;
      h *= d * c;
      return d * c;
    };
    step(m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)));
    const double change = step(-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)));
    if (std::abs(change - 1) < kPrecision) break;
  }
  return h;
}

/// The regularized incomplete beta function I_x(a, b), a and b above 0, 0 < x < 1.
double beta_share(double x, double a, double b) {
  const double front = std::exp(a * std::log(x) + b * std::log1p(-x) + log_gamma(a + b) -
                                log_gamma(a) - log_gamma(b));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(x, a, b) / a;
  return 1 - front * beta_fraction(1 - x, b, a) / b;
}

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

std::optional<std::int64_t> most_late(std::int64_t queries, const StoppingRule& rule) {
  const std::int64_t too_many = first(0, [&](std::int64_t late) {
    return !(at_most_late(late, queries, share(rule)) < 1 - rule.confidence);
  });
  if (too_many == 0) return std::nullopt;
  return too_many - 1;
}

std::optional<std::int64_t> estimate_rank(std::int64_t queries, const StoppingRule& rule) {
  const std::optional<std::int64_t> late = most_late(queries, rule);
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
