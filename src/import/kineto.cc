// SPDX-License-Identifier: Apache-2.0
// Chrome trace JSON of the PyTorch profiler (pytorch/kineto, libkineto/src/output_json.cpp):
//
//   {"schemaVersion": 1, "deviceProperties": [...], "traceEvents": [
//     {"ph": "X", "cat": "cpu_op", "name": "aten::conv2d", "pid": 7, "tid": 7, "ts": 10.125,
//      "dur": 40.5, "args": {"External id": 3}},
//     {"ph": "X", "cat": "cuda_runtime", ..., "args": {"External id": 3, "correlation": 11}},
//     {"ph": "X", "cat": "kernel", ..., "args": {"device": 0, "stream": 7, "correlation": 11}}]}
//
// Times are microseconds with a fraction. Events of other phases (flows, counters, thread names)
// add nothing and are ignored. With record_shapes, operators have "Input Dims"; with with_modules,
// "Module Hierarchy" (of TorchScript); with with_stack, there are events for Python functions and
// modules. Each rank of a distributed run writes its own file, with "distributedInfo": {"rank": 1}.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "base/json_scan.h"
#include "base/text.h"
#include "import/dropped.h"
#include "import/formats.h"
#include "import/span_layers.h"
#include "import/span_runs.h"
#include "import/torch_operators.h"

