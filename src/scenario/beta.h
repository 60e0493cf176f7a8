// SPDX-License-Identifier: Apache-2.0
// The regularized incomplete beta function, which is the binomial distribution with real numbers of
// trials and successes.
//
//   beta_share(share, queries - late, late + 1);   // P(at most `late` of `queries` are late)
//
// Source: continued fraction of DLMF 8.17.22. Relative error about 1e-12. Thread rule: pure. Cost:
// up to the square root of the larger parameter in steps, microseconds.
#pragma once

namespace ridge::scenario {

/// I_x(a, b): the probability that a beta variable is at most x; 0 < a, 0 < b, 0 < x < 1.
double beta_share(double x, double a, double b);

}  // namespace ridge::scenario
