// SPDX-License-Identifier: Apache-2.0
#include "scenario/beta.h"

#include <cmath>

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

}  // namespace

double beta_share(double x, double a, double b) {
  const double front = std::exp(a * std::log(x) + b * std::log1p(-x) + log_gamma(a + b) -
                                log_gamma(a) - log_gamma(b));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(x, a, b) / a;
  return 1 - front * beta_fraction(1 - x, b, a) / b;
}

}  // namespace ridge::scenario