namespace ridge::imports {
namespace {

using profile::Level;

struct Category {
  std::string_view name;
  std::optional<Level> level;  ///< nullopt: neither work nor an enclosing range
};

/// Categories of all versions; the capitalized ones are from before 1.10. An event of an unlisted
/// category that names a stream counts as a span of a device.
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
    Category{"mtia_ccp_events", Level::kKernel},
    Category{"mtia_runtime", Level::kLibrary},
    Category{"privateuse1_runtime", Level::kLibrary},
    Category{"cuda_sync", std::nullopt},
    Category{"overhead", std::nullopt},
    Category{"Trace", std::nullopt},
    Category{"Operator", Level::kLayer},
    Category{"Kernel", Level::kKernel},
    Category{"Runtime", Level::kLibrary},
    Category{"Memcpy", Level::kKernel},
    Category{"Memset", Level::kKernel},
};

/// Raw fields of one event.
struct Event {
  std::string_view phase, category, ts, dur, pid, tid, correlation, external, device, stream, bytes,
      shapes;
  JsonValue name, module;
};

Event read_event(const std::vector<JsonField>& fields) {
  Event e;
  for (const JsonField& f : fields) {
    const std::string_view key = f.key, text = f.value.text;
    if (f.argument) {
      if (key == "correlation") e.correlation = text;
      if (key == "External id" || key == "external id") e.external = text;
      if (key == "device") e.device = text;
      if (key == "stream") e.stream = text;
      if (key == "bytes" || key == "Bytes") e.bytes = text;
      if (key == "Input Dims" || key == "Input dims") e.shapes = text;
      if (key == "Module Hierarchy") e.module = f.value;
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

/// Removes blanks and line breaks, so that equal shapes are equal texts in every way of writing.
std::string without_blanks(std::string_view shapes) {
  std::string out(shapes);
  std::erase_if(out, [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; });
  return out;
}

/// Event counts by category, for notes. Names at most kMaxNames categories.
class Categories {
 public:
  void count(std::string_view name) {
    ++all_;
    if (const auto at = counts_.find(name); at != counts_.end())
      ++at->second;
    else if (counts_.size() < kMaxNames)
      counts_.emplace(name, 1);
  }
  std::int64_t all() const { return all_; }
  /// "mtia_ccp_events (1313), ..."
  std::string text() const {
    std::string out;
    std::int64_t named = 0;
    for (const auto& [name, events] : counts_) {
      out += fmt::format("{}{} ({})", out.empty() ? "" : ", ",
                         name.empty() ? "without a name" : printable(name), events);
      named += events;
    }
    return named < all_ ? out + ", ..." : out;
  }

 private:
  static constexpr std::size_t kMaxNames = 8;
  std::map<std::string, std::int64_t, std::less<>> counts_;
  std::int64_t all_ = 0;
};

class KinetoReader {
 public:
  explicit KinetoReader(const Source& source) : source_(source) { out_.tool = "PyTorch"; }

  Result<Recorded> run() {
    TRY(read_file(source_.content));
    for (const std::string& content : source_.further) TRY(read_file(content));
    note(odd_, out_.notes);
    if (devices_.all() > 0)
      out_.notes.push_back(fmt::format("{} of devices of other categories: {}",
                                       counted(devices_.all(), "span"), devices_.text()));
    if (unknown_.all() > 0)
      out_.notes.push_back(fmt::format("{} of other categories left out: {}",
                                       counted(unknown_.all(), "span"), unknown_.text()));
    if (out_.timeline.empty())
      return input_error("RIDGE-IMP-0041", "the trace has no operators, calls or kernels")
          .evidence(
              fmt::format("{}, {} of other categories", counted(events_, "event"), unknown_.all()))
          .hint("record with torch.profiler, activities CPU and CUDA");
    begin_at_zero(out_.timeline);
    mark_steps(out_.timeline);
    SpanLayers found = layers_of({.timeline = out_.timeline,
                                  .facts = facts_,
                                  .processes = processes_,
                                  .names = source_.names,
                                  .choice = source_.runs});
    if (found.refused) return std::move(*found.refused);
    if (!add_layers(std::move(found), out_))
      return input_error("RIDGE-IMP-0042", "the trace has no operator and no kernel in its steps")
          .evidence(counted(std::ssize(out_.timeline.spans()), "span"))
          .hint("record with torch.profiler, activities CPU and CUDA");
    note_processes(processes_, out_);
    return std::move(out_);
  }

 private:
  Result<void> read_file(std::string_view content) {
    JsonScan scan(content);
    rank_ = "";
    if (!find_events(scan))
      return input_error("RIDGE-IMP-0040", "the trace has no list of events")
          .hint("pass the file written by export_chrome_trace");
    first_ = facts_.size();
    pids_.clear();
    const auto first_process = static_cast<std::uint32_t>(processes_.size());
    JsonEvents events(scan);
    while (events.next()) {
      ++events_;
      take(read_event(events.fields()));
    }
    note(events.damage(), out_.notes);
    if (pids_.empty()) add_process("");
    give_to_main(first_process);
    ++file_;
    return {};
  }

  /// Number of steps and operators of one process in a file.
  struct Share {
    std::size_t steps = 0, operators = 0;
  };

  std::vector<Share> shares(std::uint32_t first) const {
    std::vector<Share> out(processes_.size() - first);
    const std::vector<profile::Span>& spans = out_.timeline.spans();
    for (std::size_t i = first_; i < facts_.size(); ++i) {
      if (facts_[i].process == kNoProcess) continue;
      Share& share = out[facts_[i].process - first];
      share.operators += spans[i].level == Level::kLayer ? 1 : 0;
      share.steps += is_step_name(out_.timeline.text(spans[i].name)) ? 1 : 0;
    }
    return out;
  }

  /// Assigns device spans, which name no host process, to the busiest process of the file. If at
  /// most one process has steps (or, in a file without steps, operators), all spans of the file
  /// become spans of that process.
  void give_to_main(std::uint32_t first) {
    const std::vector<Share> all = shares(first);
    const bool steps = std::ranges::any_of(all, [](const Share& s) { return s.steps > 0; });
    const auto what = steps ? &Share::steps : &Share::operators;
    const auto main =
        static_cast<std::uint32_t>(std::ranges::max_element(all, {}, what) - all.begin());
    const bool several =
        std::ranges::count_if(all, [&](const Share& s) { return s.*what > 0; }) > 1;
    for (std::size_t i = first_; i < facts_.size(); ++i)
      if (!several || facts_[i].process == kNoProcess)
        facts_[i].process = first + (several ? main : 0);
    if (several) return;
    processes_[first] = processes_[first + main];
    processes_.resize(first + 1);
  }

  void add_process(std::string_view pid) {
    std::string name = rank_;
    if (name.empty() && !source_.further.empty()) name = fmt::format("file {}", file_ + 1);
    if (name.empty())
      name = fmt::format("process {}", pid);
    else if (!pids_.empty())
      name += fmt::format(", process {}", pid);
    pids_.emplace(pid, static_cast<std::uint32_t>(processes_.size()));
    processes_.push_back(std::move(name));
  }

  std::uint32_t process_of(std::string_view pid) {
    if (const auto at = pids_.find(pid); at != pids_.end()) return at->second;
    add_process(pid);
    return pids_.find(pid)->second;
  }

  /// Advances to the array of events, in either form of the format.
  bool find_events(JsonScan& scan) {
    if (scan.peek() == '[') return true;
    if (!scan.open('{')) return false;
    while (const auto key = scan.key()) {
      if (*key == "traceEvents") return scan.peek() == '[';
      const JsonValue value = scan.value();
      if (value.kind == JsonValue::Kind::kNone) return false;
      if (*key == "deviceProperties") note_devices(value.text);
      if (*key == "distributedInfo") note_rank(value.text);
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

  void note_rank(std::string_view text) {
    JsonScan scan(text);
    if (!scan.open('{')) return;
    while (const auto key = scan.key()) {
      const JsonValue value = scan.value();
      if (value.kind == JsonValue::Kind::kNone) return;
      if (*key == "rank" && value.kind == JsonValue::Kind::kNumber)
        rank_ = fmt::format("rank {}", scaled_decimal(value.text, 1).value_or(0));
    }
  }

  /// Level of an event; nullopt: dropped.
  std::optional<Level> level_of(const Event& e) {
    for (const Category& c : kCategories)
      if (c.name == e.category && c.level) return c.level;
    const bool known =
        std::ranges::any_of(kCategories, [&](const Category& c) { return c.name == e.category; });
    if (!known && !e.stream.empty()) {
      devices_.count(e.category);
      return Level::kKernel;
    }
    unknown_.count(e.category);
    return std::nullopt;
  }

  void take(const Event& e) {
    if (e.phase != "X") return;
    const auto level = level_of(e);
    if (!level) return;
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
    SpanFacts facts{.external = id(e.external), .process = kNoProcess};
    if (e.name.escaped)
      text_ = e.name.unescaped();
    else
      text_.assign(e.name.text);
    const RangeName name = range_name(text_);
    span.name = t.intern(name.name);
    // In schema 1, steps are among the operators.
    if (level == Level::kLayer && name.name.starts_with("ProfilerStep#"))
      span.level = Level::kApplication;
    if (level == Level::kKernel || e.category == "gpu_user_annotation") {
      span.device = t.intern(of_file(e.device.empty() ? e.pid : e.device));
      span.queue = t.intern(e.stream.empty() ? e.tid : e.stream);
      if (span.queue == 0) span.queue = t.intern("?");
    } else {
      facts.process = process_of(e.pid);
      span.thread = t.intern(of_file(thread_.assign(e.pid).append(1, '/').append(e.tid)));
      facts.shapes = t.intern(without_blanks(e.shapes.empty() ? name.sizes : e.shapes));
      facts.module = t.intern(e.module.escaped ? e.module.unescaped() : e.module.text);
      facts.python = e.category == "python_function";
    }
    span.correlation = id(e.correlation);
    t.add(span);
    if (!e.bytes.empty()) t.attribute("bytes", e.bytes);
    facts_.push_back(facts);
  }

  /// Qualifies a thread or device name with its file, if there are several files.
  std::string of_file(std::string_view text) const {
    if (source_.further.empty()) return std::string(text);
    return (rank_.empty() ? fmt::format("file {}", file_ + 1) : rank_) + ": " + std::string(text);
  }

  /// Makes an id distinct between files; ids are unique only within a file.
  std::uint64_t id(std::string_view text) const {
    const auto number = static_cast<std::uint64_t>(scaled_decimal(text, 1).value_or(0));
    return number == 0 ? 0 : number ^ std::uint64_t{file_} << 48U;
  }

  const Source& source_;
  Recorded out_;
  Oddities odd_;
  Categories unknown_, devices_;
  std::int64_t events_ = 0;
  std::vector<SpanFacts> facts_;
  std::vector<std::string> processes_;
  // State of the file being read.
  std::uint32_t file_ = 0;
  std::string rank_;
  std::size_t first_ = 0;
  std::map<std::string, std::uint32_t, std::less<>> pids_;
  std::string thread_, text_;
};

}  // namespace

Result<Recorded> read_kineto(const Source& source) { return KinetoReader(source).run(); }

}  // namespace ridge::imports
