// SPDX-License-Identifier: Apache-2.0
// Reader of ONNX Runtime's profile file: an array of complete events in the Trace Event Format.
// Used where ridge's own observer is not available, for data that only the file contains (sizes of
// a kernel's activations, parameters and outputs), and for files recorded by other programs.
//
//   OrtTrace trace(text);
//   OrtEvent event;
//   while (trace.next(event)) …
//   if (trace.damage().any()) …            // names are not escaped, files may be truncated
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
  bool node = false;     ///< true for a node event
  bool session = false;  ///< true for a session event
  bool device = false;   ///< true for a kernel on a device; none of the three: another category
  bool fence = false;    ///< true for a node event that waits for others (releases up to 1.12)
  bool timed = false;    ///< true if both times could be read
  std::string name;      ///< "<node>_kernel_time" for a node event
  std::string op_type, provider;
  std::string parent;  ///< name of the node event that launched a device's kernel
  std::string queue;   ///< stream of a device's kernel
  std::string input_shapes, output_shapes;  ///< verbatim JSON: [{"float":[1,64]}]
  std::int64_t activation_bytes = -1, parameter_bytes = -1, output_bytes = -1;
  std::int64_t start_us = 0, duration_us = 0;  ///< relative to the start of profiling
  std::uint64_t thread = 0;

  /// True for a node whose body's nodes have events inside its own: control flow, and the searches
  /// of com.microsoft, which run a decoder.
  bool has_body() const;
  /// True if other events may lie inside this one. Times are whole microseconds, so a kernel that
  /// follows another may appear to lie inside it; only session events and nodes with bodies contain
  /// events.
  bool holds_events() const { return session || has_body(); }
};

class OrtTrace {
 public:
  explicit OrtTrace(std::string_view text) : scan_(text), events_(scan_) {}
  /// Reads the next complete event ("ph":"X"); false at the end.
  bool next(OrtEvent& event);
  const Damage& damage() const { return events_.damage(); }

 private:
  JsonScan scan_;
  JsonEvents events_;
};

/// Extent of an event, as input of enclosing().
struct OrtInterval {
  std::int64_t start_us = 0, duration_us = 0;
  std::uint64_t thread = 0;
  bool holds_events = false;
};

inline constexpr std::uint32_t kNotEnclosed = 0xffffffff;

/// For each event the innermost event on its thread that contains it, or kNotEnclosed. `events`
/// must be in file order, which is the order of their ends.
std::vector<std::uint32_t> enclosing(std::span<const OrtInterval> events);

/// Removes the suffix: "conv1_kernel_time" -> "conv1", "_kernel_time" -> "".
std::string_view kernel_name(std::string_view event_name);

}  // namespace ridge::profile
