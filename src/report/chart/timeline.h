// SPDX-License-Identifier: Apache-2.0
// Timelines drawn as lanes (export/profile/lanes.h): one lane per level, thread, device and queue,
// nested spans below each other, counter values as heights.
//
// Each profile shows one recorded run (the first model span that has layers), or everything where
// no such run is recorded, or the timeline built from medians (export/profile/made_timeline.h)
// where nothing was recorded. At most kMaxBars bars are drawn in all, the longest ones; the number
// of omitted spans is stated. Several profiles share one axis, each from its own start. Readable
// without scripts; with scripts it zooms, pans, and a bar links to its row.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "profile/profile.h"

namespace ridge::report {

inline constexpr std::size_t kMaxBars = 4000;

/// Appearance of a layer's bar and of the bars nested in it.
struct BarLook {
  std::string id;         ///< id of the row that it links to; [a-z0-9-] only
  std::string_view css;   ///< CSS class; "" keeps the color of the level
  std::string text = {};  ///< additional line of the tooltip
};

struct TimelineTrack {
  std::string title;  ///< "": no title line
  const profile::Profile* profile = nullptr;
  /// Appearance of a layer, by its position in Profile::layers.
  std::function<BarLook(std::size_t layer)> look;
};

/// Section with the timeline of one profile; "" where there is nothing to draw.
std::string timeline_section(const profile::Profile& profile);
/// Section with several timelines. `words`: markup that explains the colors.
std::string timelines_section(const std::vector<TimelineTrack>& tracks, std::string_view words);

}  // namespace ridge::report
