// SPDX-License-Identifier: Apache-2.0
// Which of several things a query goes to, at random by weights: models, or pools of samples.
//
//   Mixture models = TRY(Mixture::make({3, 1}, seed));
//   models.next();   // 0 for three quarters of the queries, 1 for one quarter
//
// The same weights and seed give the same sequence on every machine. Weights are finite, not
// negative, at least one above 0; at most 1024 of them: else RIDGE-SCEN-0003, input class.
// Thread rule: one thread. Cost: O(log n) per query.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "stats/random.h"

namespace ridge::scenario {

class Mixture {
 public:
  static Result<Mixture> make(std::span<const double> weights, std::uint64_t seed);

  std::uint32_t next();

 private:
  Mixture(std::vector<double> ends, std::uint32_t last, std::uint64_t seed)
      : random_(seed), ends_(std::move(ends)), last_(last) {}

  stats::Random random_;
  std::vector<double> ends_;  ///< sums of the shares up to each, the last about 1
  std::uint32_t last_;        ///< the last of weight above 0
};

}  // namespace ridge::scenario
