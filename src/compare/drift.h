// SPDX-License-Identifier: Apache-2.0
// Drift of the machine between two runs measured one after the other, from the reference kernels of
// both (profile/drift.h), which always do the same work.
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
    /// Range from the shortest to the longest time in either run.
    profile::ReferenceRange both() const;
  };
  std::vector<Kernel> kernels;

  /// Returns the share of the kernel with the largest variation.
  double share() const;
  /// True if `ratio` of two times is no further from 1 than share(): drift may explain it.
  bool covers(double ratio) const;
};

/// Returns nullopt if the runs have no common reference kernel or ran on different machines.
std::optional<Drift> drift_between(const profile::Profile& first, const profile::Profile& second);

}  // namespace ridge::compare
