// What a verification says of single layers: each rests on the two cuts between which it lies.
//
//   const std::vector<Segment> all = segments(profile);
//   if (const Segment* s = segment_of(all, layer.index)) ...   // s->from, s->to, s->difference
//
// A segment's difference is that of its end less that of its beginning: what its own layers are
// said to take too much, over the latency. Cuts that cannot be compared bound no segment; the last
// segment ends with the model, where the layers and what lies outside them meet the latency.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "profile/profile.h"

namespace ridge::profile {

struct Segment {
  std::uint32_t first = 0, last = 0;                 ///< layers [first, last)
  const VerifiedCut *from = nullptr, *to = nullptr;  ///< null: where the model begins, or ends
  double difference = 0;
};

/// In order of execution; empty where nothing was verified.
std::vector<Segment> segments(const Profile& profile);
/// nullptr where the layer was not verified.
const Segment* segment_of(const std::vector<Segment>& segments, std::uint32_t layer);
/// The one that is furthest off.
std::optional<Segment> worst_segment(const Profile& profile);

/// The median and the largest |difference| of cuts that can be compared.
struct Distances {
  double median = 0, largest = 0;
  const VerifiedCut* at = nullptr;  ///< the largest
};
std::optional<Distances> distances(const Verification& verification);

}  // namespace ridge::profile
