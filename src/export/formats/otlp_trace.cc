// SPDX-License-Identifier: Apache-2.0
#include "export/formats/otlp_trace.h"

#include <fmt/format.h>

#include <unordered_map>
#include <vector>

#include "base/hash/hash.h"
#include "base/json_writer.h"
#include "base/number.h"
#include "base/version.h"
#include "export/profile/lanes.h"
#include "export/profile/made_timeline.h"

namespace ridge::exports {
namespace {

using profile::kNoSpan;
using profile::Level;
using profile::Span;
using profile::SpanId;
using profile::Timeline;

constexpr SpanId kBatch = 512;
constexpr int kInternal = 1;  // SPAN_KIND_INTERNAL

/// Root ancestor of each span. The way up ends at a parent that does not exist or closes a cycle.
std::vector<SpanId> roots_of(const Timeline& timeline) {
  const auto size = static_cast<SpanId>(timeline.spans().size());
  std::vector<SpanId> roots(size, kNoSpan), way;
  std::vector<bool> on_way(size, false);
  for (SpanId id = 0; id < size; ++id) {
    SpanId at = id;
    while (at < size && roots[at] == kNoSpan && !on_way[at]) {
      way.push_back(at);
      on_way[at] = true;
      at = timeline.spans()[at].parent;
    }
    const SpanId root = at < size && roots[at] != kNoSpan ? roots[at]
                        : way.empty()                     ? id
                                                          : way.back();
    for (const SpanId one : way) roots[one] = root, on_way[one] = false;
    way.clear();
  }
  return roots;
}

/// Key of the profile in its trace ids; it includes measured values, so that two runs of one model
/// have different traces.
std::uint64_t key_of(const profile::Profile& p, const Timeline& timeline) {
  const std::int64_t end = timeline.empty() ? 0 : timeline.spans().back().end_ns;
  return hash_name(fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}", p.subject.graph_hash, p.subject.path,
                               p.subject.runtime, p.latency.ns.value, p.profiling.raw_sum_ns,
                               timeline.spans().size(), end),
                   1);
}

class OtlpWriter {
 public:
  OtlpWriter(const profile::Profile& p, Sink& sink)
      : profile_(p),
        any_(p),
        timeline_(*any_),
        roots_(roots_of(timeline_)),
        origin_ns_(lay_out_origin()),
        key_(key_of(p, timeline_)),
        sink_(sink) {
    for (SpanId id = 0; id < timeline_.spans().size(); ++id) {
      const Span& span = timeline_.spans()[id];
      if (span.correlation != 0 && span.level != Level::kKernel)
        launches_.try_emplace(span.correlation, id);
    }
  }

  void write() {
    const auto size = static_cast<SpanId>(timeline_.spans().size());
    for (SpanId first = 0; first < size; first += kBatch) {
      {
        JsonWriter json(sink_);
        batch(json, first, std::min<SpanId>(size, first + kBatch));
      }
      sink_.write("\n");
    }
  }

 private:
  std::int64_t lay_out_origin() const {
    std::int64_t first = 0;
    for (const Span& span : timeline_.spans())
      if (&span == timeline_.spans().data() || span.start_ns < first) first = span.start_ns;
    return first;
  }

  std::string trace_id(SpanId id) const {
    return fmt::format("{:016x}{:016x}", key_, roots_[id] + std::uint64_t{1});
  }
  static std::string span_id(SpanId id) { return fmt::format("{:016x}", id + std::uint64_t{1}); }

  std::string nanos(std::int64_t ns) const {
    return std::to_string(static_cast<std::uint64_t>(ns) - static_cast<std::uint64_t>(origin_ns_));
  }

  static void text_attribute(JsonWriter& json, std::string_view key, std::string_view text) {
    json.begin_object().key("key").value(key).key("value").begin_object();
    if (const auto number = whole_number(text))
      json.key("intValue").value(std::to_string(*number));
    else
      json.key("stringValue").value(text);
    json.end_object().end_object();
  }
  static void said(JsonWriter& json, std::string_view key, std::string_view text) {
    if (!text.empty()) text_attribute(json, key, text);
  }

  void batch(JsonWriter& json, SpanId first, SpanId last) {
    const profile::Subject& s = profile_.subject;
    json.begin_object().key("resourceSpans").begin_array().begin_object();
    json.key("resource").begin_object().key("attributes").begin_array();
    text_attribute(json, "service.name", "ridge");
    text_attribute(json, "ridge.model", s.path);
    said(json, "ridge.graph_hash", s.graph_hash);
    said(json, "ridge.runtime", s.runtime + " " + s.runtime_version);
    text_attribute(json, "ridge.clock", "relative: 0 is the first start");
    json.end_array().end_object().key("scopeSpans").begin_array().begin_object();
    json.key("scope").begin_object().key("name").value("ridge").key("version").value(version());
    json.end_object().key("spans").begin_array();
    for (SpanId id = first; id < last; ++id) span(json, id);
    json.end_array().end_object().end_array().end_object().end_array().end_object();
  }

  void span(JsonWriter& json, SpanId id) {
    const Span& s = timeline_.spans()[id];
    json.begin_object().key("traceId").value(trace_id(id)).key("spanId").value(span_id(id));
    if (s.parent < timeline_.spans().size() && roots_[id] != id)
      json.key("parentSpanId").value(span_id(s.parent));
    json.key("name").value(timeline_.text(s.name)).key("kind").value(kInternal);
    json.key("startTimeUnixNano").value(nanos(s.start_ns));
    json.key("endTimeUnixNano").value(nanos(drawn_end(s)));
    json.key("attributes").begin_array();
    text_attribute(json, "ridge.level", name(s.level));
    said(json, "ridge.thread", timeline_.text(s.thread));
    said(json, "ridge.device", timeline_.text(s.device));
    said(json, "ridge.queue", timeline_.text(s.queue));
    if (s.correlation != 0) said(json, "ridge.correlation", fmt::format("{}", s.correlation));
    for (auto a = timeline_.begin(s); a != timeline_.end(s); ++a)
      text_attribute(json, timeline_.text(a->key), timeline_.text(a->value));
    json.end_array();
    link(json, s);
    json.end_object();
  }

  void link(JsonWriter& json, const Span& s) {
    const auto launch = launches_.find(s.correlation);
    if (s.level != Level::kKernel || launch == launches_.end()) return;
    json.key("links").begin_array().begin_object();
    json.key("traceId").value(trace_id(launch->second));
    json.key("spanId").value(span_id(launch->second)).end_object().end_array();
  }

  const profile::Profile& profile_;
  AnyTimeline any_;
  const Timeline& timeline_;
  std::vector<SpanId> roots_;
  std::int64_t origin_ns_;
  std::uint64_t key_;
  std::unordered_map<std::uint64_t, SpanId> launches_;  ///< by correlation id
  Sink& sink_;
};

}  // namespace

void write_otlp_lines(const profile::Profile& profile, Sink& sink) {
  OtlpWriter(profile, sink).write();
}

}  // namespace ridge::exports
