// Holds every layer of a profile against the roofs, and rolls layers up into modules.
//
// Fills of each layer: flop_per_s, bytes_per_s, intensity, bound; of the profile: modules and
// roofs. Needs corrected times, work and bytes in place. Rates use the work a layer executes and
// its corrected time; a layer without time has none.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "profile/profile.h"
#include "roofline/roofs.h"

namespace ridge::roofline {

void place(profile::Profile& profile, const Roofs& roofs);

/// Layers summed up under their module and each module above it; the root "" first, then as a tree,
/// numbers by value. A layer counts under the deepest module that holds all its members.
std::vector<profile::Module> roll_up(const std::vector<profile::Layer>& layers);

/// Layers of one kind that together are furthest from their bounds, in time.
struct Lever {
  std::string type;  ///< operator type of the layers
  std::size_t layers = 0;
  double time_ns = 0;  ///< corrected, all of them
  double share = 0;    ///< of the layers' corrected sum
  double gap_ns = 0;   ///< time above their bounds
  std::string bound;   ///< what binds most of their time: "compute", "memory:L2", "overhead"
};

/// The biggest one; nullopt where no layer has a bound and a time.
std::optional<Lever> biggest_lever(const profile::Profile& profile);
/// One sentence for people, e.g. "Biggest lever: 53 Conv layers take 47.1 ms (96 %); at their
/// compute roof they would take 29.0 ms."
std::string text(const Lever& lever);

}  // namespace ridge::roofline
