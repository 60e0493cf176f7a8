// Holds every layer of a profile against the roofs, and rolls layers up into modules.
//
// Fills of each layer: flop_per_s, bytes_per_s, intensity, bound; of the profile: modules and
// roofs. Needs corrected times, work and bytes in place. Rates use the work a layer executes and
// its corrected time; a layer without time has none.
//
// Where the correction alone carries several layers past their bounds it cannot be right: layers
// get the times that were reported (measure/reported_times.h). Such a layer reports a time that its
// bound allows and was left with less than 1 / kBeaten of the bound; three with more than
// kBeatenTime of the reported time are several. A profile that was verified against parts of the
// model is left as it is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "profile/profile.h"
#include "roofline/roofs.h"

namespace ridge::roofline {

inline constexpr double kBeaten = 1.1, kBeatenTime = 0.05;

void place(profile::Profile& profile, const Roofs& roofs);

/// Layers summed up under their module and each module above it; the root "" first, then as a tree,
/// numbers by value. A layer counts under the deepest module that holds all its members.
std::vector<profile::Module> roll_up(const std::vector<profile::Layer>& layers);

/// What would gain most: the layers of one type that together are furthest from their bounds, or
/// the time outside layers where that is more.
struct Lever {
  std::string type;  ///< operator type of the layers; "": what lies outside layers
  std::size_t layers = 0;
  std::size_t unbounded = 0;  ///< of these without a bound: they would take what they take
  double time_ns = 0;         ///< corrected, all of them; outside layers
  double share = 0;           ///< of the layers' corrected sum; outside layers of the latency
  double gap_ns = 0;  ///< time above their bounds, or above the cheapest kernel where that binds
  std::string bound;  ///< what binds most of their time: "compute", "memory:L2", "overhead"
};

/// The latency that surely lies outside layers, 0 or more: where layer times are as reported, what
/// lies outside them has the profiler's cost in it. 0 of a recording, of which nothing is known.
double outside_layers_ns(const profile::Profile& profile);

/// The biggest one; nullopt where no layer has a bound and a time, and none lies outside layers.
std::optional<Lever> biggest_lever(const profile::Profile& profile);
/// One sentence for people, e.g. "Biggest lever: 53 Conv layers take 47.1 ms (96 %); at their
/// compute roof they would take 29.0 ms."
std::string text(const Lever& lever);

}  // namespace ridge::roofline
