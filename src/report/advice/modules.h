// SPDX-License-Identifier: Apache-2.0
// Time of a run by module, with the bound of the same layers.
//
//   for (const ModuleTime& m : module_times(run)) m.above_ns  // most first
//
// A layer belongs to the deepest module that contains all of its nodes, and to those around it.
// Only the first levels are summed up. Thread rule: pure. Cost: O(layers * kDeepestModule).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/profile.h"

namespace ridge::report {

inline constexpr std::uint32_t kDeepestModule = 6;

struct ModuleTime {
  std::string path;         ///< "features/3"; "" for layers in no module
  std::uint32_t depth = 0;  ///< 0 for "features"
  std::uint32_t layers = 0;
  double time_ns = 0;
  double bound_ns = 0;      ///< sum over the layers that have one; inserted layers count as 0
  double above_ns = 0;      ///< sum of above_bound_ns() (report/advice/view.h)
  double unbounded_ns = 0;  ///< time of layers whose bound is unknown
};

/// Modules with their descendants, each after its parent; siblings by time above the bound, most
/// first. At most `most`: those with most time above the bound.
struct ModuleTimes {
  ModuleTime all;  ///< every layer
  std::vector<ModuleTime> rows;
  std::size_t left_out = 0;
};
ModuleTimes module_times(const profile::Profile& run, std::size_t most);

}  // namespace ridge::report
