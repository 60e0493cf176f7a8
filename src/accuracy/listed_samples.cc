// SPDX-License-Identifier: Apache-2.0
#include "accuracy/listed_samples.h"

#include <algorithm>

namespace ridge::accuracy {

ListedSamples listed_samples(const std::vector<const std::vector<std::int64_t>*>& predicted,
                             const std::vector<std::int64_t>& labels) {
  ListedSamples out;
  if (predicted.empty()) return out;
  out.samples = predicted.front()->size();
  for (const auto* classes : predicted) out.samples = std::min(out.samples, classes->size());
  const auto list = [](std::size_t sample, std::size_t& count, std::vector<std::size_t>& shown) {
    if (++count <= kMaxListed) shown.push_back(sample);
  };
  for (std::size_t s = 0; s < out.samples; ++s) {
    const std::int64_t first = (*predicted.front())[s];
    const bool same = std::ranges::all_of(predicted, [&](const std::vector<std::int64_t>* classes) {
      return (*classes)[s] == first;
    });
    if (!same)
      list(s, out.differ, out.differing);
    else if (s < labels.size() && first != labels[s])
      list(s, out.wrong, out.mistaken);
  }
  return out;
}

}  // namespace ridge::accuracy
