#include "runtime/ort/trace_json.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>

namespace ridge::ort {
namespace {

using Json = nlohmann::json;

std::string text_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return {};
  return found->is_string() ? found->get<std::string>() : found->dump();
}

/// ONNX Runtime writes sizes as strings.
std::int64_t size_of(const Json& object, const char* key) {
  const std::string text = text_of(object, key);
  std::int64_t value = -1;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failed == std::errc{} && end == text.data() + text.size() ? value : -1;
}

std::int64_t number_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<std::int64_t>() : 0;
}

TraceEvent read_event(const Json& json) {
  TraceEvent event;
  event.node = text_of(json, "cat") == "Node";
  event.name = text_of(json, "name");
  event.start_us = number_of(json, "ts");
  event.duration_us = number_of(json, "dur");
  event.thread = static_cast<std::uint64_t>(number_of(json, "tid"));
  const auto args = json.find("args");
  if (args == json.end() || !args->is_object()) return event;
  event.op_type = text_of(*args, "op_name");
  event.provider = text_of(*args, "provider");
  event.input_shapes = text_of(*args, "input_type_shape");
  event.output_shapes = text_of(*args, "output_type_shape");
  event.activation_bytes = size_of(*args, "activation_size");
  event.parameter_bytes = size_of(*args, "parameter_size");
  event.output_bytes = size_of(*args, "output_size");
  return event;
}

/// Times are whole microseconds, so a kernel that follows another may seem to lie in it; only these
/// can hold events.
bool can_hold_events(const TraceEvent& event) {
  return !event.node || event.op_type == "If" || event.op_type == "Loop" || event.op_type == "Scan";
}

/// The file has events in the order of their ends. Walking backwards, the owner of an event is met
/// before it.
void find_depths(std::vector<TraceEvent>& events) {
  std::map<std::uint64_t, std::vector<const TraceEvent*>> open;  // per thread, outermost first
  for (auto event = events.rbegin(); event != events.rend(); ++event) {
    auto& around = open[event->thread];
    while (!around.empty() && event->start_us < around.back()->start_us) around.pop_back();
    event->depth = static_cast<std::uint32_t>(around.size());
    if (can_hold_events(*event)) around.push_back(&*event);
  }
}

}  // namespace

Result<std::vector<TraceEvent>> parse_trace(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_array()) {
    return environment_error("RIDGE-ORT-0040", "ONNX Runtime wrote a profile that is not JSON")
        .hint("check that the temporary folder has room");
  }
  std::vector<TraceEvent> events;
  events.reserve(json.size());
  for (const Json& item : json) {
    if (item.is_object() && text_of(item, "ph") == "X") events.push_back(read_event(item));
  }
  find_depths(events);
  return events;
}

std::string_view kernel_name(std::string_view event_name) {
  constexpr std::string_view kSuffix = "_kernel_time";
  if (event_name.ends_with(kSuffix)) event_name.remove_suffix(kSuffix.size());
  return event_name;
}

}  // namespace ridge::ort
