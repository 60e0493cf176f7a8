// SPDX-License-Identifier: Apache-2.0
// Verification results per layer: each layer lies in the segment between two cuts.
//
//   const std::vector<Segment> all = segments(profile);
//   if (const Segment* s = segment_of(all, layer.index)) ...   // s->from, s->to, s->difference
//
// The difference of a segment is that at its end less that at its beginning: the excess of its
// layers' times, relative to the latency. Incomparable cuts delimit no segment; the last segment
// ends at the end of the model, where the difference is Profiling::residual_share.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "profile/profile.h"

namespace ridge::profile {

struct Segment {
  std::uint32_t first = 0, last = 0;                 ///< layers [first, last)
  const VerifiedCut *from = nullptr, *to = nullptr;  ///< null at the beginning or end of the model
  double difference = 0;
};

/// Segments in execution order; empty if nothing was verified.
std::vector<Segment> segments(const Profile& profile);
/// Sets Layer::verified of every layer from the cuts and the residual share.
void mark_verified(Profile& profile);
/// Returns nullptr if the layer was not verified.
const Segment* segment_of(const std::vector<Segment>& segments, std::uint32_t layer);
/// Returns the segment with the largest |difference|.
std::optional<Segment> worst_segment(const Profile& profile);

/// Median and largest |difference| over the comparable cuts.
struct Distances {
  double median = 0, largest = 0;
  const VerifiedCut* at = nullptr;  ///< cut with the largest |difference|
};
std::optional<Distances> distances(const Verification& verification);

}  // namespace ridge::profile
