// SPDX-License-Identifier: Apache-2.0
// Roofline placement: compares every layer of a profile with the roofs and aggregates layers into
// modules.
//
// Sets for each layer: flop_per_s, bytes_per_s, intensity, bound; for the profile: modules.
// Requires corrected times, work and bytes. Rates use the work that a layer executes and its
// corrected time; a layer without time has none.
//
// If the correction alone makes several layers faster than their bounds, it must be wrong, and
// layers revert to their reported times (measure/reported_times.h). Such a layer has a reported
// time not below its bound and a corrected time below bound / kBeaten; "several" are at least three
// that have more than the share kBeatenTime of the reported time. A profile that was verified
// against parts of the model keeps its corrected times.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "profile/profile.h"
#include "roofline/roofs.h"

namespace ridge::roofline {

inline constexpr double kBeaten = 1.1, kBeatenTime = 0.05;

void place(profile::Profile& profile, const Roofs& roofs);

/// Sums layers up under their module and each of its ancestors; the root "" first, then in tree
/// order, numbers by value. A layer belongs to the deepest module that contains all its members.
std::vector<profile::Module> roll_up(const std::vector<profile::Layer>& layers);

/// Time of a layer above its bound, at least 0; above the cheapest kernel for a layer that overhead
/// bounds. nullopt without a bound, and for a layer below the profiler's resolution.
std::optional<double> above_bound_ns(const profile::Profile& profile, const profile::Layer& layer);

/// Largest potential for improvement: the layers of one type with the largest total distance from
/// their bounds, or the time outside layers if that is larger.
struct Lever {
  std::string type;  ///< operator type of the layers; "": time outside layers
  std::size_t layers = 0;
  std::size_t unbounded = 0;  ///< number of these without a bound; their time is counted as it is
  double time_ns = 0;         ///< corrected, of all of them; or the time outside layers
  /// share of the layers' corrected sum; for time outside layers, of the latency
  double share = 0;
  double gap_ns = 0;  ///< time above their bounds, or above the cheapest kernel for kind "overhead"
  /// kind with the largest part of their time: "compute", "memory:L2", "overhead"
  std::string bound;
};

/// Latency that certainly lies outside layers, at least 0. At most latency - sum of layer times,
/// since with reported layer times the time outside them includes profiling overhead. 0 for a
/// recording, where it is unknown.
double outside_layers_ns(const profile::Profile& profile);

/// Returns the largest lever; nullopt if no layer has both a bound and a time and no time lies
/// outside layers.
std::optional<Lever> biggest_lever(const profile::Profile& profile);
/// Formats one sentence, e.g. "Biggest lever: 53 Conv layers take 47.10 ms (96 % of the layers'
/// time); at their bounds, mostly the compute roof, they would take 29.00 ms."
std::string text(const Lever& lever);

}  // namespace ridge::roofline
