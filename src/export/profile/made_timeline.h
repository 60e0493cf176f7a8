// SPDX-License-Identifier: Apache-2.0
// Synthetic timeline for a profile without recorded spans: the medians of its layers end to end in
// order of execution, with their kernels inside. Attribute "time" of every span states this.
//
// The corrected time of a layer is divided among its kernels in proportion to their reported times.
// Ownership: owns its texts. Cost: linear in layers and kernels.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "profile/profile.h"

namespace ridge::exports {

inline constexpr std::string_view kMadeTime = "median, profiler's part taken out";

profile::Timeline made_timeline(const profile::Profile& profile);

/// The recorded timeline, or the synthetic one where nothing was recorded.
class AnyTimeline {
 public:
  explicit AnyTimeline(const profile::Profile& profile) : recorded_(profile.timeline) {
    if (recorded_.empty()) made_ = made_timeline(profile);
  }
  const profile::Timeline& operator*() const { return recorded_.empty() ? made_ : recorded_; }
  const profile::Timeline* operator->() const { return &**this; }

 private:
  const profile::Timeline& recorded_;
  profile::Timeline made_;
};

/// Nearest integer; 0 for NaN and negative values, clamped to 9e18.
std::int64_t whole_ns(double ns);

/// Layers in order of execution.
std::vector<const profile::Layer*> in_order(const profile::Profile& profile);

}  // namespace ridge::exports
