// SPDX-License-Identifier: Apache-2.0
// Random numbers whose bits are the same on every machine: no function of the mathematics library,
// whose last bit depends on its version and on the processor, takes part.
//
//   stats::Random random(seed);
//   const double gap = exponential(random) * mean_gap;
//
// Thread rule: one generator per thread. Cost: about 40 ns per exponential, 0.4 us per gamma.
#pragma once

#include <cstdint>

#include "stats/random.h"

namespace ridge::scenario {

/// -ln((bits + 1/2) / 2^64) in units of 2^-57, by integer arithmetic: at most 2^-50 off.
std::uint64_t negative_log(std::uint64_t bits);

/// Exponential distribution of mean 1.
inline double exponential(stats::Random& random) {
  return static_cast<double>(negative_log(random.next())) * 0x1.0p-57;
}

/// exp(-x) for 0 <= x; relative error below 1e-14, 0 beyond 700.
double exact_exp_minus(double x);

/// Standard normal distribution: the rejection from the exponential with the squared excess (von
/// Neumann 1951; Devroye, Non-Uniform Random Variate Generation, 1986, section IV.2.3).
double normal(stats::Random& random);

/// Gamma distribution of scale 1: Marsaglia and Tsang 2000 (ACM TOMS 26:363); below shape 1 by
/// gamma(shape + 1) x uniform^(1 / shape) of the same paper. 0 < shape.
double gamma(stats::Random& random, double shape);

}  // namespace ridge::scenario
