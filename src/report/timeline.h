// Timelines as lanes (export/lanes.h): one lane per level, thread, device and queue, nested spans
// below each other, counters as heights.
//
// Shows of each profile one whole recorded run (the first model span that has layers), or
// everything where no run is marked, or the made timeline (export/made_timeline.h) where nothing
// was recorded; at most kMostBars bars in all, the longest. What is left out is said. Several
// profiles share one axis, each from its own start. Readable without scripts; with them it zooms,
// moves and leads from a bar to its row.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "profile/profile.h"

namespace ridge::report {

inline constexpr std::size_t kMostBars = 4000;

/// How a layer, and what it holds, is drawn.
struct BarLook {
  std::string id;         ///< of the row that it leads to; [a-z0-9-] only
  std::string_view css;   ///< a class; "" leaves the colour of the level
  std::string text = {};  ///< a line of the tooltip
};

struct TimelineTrack {
  std::string title;  ///< "" has no line of its own
  const profile::Profile* profile = nullptr;
  /// By position in Profile::layers.
  std::function<BarLook(std::size_t layer)> look;
};

/// "" where there is nothing to draw.
std::string timeline_section(const profile::Profile& profile);
/// `words`: what the colours mean, markup.
std::string timelines_section(const std::vector<TimelineTrack>& tracks, std::string_view words);

}  // namespace ridge::report
