// The recorded spans of a profile as lanes: one lane per level, thread, device and queue, nested
// spans below each other.
//
// Shows one whole recorded run (the first model span that has layers), or everything where no run
// is marked; at most kMostBars bars, the longest. What is left out is said. Readable without
// scripts; with them it zooms (wheel), moves (drag) and leads from a layer's bar to its row.
#pragma once

#include <cstddef>
#include <string>

#include "profile/profile.h"

namespace ridge::report {

inline constexpr std::size_t kMostBars = 4000;

/// "" where no spans were kept.
std::string timeline_section(const profile::Profile& profile);

}  // namespace ridge::report
