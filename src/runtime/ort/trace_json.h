// The profile file of one of our own runs (profile/ort_trace.h), read where the observer cannot be
// used, and for what only the file says.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "profile/ort_trace.h"

namespace ridge::ort {

using profile::kernel_name;

struct TraceEvent : profile::OrtEvent {
  std::uint32_t depth = 0;  ///< of enclosing session events and control flow on the same thread
};

/// Events ordered by their end, inner before outer. Environment error where the text is no such
/// array or not whole.
Result<std::vector<TraceEvent>> parse_trace(std::string_view text);

}  // namespace ridge::ort
