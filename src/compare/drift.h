// SPDX-License-Identifier: Apache-2.0
// Drift of the machine between two runs measured one after the other, from the reference kernels of
// both (profile/drift.h), which always do the same work.
//
//   const auto drift = drift_between(before, after);
//   if (drift && drift->covers(cell.ratio, cell.scatter)) ...     // may be drift
//
// A reading of a kernel takes some ten milliseconds, a process of a model seconds, and a model
// feels of what moves a kernel only a part: one that computes in its caches nothing of a neighbor
// that fills the memory. How much it feels is seen within the runs. If the processes of a time
// scatter by m there and the readings of a kernel by k (standard deviations of logarithms), then
// the machine moved the time by m / k of what it moved the kernel, at most by all of it; the same
// part of the kernel's range over both runs is what drift may explain between them. Few processes
// tell m poorly, so it is multiplied by the ratio of Student's and the normal quantile of 97.5 %:
//
//   readings 2.8 to 3.3 ms (ratio 1.18), scatter 6 %; 5 + 5 processes scatter 1 %: 8 degrees of
//   freedom, 2.306 / 1.960 = 1.18 -> 1.18^(1.18 / 6) = 1.033: up to 3.3 % may be drift
//
// How often that is right: docs/measuring.md (bench/repeated_profiles.py, bundle_replays.py).
// Thread rule: pure functions.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "profile/drift.h"

namespace ridge::compare {

/// Standard deviation of logarithms within groups, and its degrees of freedom, at least 1.
struct Scatter {
  double deviation = 0, freedom = 1;
};

struct Drift {
  struct Kernel {
    profile::ReferenceRange first, second;
    /// Scatter of its readings within a run; nullopt: too few.
    std::optional<Scatter> scatter;
    /// Range from the shortest to the longest time in either run.
    profile::ReferenceRange both() const;
  };
  std::vector<Kernel> kernels;
  std::optional<Scatter> latency_scatter;  ///< scatter of the processes' median latencies in a run

  /// Largest difference, as a share, that drift may explain of a time with such a scatter within a
  /// run; nullopt: not known, the time is taken to feel all.
  double share(const std::optional<Scatter>& scatter) const;
  /// True if `ratio` of two times is no further from 1 than share().
  bool covers(double ratio, const std::optional<Scatter>& scatter) const;
};

/// Scatter pooled over two groups (the processes of two runs, their readings); nullopt where
/// neither has two values, or a value is not above 0.
std::optional<Scatter> scatter_within(std::span<const double> first,
                                      std::span<const double> second);

/// Returns nullopt if the runs have no common reference kernel or ran on different machines.
std::optional<Drift> drift_between(const profile::Profile& first, const profile::Profile& second);

}  // namespace ridge::compare
