// A timeline for a profile that recorded none: medians of its layers laid end to end in order of
// execution, with their kernels inside. Every span says so in its attribute "time".
//
// Kernels share their layer's corrected time as they share its reported time. Ownership: owns its
// texts. Cost: linear in layers and kernels.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "profile/profile.h"

namespace ridge::exports {

inline constexpr std::string_view kMadeTime = "median, profiler's part taken out";

profile::Timeline made_timeline(const profile::Profile& profile);

/// The recorded timeline, or the made one where nothing was recorded.
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

/// The nearest whole number; 0 where there is none, negative ones and what passes 64 bits cut.
std::int64_t whole_ns(double ns);

/// Layers in order of execution.
std::vector<const profile::Layer*> in_order(const profile::Profile& profile);

}  // namespace ridge::exports
