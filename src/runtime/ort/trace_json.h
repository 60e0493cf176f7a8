// ONNX Runtime's profile file: an array of complete events in the Trace Event Format. Read where
// the observer cannot be used, and for what only the file says (sizes of a kernel's activations,
// parameters and outputs).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ridge::ort {

struct TraceEvent {
  bool node = false;  ///< else an event of the session
  std::string name;   ///< "<node>_kernel_time" where node
  std::string op_type, provider;
  std::string input_shapes, output_shapes;  ///< compact JSON: [{"float":[1,64]}]
  std::int64_t activation_bytes = -1, parameter_bytes = -1, output_bytes = -1;
  std::int64_t start_us = 0, duration_us = 0;  ///< from the start of profiling
  std::uint64_t thread = 0;
  std::uint32_t depth = 0;  ///< of enclosing session events and control flow on the same thread
};

/// Events ordered by their end, inner before outer. Environment error where the text is no such
/// array.
Result<std::vector<TraceEvent>> parse_trace(std::string_view text);

/// "conv1_kernel_time" -> "conv1".
std::string_view kernel_name(std::string_view event_name);

}  // namespace ridge::ort
