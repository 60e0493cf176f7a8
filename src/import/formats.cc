// SPDX-License-Identifier: Apache-2.0
#include "import/formats.h"

#include <algorithm>
#include <array>
#include <initializer_list>

#include "base/json_scan.h"
#include "import/counter_table.h"
#include "import/trtexec_console.h"

namespace ridge::imports {
namespace {

/// Keys found in the first objects of an array of events.
struct Glance {
  bool count = false, timing = false, session = false, phase = false;
};

Glance glance(JsonScan scan) {
  constexpr int kLookedAt = 16;
  JsonEvents events(scan);
  Glance out;
  for (int i = 0; i < kLookedAt && events.next(); ++i)
    for (const JsonField& field : events.fields()) {
      if (field.argument) continue;
      out.count |= field.key == "count";
      out.timing |= field.key == "averageMs" || field.key == "timeMs" || field.key == "computeMs";
      out.phase |= field.key == "ph";
      out.session |=
          field.key == "cat" && (field.value.text == "Session" || field.value.text == "Node");
    }
  return out;
}

/// True if one of the keys occurs in the JSON text at any depth; a text that is cut off is read as
/// far as it goes. Texts that are values do not count.
bool has_key(std::string_view beginning, std::initializer_list<std::string_view> keys) {
  JsonScan scan(beginning);
  while (!scan.at_end()) {
    const char next = scan.peek();
    if (next == '"') {
      const JsonValue text = scan.value();
      if (scan.take(':') && std::ranges::find(keys, text.text) != keys.end()) return true;
    } else if (std::string_view("{}[],:").find(next) != std::string_view::npos) {
      scan.take(next);
    } else if (scan.value().kind == JsonValue::Kind::kNone) {
      return false;
    }
  }
  return false;
}

bool is_array(std::string_view beginning) { return JsonScan(beginning).peek() == '['; }

bool is_ort(std::string_view beginning) {
  return is_array(beginning) && glance(JsonScan(beginning)).session;
}

bool is_trtexec(std::string_view beginning) {
  if (is_console_log(beginning)) return true;
  if (!is_array(beginning)) return false;
  const Glance seen = glance(JsonScan(beginning));
  return seen.count || seen.timing;
}

/// True for either form of the Trace Event Format.
bool is_trace(std::string_view beginning) {
  if (is_array(beginning)) {
    const Glance seen = glance(JsonScan(beginning));
    return seen.phase && !seen.session;
  }
  return JsonScan(beginning).peek() == '{' &&
         has_key(beginning, {"traceEvents", "deviceProperties"});
}

bool is_counters(std::string_view beginning) {
  if (is_printed_counters(beginning)) return true;
  if (JsonScan(beginning).peek() == '{')
    return has_key(beginning, {"report_type", "detailed_performance", "avg_performance"});
  return is_counter_header(beginning.substr(0, beginning.find('\n')));
}

bool is_sqlite(std::string_view beginning) {
  return beginning.starts_with(std::string_view("SQLite format 3\0", 16));
}

constexpr std::array kFormats = {
    Format{"kineto", "Chrome trace JSON of the PyTorch profiler (Kineto)",
           "torch.profiler, prof.export_chrome_trace(FILE)", true, is_trace, read_kineto},
    Format{"nsight", "SQLite export of Nsight Systems",
           "nsys profile PROGRAM; nsys export --type sqlite FILE.nsys-rep", false, is_sqlite,
           read_nsight},
    Format{"openvino", "performance counters of benchmark_app, CSV or JSON",
           "benchmark_app -report_type detailed_counters (or average_counters) [-json_stats]", true,
           is_counters, read_openvino_counters},
    Format{"ort", "profile JSON of ONNX Runtime",
           "SessionOptions.enable_profiling, onnxruntime_perf_test -p", true, is_ort,
           read_ort_profile},
    Format{"trtexec", "layer times of TensorRT's trtexec, JSON or printed",
           "trtexec --exportProfile=FILE [--exportLayerInfo=LAYERS] [--exportTimes=TIMES]", true,
           is_trtexec, read_trtexec_profile},
};

}  // namespace

bool is_printed_counters(std::string_view beginning) {
  const std::size_t type = beginning.find("layerType: ");
  if (type == std::string_view::npos) return false;
  const std::string_view line = beginning.substr(type, beginning.find('\n', type) - type);
  return line.find("realTime") != std::string_view::npos &&
         line.find("execType: ") != std::string_view::npos;
}

std::span<const Format> formats() { return kFormats; }

const Format* find_format(std::string_view name) {
  const auto at = std::ranges::find(kFormats, name, &Format::name);
  return at == kFormats.end() ? nullptr : &*at;
}

bool is_own_document(std::string_view beginning) {
  JsonScan scan(beginning);
  if (!scan.open('{')) return false;
  while (const auto key = scan.key()) {
    const JsonValue value = scan.value();
    if (*key == "schema") return value.is_string() && value.text.starts_with("ridge.");
    if (value.kind == JsonValue::Kind::kNone) return false;
  }
  return false;
}

const Format* detect(std::string_view beginning) {
  // Every trace has phases, so the more specific formats are tested first.
  for (const std::string_view name : {"nsight", "ort", "trtexec", "kineto", "openvino"})
    if (const Format* format = find_format(name); format->matches(beginning)) return format;
  return nullptr;
}

}  // namespace ridge::imports
