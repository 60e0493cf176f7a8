// SPDX-License-Identifier: Apache-2.0
#include "compare/drift.h"

#include <algorithm>

#include "compare/run_labels.h"

namespace ridge::compare {

using profile::ReferenceRange;

ReferenceRange Drift::Kernel::both() const {
  return {first.kernel, std::min(first.min_ns, second.min_ns),
          std::max(first.max_ns, second.max_ns)};
}

double Drift::share() const {
  double most = 0;
  for (const Kernel& kernel : kernels) most = std::max(most, kernel.both().share());
  return most;
}

bool Drift::covers(double ratio) const {
  return ratio > 0 && std::max(ratio, 1 / ratio) - 1 <= share();
}

std::optional<Drift> drift_between(const profile::Profile& first, const profile::Profile& second) {
  if (facts_of(first).machine != facts_of(second).machine) return std::nullopt;
  Drift out;
  const std::vector<ReferenceRange> others = reference_ranges(second.reference);
  for (const ReferenceRange& one : reference_ranges(first.reference))
    for (const ReferenceRange& other : others)
      if (one.kernel == other.kernel) out.kernels.push_back({one, other});
  return out.kernels.empty() ? std::nullopt : std::optional(std::move(out));
}

}  // namespace ridge::compare
