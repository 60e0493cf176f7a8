// The 95 % interval of an estimate as documents have it that write an unknown one as null.
//
//   computed<&profile::ci95<T, &T::gain_ns>>("ci95_ns", "95 % interval of the gain")
//
// Thread rule: pure.
#pragma once

#include <cmath>
#include <optional>

#include "profile/profile.h"
#include "stats/describe.h"

namespace ridge::profile {

inline std::optional<stats::Interval> interval_of(const Estimate& e) {
  if (std::isnan(e.low) || std::isnan(e.high)) return std::nullopt;
  return stats::Interval{e.low, e.high};
}

template <typename T, Estimate T::*kMember>
std::optional<stats::Interval> ci95(const T& owner) {
  return interval_of(owner.*kMember);
}

}  // namespace ridge::profile
