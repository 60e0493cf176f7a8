// SPDX-License-Identifier: Apache-2.0
// Parses the profile file of one of our own runs (profile/ort_trace.h), for when the observer
// cannot be used and for data that only the file has.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "profile/ort_trace.h"

namespace ridge::ort {

using profile::kernel_name;

struct TraceEvent : profile::OrtEvent {
  /// Number of enclosing session events and control flow on the same thread.
  std::uint32_t depth = 0;
};

/// Returns the events ordered by their end, inner before outer. Environment error if the text is
/// not such an array or is incomplete.
Result<std::vector<TraceEvent>> parse_trace(std::string_view text);

}  // namespace ridge::ort
