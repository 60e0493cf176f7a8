// ONNX Runtime's profile file: an array of complete events in the Trace Event Format. Read where
// ridge's own observer cannot be used, for what only the file says (sizes of a kernel's
// activations, parameters and outputs), and where somebody else recorded it.
//
//   OrtTrace trace(text);
//   OrtEvent event;
//   while (trace.next(event)) …
//   if (trace.damage().any()) …            // names are written unescaped, files are cut off
//
// Cost: linear, one event at a time (base/json_scan.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_scan.h"

namespace ridge::profile {

struct OrtEvent {
  bool node = false;     ///< else an event of the session
  bool session = false;  ///< neither: some other category
  bool timed = false;    ///< both times could be read
  std::string name;      ///< "<node>_kernel_time" where node
  std::string op_type, provider;
  std::string input_shapes, output_shapes;  ///< JSON as it stands there: [{"float":[1,64]}]
  std::int64_t activation_bytes = -1, parameter_bytes = -1, output_bytes = -1;
  std::int64_t start_us = 0, duration_us = 0;  ///< from the start of profiling
  std::uint64_t thread = 0;

  /// Times are whole microseconds, so a kernel that follows another may seem to lie in it; only
  /// these can hold events.
  bool holds_events() const {
    return !node || op_type == "If" || op_type == "Loop" || op_type == "Scan";
  }
};

class OrtTrace {
 public:
  explicit OrtTrace(std::string_view text) : scan_(text), events_(scan_) {}
  /// The next complete event ("ph":"X"); false at the end.
  bool next(OrtEvent& event);
  const Damage& damage() const { return events_.damage(); }

 private:
  JsonScan scan_;
  JsonEvents events_;
};

/// What encloses an event.
struct OrtInterval {
  std::int64_t start_us = 0, duration_us = 0;
  std::uint64_t thread = 0;
  bool holds_events = false;
};

inline constexpr std::uint32_t kNotEnclosed = 0xffffffff;

/// For each event the innermost one on its thread that holds it, or kNotEnclosed. `events` stand
/// in the order of the file, which is the order of their ends.
std::vector<std::uint32_t> enclosing(std::span<const OrtInterval> events);

/// "conv1_kernel_time" -> "conv1".
std::string_view kernel_name(std::string_view event_name);

}  // namespace ridge::profile
