// SPDX-License-Identifier: Apache-2.0
#include "profile/ort_trace.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace ridge::profile {
namespace {

/// Parses a size, which ONNX Runtime writes as a string; -1 if invalid.
std::int64_t size_of(const JsonValue& value) { return scaled_decimal(value.text, 1).value_or(-1); }

void read_argument(const JsonField& field, OrtEvent& event) {
  const std::string_view key = field.key;
  if (key == "op_name") event.op_type = field.value.unescaped();
  if (key == "provider") event.provider = field.value.unescaped();
  if (key == "parent_name") event.parent = field.value.unescaped();
  if (key == "stream") event.queue = field.value.unescaped();
  if (key == "input_type_shape") event.input_shapes = field.value.text;
  if (key == "output_type_shape") event.output_shapes = field.value.text;
  if (key == "activation_size") event.activation_bytes = size_of(field.value);
  if (key == "parameter_size") event.parameter_bytes = size_of(field.value);
  if (key == "output_size") event.output_bytes = size_of(field.value);
}

bool is_fence(std::string_view name) {
  return name.ends_with("_fence_before") || name.ends_with("_fence_after");
}

struct Found {
  bool complete = false;
  std::optional<std::int64_t> start_us, duration_us;
};

void read_field(const JsonField& field, OrtEvent& event, Found& found) {
  const std::string_view key = field.key;
  if (key == "ts") found.start_us = scaled_decimal(field.value.text, 1);
  if (key == "dur") found.duration_us = scaled_decimal(field.value.text, 1);
  if (key == "ph") found.complete = field.value.text == "X";
  if (key == "cat") {
    event.node = field.value.text == "Node";
    event.session = field.value.text == "Session";
    event.device = field.value.text == "Kernel";
  }
  if (key == "name") event.name = field.value.unescaped();
  if (key == "tid")
    event.thread = static_cast<std::uint64_t>(scaled_decimal(field.value.text, 1).value_or(0));
}

}  // namespace

bool OrtEvent::has_body() const {
  constexpr std::array<std::string_view, 7> kOwners = {
      "If", "Loop", "Scan", "BeamSearch", "GreedySearch", "Sampling", "WhisperBeamSearch"};
  return node && !fence && std::ranges::find(kOwners, op_type) != kOwners.end();
}

bool OrtTrace::next(OrtEvent& event) {
  while (events_.next()) {
    event = {};
    Found found;
    for (const JsonField& field : events_.fields()) {
      if (field.argument)
        read_argument(field, event);
      else
        read_field(field, event, found);
    }
    event.fence = event.node && is_fence(event.name);
    event.timed = found.start_us && found.duration_us;
    event.start_us = found.start_us.value_or(0);
    event.duration_us = found.duration_us.value_or(0);
    if (found.complete) return true;
  }
  return false;
}

// Example: one thread, events in file order (by end): 0 = kernel from 2 to 6, 1 = kernel from 10 to
// 15, 2 = "If" from 8 to 18, 3 = session from 0 to 30. Going backwards, 3 has no encloser and
// opens; 2 starts after 3, so 3 encloses it, and it opens; 1 starts at 10 >= 8, so 2 encloses it; 0
// starts at 2 < 8, which closes 2, so 3 encloses it. Result: {3, 2, 3, kNotEnclosed}.
std::vector<std::uint32_t> enclosing(std::span<const OrtInterval> events) {
  std::vector<std::uint32_t> out(events.size(), kNotEnclosed);
  std::map<std::uint64_t, std::vector<std::uint32_t>> open;  // per thread, outermost first
  // Iterates backwards, so that an enclosing event is visited before those inside it.
  for (auto i = static_cast<std::uint32_t>(events.size()); i-- > 0;) {
    auto& around = open[events[i].thread];
    while (!around.empty() && events[i].start_us < events[around.back()].start_us)
      around.pop_back();
    if (!around.empty()) out[i] = around.back();
    if (events[i].holds_events) around.push_back(i);
  }
  return out;
}

std::string_view kernel_name(std::string_view event_name) {
  constexpr std::string_view kSuffix = "_kernel_time";
  if (event_name.ends_with(kSuffix)) event_name.remove_suffix(kSuffix.size());
  return event_name;
}

}  // namespace ridge::profile
