// SPDX-License-Identifier: Apache-2.0
#include "scenario/mixture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ridge::scenario {

Result<Mixture> Mixture::make(std::span<const double> weights, std::uint64_t seed) {
  constexpr std::size_t kMax = 1024;
  if (weights.empty() || weights.size() > kMax)
    return input_error("RIDGE-SCEN-0003", fmt::format("{} weights of a mixture", weights.size()))
        .hint(fmt::format("give 1 to {}", kMax));
  double sum = 0;
  std::uint32_t last = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] >= 0 && weights[i] <= 1e12))
      return input_error("RIDGE-SCEN-0003",
                         fmt::format("weight {} of the mixture is {}", i + 1, weights[i]))
          .hint("choose 0 to 1e12");
    if (weights[i] > 0) last = static_cast<std::uint32_t>(i);
    sum += weights[i];
  }
  if (!(sum > 0)) return input_error("RIDGE-SCEN-0003", "all weights of the mixture are 0");
  std::vector<double> ends;
  double end = 0;
  for (const double weight : weights) ends.push_back((end += weight) / sum);
  return Mixture(std::move(ends), last, seed);
}

std::uint32_t Mixture::next() {
  const auto found = std::upper_bound(ends_.begin(), ends_.end(), random_.uniform());
  return std::min(static_cast<std::uint32_t>(found - ends_.begin()), last_);
}

}  // namespace ridge::scenario
