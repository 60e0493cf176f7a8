// Chrome trace JSON of the PyTorch profiler (pytorch/kineto, libkineto/src/output_json.cpp):
//
//   {"schemaVersion": 1, "deviceProperties": [...], "traceEvents": [
//     {"ph": "X", "cat": "cpu_op", "name": "aten::conv2d", "pid": 7, "tid": 7, "ts": 10.125,
//      "dur": 40.5, "args": {"External id": 3}},
//     {"ph": "X", "cat": "cuda_runtime", ..., "args": {"External id": 3, "correlation": 11}},
//     {"ph": "X", "cat": "kernel", ..., "args": {"device": 0, "stream": 7, "correlation": 11}}]}
//
// Microseconds with a fraction. Events of other phases (flows, counters, names of threads) say
// nothing that these do not.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/json_scan.h"
#include "base/text.h"
#include "import/dropped.h"
#include "import/formats.h"
#include "import/span_layers.h"

namespace ridge::imports {
namespace {

using profile::Level;

struct Category {
  std::string_view name;
  Level level;
};

/// Of all versions: the capital ones are those before 1.10.
constexpr std::array kCategories = {
    Category{"cpu_op", Level::kLayer},
    Category{"kernel", Level::kKernel},
    Category{"cuda_runtime", Level::kLibrary},
    Category{"gpu_memcpy", Level::kKernel},
    Category{"gpu_memset", Level::kKernel},
    Category{"user_annotation", Level::kApplication},
    Category{"gpu_user_annotation", Level::kApplication},
    Category{"cuda_driver", Level::kLibrary},
    Category{"python_function", Level::kApplication},
    Category{"xpu_runtime", Level::kLibrary},
    Category{"mtia_runtime", Level::kLibrary},
    Category{"privateuse1_runtime", Level::kLibrary},
    Category{"Operator", Level::kLayer},
    Category{"Kernel", Level::kKernel},
    Category{"Runtime", Level::kLibrary},
    Category{"Memcpy", Level::kKernel},
    Category{"Memset", Level::kKernel},
};

/// One event as it stands there.
struct Event {
  std::string_view phase, category, ts, dur, pid, tid, correlation, external, device, stream, bytes;
  JsonValue name;
};

Event read(const std::vector<JsonField>& fields) {
  Event e;
  for (const JsonField& f : fields) {
    const std::string_view key = f.key, text = f.value.text;
    if (f.argument) {
      if (key == "correlation") e.correlation = text;
      if (key == "External id" || key == "external id") e.external = text;
      if (key == "device") e.device = text;
      if (key == "stream") e.stream = text;
      if (key == "bytes" || key == "Bytes") e.bytes = text;
      continue;
    }
    if (key == "ph") e.phase = text;
    if (key == "cat") e.category = text;
    if (key == "name") e.name = f.value;
    if (key == "ts") e.ts = text;
    if (key == "dur") e.dur = text;
    if (key == "pid") e.pid = text;
    if (key == "tid") e.tid = text;
  }
  return e;
}

class Reader {
 public:
  explicit Reader(const Source& source) : names_(source.names), scan_(source.content) {
    out_.tool = "PyTorch";
  }

  Result<Recorded> run() {
    if (!find_events())
      return input_error("RIDGE-IMP-0040", "the trace has no list of events")
          .hint("give what export_chrome_trace wrote, unpacked where it ends in .gz");
    JsonEvents events(scan_);
    while (events.next()) {
      ++events_;
      take(read(events.fields()));
    }
    note(events.damage(), out_.notes);
    note(odd_, out_.notes);
    if (unknown_ > 0)
      out_.notes.push_back(
          fmt::format("{} of categories that are not known left out", counted(unknown_, "span")));
    if (out_.timeline.empty())
      return input_error("RIDGE-IMP-0041", "the trace has no operators, calls or kernels")
          .evidence(fmt::format("{}, {} of other categories", counted(events_, "event"), unknown_))
          .hint("record with torch.profiler, activities CPU and CUDA");
    begin_at_zero(out_.timeline);
    mark_steps(out_.timeline);
    if (!add_layers(layers_of({out_.timeline, external_, names_}), out_))
      return input_error("RIDGE-IMP-0042", "the trace has no operator and no kernel in its steps")
          .evidence(counted(std::ssize(out_.timeline.spans()), "span"))
          .hint("record with torch.profiler, activities CPU and CUDA");
    return std::move(out_);
  }

 private:
  /// At the array of events, in either form of the format.
  bool find_events() {
    if (scan_.peek() == '[') return true;
    if (!scan_.open('{')) return false;
    while (const auto key = scan_.key()) {
      if (*key == "traceEvents") return scan_.peek() == '[';
      const JsonValue value = scan_.value();
      if (value.kind == JsonValue::Kind::kNone) return false;
      if (*key == "deviceProperties") note_devices(value.text);
    }
    return false;
  }

  void note_devices(std::string_view text) {
    JsonScan scan(text);
    JsonEvents devices(scan);
    while (devices.next())
      if (const JsonValue name = devices.find("name"); name.is_string())
        out_.options.try_emplace("device", valid_utf8(name.unescaped()));
  }

  std::optional<Level> level_of(std::string_view category) const {
    for (const Category& c : kCategories)
      if (c.name == category) return c.level;
    return std::nullopt;
  }

  void take(const Event& e) {
    if (e.phase != "X") return;
    const auto level = level_of(e.category);
    if (!level) {
      ++unknown_;
      return;
    }
    const auto start = scaled_decimal(e.ts, 1000), length = scaled_decimal(e.dur, 1000);
    std::int64_t end = 0;
    if (!start || !length || __builtin_add_overflow(*start, *length, &end)) {
      ++odd_.out_of_range;
    } else if (!in_range(*start, end)) {
      ++odd_.too_far;
    } else if (*length < 0) {
      ++odd_.negative;
    } else {
      add(e, *level, *start, end);
    }
  }

  void add(const Event& e, Level level, std::int64_t start, std::int64_t end) {
    profile::Timeline& t = out_.timeline;
    profile::Span span{.level = level, .start_ns = start, .end_ns = end};
    span.name = e.name.escaped ? t.intern(e.name.unescaped()) : t.intern(e.name.text);
    const bool device = level == Level::kKernel || e.category == "gpu_user_annotation";
    if (device) {
      span.device = t.intern(e.device.empty() ? e.pid : e.device);
      span.queue = t.intern(e.stream.empty() ? e.tid : e.stream);
      if (span.queue == 0) span.queue = t.intern("?");
    } else {
      thread_.assign(e.pid).append(1, '/').append(e.tid);
      span.thread = t.intern(thread_);
    }
    span.correlation = id(e.correlation);
    t.add(span);
    if (!e.bytes.empty()) t.attribute("bytes", e.bytes);
    external_.push_back(id(e.external));
  }

  static std::uint64_t id(std::string_view text) {
    return static_cast<std::uint64_t>(scaled_decimal(text, 1).value_or(0));
  }

  const NameIndex* names_;
  JsonScan scan_;
  Recorded out_;
  Oddities odd_;
  std::int64_t events_ = 0, unknown_ = 0;
  std::vector<std::uint64_t> external_;  // by span
  std::string thread_;
};

}  // namespace

Result<Recorded> read_kineto(const Source& source) { return Reader(source).run(); }

}  // namespace ridge::imports
