// SPDX-License-Identifier: Apache-2.0
// Other sizes of a model's free dimensions, at which an edited copy must agree with it as well.
//
//   const std::vector<std::string> free = free_sizes(resolved);       // {"batch", "sequence"}
//   for (const SizeTrial& trial : trials(resolved, free)) trial.sizes, trial.changed
//
// Models accept some sizes only (an image whose sides 32 divides, two names with equal values), so
// there are several trials: all sizes change together, then each alone. Thread rule: pure.
#pragma once

#include <string>
#include <vector>

#include "analysis/resolved.h"

namespace ridge::advice {

/// Names of free sizes that do not follow from others.
std::vector<std::string> free_sizes(const analysis::Resolved& resolved);

struct SizeTrial {
  analysis::BoundSizes sizes;
  std::vector<std::string> changed;  ///< names of the sizes that are not the bound ones
};

/// In the order in which they are worth trying.
std::vector<SizeTrial> trials(const analysis::Resolved& resolved,
                              const std::vector<std::string>& free);

/// "batch=2, sequence=64"; "as declared" for none.
std::string sizes_text(const analysis::BoundSizes& sizes);

}  // namespace ridge::advice
