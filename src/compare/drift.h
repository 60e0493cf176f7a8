// Whether two runs that were measured one after the other differ by more than the machine did: the
// reference kernels of both (profile/drift.h), which do the same work every time.
//
//   if (const auto d = drift_between(before, after); d && d->covers(ratio)) ...   // may be drift
//
// Thread rule: pure functions.
#pragma once

#include <optional>
#include <vector>

#include "profile/drift.h"

namespace ridge::compare {

struct Drift {
  struct Kernel {
    profile::ReferenceRange first, second;
    /// From the shortest to the longest time in either run.
    profile::ReferenceRange both() const;
  };
  std::vector<Kernel> kernels;

  /// Of the kernel that varied most.
  double share() const;
  /// A ratio of two times that is no further from 1 than times of a reference kernel are from each
  /// other.
  bool covers(double ratio) const;
};

/// nullopt: one of both has no reference kernels, or they ran on different machines.
std::optional<Drift> drift_between(const profile::Profile& first, const profile::Profile& second);

}  // namespace ridge::compare
