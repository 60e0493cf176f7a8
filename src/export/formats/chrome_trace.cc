// SPDX-License-Identifier: Apache-2.0
#include "export/formats/chrome_trace.h"

#include <fmt/format.h>

#include <unordered_set>

#include "base/json_writer.h"
#include "base/number.h"
#include "export/profile/lanes.h"
#include "export/profile/made_timeline.h"

namespace ridge::exports {
namespace {

using profile::Level;
using profile::Span;
using profile::SpanId;
using profile::Timeline;

/// 1234567 -> "1234.567"
std::string microseconds(std::uint64_t ns) { return fmt::format("{}.{:03}", ns / 1000, ns % 1000); }

class ChromeTraceWriter {
 public:
  ChromeTraceWriter(const Timeline& timeline, JsonWriter& json)
      : timeline_(timeline), drawing_(lay_out(timeline)), json_(json) {
    for (const Span& span : timeline.spans())
      (span.level == Level::kKernel ? kernels_ : launches_).insert(span.correlation);
  }

  void write() {
    for (std::size_t i = 0; i < drawing_.processes.size(); ++i) {
      const std::string_view device = timeline_.text(drawing_.processes[i]);
      name_track("process_name", pid(i), 0, i == 0 ? "host" : device);
    }
    for (std::size_t i = 0; i < drawing_.lanes.size(); ++i) write_lane(drawing_.lanes[i], i + 1);
  }

 private:
  static std::int64_t pid(std::size_t process) { return static_cast<std::int64_t>(process) + 1; }

  void name_track(std::string_view what, std::int64_t process, std::int64_t track,
                  std::string_view name) {
    json_.line().begin_object().key("name").value(what).key("ph").value("M");
    json_.key("pid").value(process).key("tid").value(track).key("args").begin_object();
    json_.key("name").value(name).end_object().end_object();
  }

  void write_lane(const Lane& lane, std::size_t track) {
    pid_ = pid(lane.process);
    tid_ = static_cast<std::int64_t>(track);
    const std::string name = label(timeline_, lane);
    if (!lane.counts) name_track("thread_name", pid_, tid_, name);
    for (const SpanId id : lane.spans) {
      const Span& span = timeline_.spans()[id];
      if (lane.counts)
        count(span, name);
      else
        slice(span);
    }
  }

  JsonWriter& begin(std::string_view name, std::string_view category, std::string_view phase,
                    std::int64_t at_ns) {
    json_.line().begin_object().key("name").value(name).key("cat").value(category);
    json_.key("ph").value(phase).key("pid").value(pid_).key("tid").value(tid_);
    return json_.key("ts").raw(microseconds(drawing_.since(at_ns)));
  }

  void count(const Span& span, std::string_view name) {
    begin(name, "counter", "C", span.start_ns).key("args").begin_object();
    json_.key("value").value(counter_value(timeline_, span)).end_object().end_object();
  }

  void slice(const Span& span) {
    const std::uint64_t length = drawing_.since(drawn_end(span)) - drawing_.since(span.start_ns);
    begin(timeline_.text(span.name), name(span.level), "X", span.start_ns)
        .key("dur")
        .raw(microseconds(length))
        .key("args")
        .begin_object();
    if (span.correlation != 0) json_.key("correlation").raw(std::to_string(span.correlation));
    for (const profile::SpanAttribute& a : attributes(span)) attribute(a);
    json_.end_object().end_object();
    flow(span);
  }

  void attribute(const profile::SpanAttribute& a) {
    const std::string_view text = timeline_.text(a.value);
    json_.name(timeline_.text(a.key));
    if (const auto number = whole_number(text))
      json_.value(*number);
    else
      json_.value(text);
  }

  void flow(const Span& span) {
    const std::uint64_t id = span.correlation;
    if (id == 0 || kernels_.count(id) == 0 || launches_.count(id) == 0) return;
    const bool launched = span.level == Level::kKernel;
    begin("launch", "correlation", launched ? "f" : "s", span.start_ns)
        .key("id")
        .raw(std::to_string(id));
    if (launched) json_.key("bp").value("e");
    json_.end_object();
  }

  struct Attributes {
    const profile::SpanAttribute *first, *last;
    const profile::SpanAttribute* begin() const { return first; }
    const profile::SpanAttribute* end() const { return last; }
  };
  Attributes attributes(const Span& span) const {
    return {timeline_.begin(span), timeline_.end(span)};
  }

  const Timeline& timeline_;
  Drawing drawing_;
  JsonWriter& json_;
  std::int64_t pid_ = 0, tid_ = 0;
  std::unordered_set<std::uint64_t> kernels_, launches_;  ///< correlation ids
};

}  // namespace

void write_chrome_trace(const profile::Profile& p, Sink& sink) {
  {
    JsonWriter json(sink);
    json.begin_object().key("displayTimeUnit").value("ns").key("traceEvents").begin_array();
    ChromeTraceWriter(*AnyTimeline(p), json).write();
    json.end_array().end_object();
  }
  sink.write("\n");
}

}  // namespace ridge::exports
