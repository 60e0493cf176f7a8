// SPDX-License-Identifier: Apache-2.0
#include "scenario/exact_random.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>

// A multiplication and an addition that become one instruction round once instead of twice.
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off")
#endif

namespace ridge::scenario {
namespace {

__extension__ using Wide = __int128;

// Fixed point numbers of 62 fractional bits.
constexpr std::int64_t kOne = std::int64_t{1} << 62;

constexpr std::int64_t product(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>((static_cast<Wide>(a) * b) >> 62);
}
constexpr std::int64_t ratio(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>((static_cast<Wide>(a) << 62) / b);
}

/// ln(1 + i / n) = 2 artanh(i / (2n + i)), by its power series.
constexpr std::int64_t log_of_step(std::int64_t i, std::int64_t n) {
  const std::int64_t z = ratio(i, 2 * n + i), square = product(z, z);
  std::int64_t power = z, sum = 0;
  for (std::int64_t k = 1; k < 61; k += 2, power = product(power, square)) sum += power / k;
  return 2 * sum;
}

struct Step {
  std::int64_t inverse;  ///< reciprocal of 1 + i / 128
  std::int64_t log;
};

constexpr std::int64_t kSteps = 128;
constexpr std::int64_t kLogTwo = log_of_step(1, 1);

constexpr auto kTable = [] {
  std::array<Step, kSteps> table{};
  for (std::int64_t i = 0; i < kSteps; ++i)
    table[static_cast<std::size_t>(i)] = {ratio(kSteps, kSteps + i), log_of_step(i, kSteps)};
  return table;
}();

/// ln(1 + r) for 0 <= r < 1/128, by its power series: the first omitted term is below 2^-59.
constexpr std::int64_t log_near_one(std::int64_t r) {
  std::int64_t sum = 0;
  for (std::int64_t k = 8; k >= 1; --k)
    sum = product(r, (k % 2 == 1 ? kOne / k : -(kOne / k)) + sum);
  return sum;
}

/// ln(x) for a positive normal x.
double exact_log(double x) {
  int exponent = 0;
  const auto bits = static_cast<std::uint64_t>(std::ldexp(std::frexp(x, &exponent), 53)) << 11;
  return exponent * 0x1.62e42fefa39efp-1 - static_cast<double>(negative_log(bits)) * 0x1.0p-57;
}

}  // namespace

// bits + 1/2 = 2^(63 - zeros) x m with 1 <= m < 2, and m = (1 + i / 128) x (1 + r), so that the
// result is (1 + zeros) ln 2 - ln(1 + i / 128) - ln(1 + r).
std::uint64_t negative_log(std::uint64_t bits) {
  // A half is below the last bit unless bits is small; then it is kept by shifting first.
  const int zeros = bits == 0 ? 64 : std::countl_zero(bits);
  const std::uint64_t half = zeros == 0 ? 0 : (zeros == 64 ? 1u : std::uint64_t{1} << (zeros - 1));
  const std::uint64_t mantissa =
      zeros == 64 ? std::uint64_t{1} << 63 : (bits << static_cast<unsigned>(zeros)) | half;
  const auto fraction = static_cast<std::int64_t>(mantissa >> 1);  // m in [1, 2)
  const Step& step = kTable[static_cast<std::size_t>((fraction - kOne) >> 55)];
  const std::int64_t log = step.log + log_near_one(product(fraction, step.inverse) - kOne);
  const auto whole = static_cast<std::uint64_t>((static_cast<Wide>(zeros + 1) * kLogTwo) >> 5);
  return whole - static_cast<std::uint64_t>(log >> 5);
}

double exact_exp_minus(double x) {
  constexpr double kLog2 = 0x1.62e42fefa39efp-1, kLog2Rest = 0x1.abc9e3b39803fp-56;
  if (x > 700) return 0;
  const double n = std::floor(x / kLog2 + 0.5);
  const double r = (n * kLog2 - x) + n * kLog2Rest;  // exp(r), |r| < 0.35
  double sum = 1;
  for (int k = 17; k >= 1; --k) sum = 1 + sum * r / k;
  return std::ldexp(sum, -static_cast<int>(n));
}

double normal(stats::Random& random) {
  for (;;) {
    const double x = exponential(random);
    if (2 * exponential(random) < (x - 1) * (x - 1)) continue;
    return (random.next() >> 63) != 0 ? -x : x;
  }
}

double gamma(stats::Random& random, double shape) {
  if (shape < 1) {
    const double above = gamma(random, shape + 1);
    return above * exact_exp_minus(exponential(random) / shape);
  }
  const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = normal(random);
    const double root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    // ln(u) < x^2 / 2 + d - d v + d ln v, where ln v = 3 ln(root) comes from the same logarithm.
    const double limit = d * v - d - x * x / 2;
    if (exponential(random) > limit - 3 * d * exact_log(root)) return d * v;
  }
}

}  // namespace ridge::scenario
