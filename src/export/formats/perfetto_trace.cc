// SPDX-License-Identifier: Apache-2.0
#include "export/formats/perfetto_trace.h"

#include <algorithm>
#include <protozero/pbf_writer.hpp>
#include <unordered_map>
#include <vector>

#include "base/number.h"
#include "base/text.h"
#include "export/profile/lanes.h"
#include "export/profile/made_timeline.h"

namespace ridge::exports {
namespace {

using profile::Level;
using profile::Span;
using profile::SpanId;
using profile::TextId;
using profile::Timeline;
using protozero::pbf_writer;

namespace trace_message {
constexpr std::uint32_t kPacket = 1;
}
namespace packet {
constexpr std::uint32_t kTimestamp = 8, kSequence = 10, kTrackEvent = 11, kInterned = 12,
                        kSequenceFlags = 13, kTrackDescriptor = 60;
constexpr std::uint32_t kStateCleared = 1, kNeedsState = 2;
}  // namespace packet
namespace descriptor {
constexpr std::uint32_t kUuid = 1, kName = 2, kProcess = 3, kParent = 5, kCounter = 8,
                        kChildOrder = 11, kRank = 12, kMerge = 15;
constexpr std::int32_t kExplicit = 3, kNeverMerged = 2;
constexpr std::uint32_t kPid = 1, kProcessName = 6;  // ProcessDescriptor
}  // namespace descriptor
namespace event {
constexpr std::uint32_t kCategory = 3, kAnnotation = 4, kType = 9, kName = 10, kTrack = 11,
                        kDoubleCounter = 44, kFlow = 47, kFlowEnd = 48;
constexpr std::int32_t kBegin = 1, kEnd = 2, kCounter = 4;
constexpr std::uint32_t kAnnotationName = 1, kInt = 4, kText = 17;  // DebugAnnotation
}  // namespace event
namespace interned {
constexpr std::uint32_t kCategories = 1, kNames = 2, kAnnotationNames = 3, kTexts = 29;
constexpr std::uint32_t kId = 1, kValue = 2;  // fields of every entry
}  // namespace interned

constexpr std::uint32_t kOurSequence = 1;

struct Drawn {
  std::uint64_t at = 0;
  SpanId span = 0;
  std::uint32_t lane = 0;
  std::int32_t type = 0;
};

class PerfettoWriter {
 public:
  PerfettoWriter(const profile::Profile& p, Sink& sink)
      : profile_(p), any_(p), timeline_(*any_), drawing_(lay_out(timeline_)), sink_(sink) {}

  void write() {
    for (std::size_t i = 0; i < drawing_.processes.size(); ++i) process(i);
    for (std::size_t i = 0; i < drawing_.lanes.size(); ++i) track(i);
    const std::vector<Drawn> drawn = events();
    find_flows(drawn);
    for (at_ = 0; at_ < drawn.size(); ++at_) draw(drawn[at_]);
    flush();
  }

 private:
  /// Ids of texts that were already written.
  struct Seen {
    bool first(std::uint64_t id) {
      if (id >= known.size()) known.resize(std::max<std::size_t>(id + 1, 2 * known.size()));
      const bool is = !known[id];
      known[id] = true;
      return is;
    }
    std::vector<bool> known;
  };

  std::uint64_t process_uuid(std::size_t i) const { return i + 1; }
  std::uint64_t track_uuid(std::size_t i) const { return drawing_.processes.size() + i + 1; }

  template <typename Fill>
  void packet(Fill fill) {
    body_.clear();
    pbf_writer out(body_);
    fill(out);
    out.add_uint32(packet::kSequence, kOurSequence);
    // Interned texts belong to the sequence's state. Perfetto drops packets that need a state until
    // one has cleared it, so the first packet does both.
    out.add_uint32(packet::kSequenceFlags,
                   first_ ? packet::kStateCleared | packet::kNeedsState : packet::kNeedsState);
    first_ = false;
    pbf_writer(buffer_).add_message(trace_message::kPacket, body_);
    if (buffer_.size() >= kFlushAt) flush();
  }

  void flush() {
    sink_.write(buffer_);
    buffer_.clear();
  }

  void process(std::size_t i) {
    packet([&](pbf_writer& out) {
      pbf_writer d(out, packet::kTrackDescriptor);
      d.add_uint64(descriptor::kUuid, process_uuid(i));
      {
        pbf_writer one(d, descriptor::kProcess);
        one.add_int32(descriptor::kPid, static_cast<std::int32_t>(i) + 1);
        one.add_string(
            descriptor::kProcessName,
            valid_utf8(i == 0 ? profile_.subject.path : timeline_.text(drawing_.processes[i])));
      }
      d.add_enum(descriptor::kChildOrder, descriptor::kExplicit);
    });
  }

  void track(std::size_t i) {
    const Lane& lane = drawing_.lanes[i];
    packet([&](pbf_writer& out) {
      pbf_writer d(out, packet::kTrackDescriptor);
      d.add_uint64(descriptor::kUuid, track_uuid(i));
      d.add_string(descriptor::kName, label(timeline_, lane));
      d.add_uint64(descriptor::kParent, process_uuid(lane.process));
      d.add_int32(descriptor::kRank, static_cast<std::int32_t>(i));
      if (lane.counts) d.add_message(descriptor::kCounter, std::string());
      d.add_enum(descriptor::kMerge, descriptor::kNeverMerged);
    });
  }

  /// Events in order of time; at equal times events of a lane keep the order of each_edge.
  std::vector<Drawn> events() const {
    std::vector<Drawn> out;
    for (std::size_t i = 0; i < drawing_.lanes.size(); ++i) {
      const Lane& lane = drawing_.lanes[i];
      const auto at = static_cast<std::uint32_t>(i);
      const auto add = [&](std::int64_t ns, SpanId span, std::int32_t type) {
        out.push_back({drawing_.since(ns), span, at, type});
      };
      if (lane.counts)
        for (const SpanId id : lane.spans) add(timeline_.spans()[id].start_ns, id, event::kCounter);
      else
        each_edge(timeline_, lane, [&](const Edge& edge) {
          add(edge.at_ns, edge.span, edge.begins ? event::kBegin : event::kEnd);
        });
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const auto& a, const auto& b) { return a.at < b.at; });
    return out;
  }

  /// Positions of the events from the first launch of a correlation id to its last kernel.
  struct Flow {
    std::size_t begin = SIZE_MAX, end = 0;
    bool holds(std::size_t at) const { return begin <= at && at <= end; }
  };

  /// A launch without a recorded kernel, or the reverse, gets no flow, which would not end.
  void find_flows(const std::vector<Drawn>& drawn) {
    for (std::size_t at = 0; at < drawn.size(); ++at) {
      const Span& span = timeline_.spans()[drawn[at].span];
      if (drawn[at].type != event::kBegin || span.correlation == 0) continue;
      Flow& flow = flows_[span.correlation];
      if (span.level == Level::kKernel)
        flow.end = at;
      else
        flow.begin = std::min(flow.begin, at);
    }
  }

  void draw(const Drawn& d) {
    const Span& span = timeline_.spans()[d.span];
    packet([&](pbf_writer& out) {
      out.add_uint64(packet::kTimestamp, d.at);
      if (d.type == event::kBegin) intern(out, span);
      pbf_writer e(out, packet::kTrackEvent);
      e.add_enum(event::kType, d.type);
      e.add_uint64(event::kTrack, track_uuid(d.lane));
      if (d.type == event::kBegin) describe(e, span);
      if (d.type == event::kCounter)
        e.add_double(event::kDoubleCounter, counter_value(timeline_, span).value_or(0));
    });
  }

  void describe(pbf_writer& e, const Span& span) const {
    e.add_uint64(event::kCategory, category(span.level));
    if (span.name != 0) e.add_uint64(event::kName, span.name);
    for (auto a = timeline_.begin(span); a != timeline_.end(span); ++a) {
      if (a->key == 0) continue;
      pbf_writer one(e, event::kAnnotation);
      one.add_uint64(event::kAnnotationName, a->key);
      if (const auto number = whole_number(timeline_.text(a->value)))
        one.add_int64(event::kInt, *number);
      else if (a->value != 0)
        one.add_uint64(event::kText, a->value);
    }
    if (span.correlation == 0) return;
    if (const Flow& flow = flows_.at(span.correlation); flow.holds(at_))
      e.add_fixed64(at_ == flow.end ? event::kFlowEnd : event::kFlow, span.correlation);
  }

  static std::uint64_t category(Level level) { return static_cast<std::uint64_t>(level) + 1; }

  /// Writes the texts of a span that were not written before. Ids: as in the timeline; 0 is the
  /// empty text, which needs no entry.
  void intern(pbf_writer& out, const Span& span) {
    pbf_writer data(out, packet::kInterned);
    if (used_.categories.first(category(span.level)))
      entry(data, interned::kCategories, category(span.level), name(span.level));
    if (span.name != 0 && used_.names.first(span.name))
      entry(data, interned::kNames, span.name, timeline_.text(span.name));
    for (auto a = timeline_.begin(span); a != timeline_.end(span); ++a) {
      if (a->key != 0 && used_.keys.first(a->key))
        entry(data, interned::kAnnotationNames, a->key, timeline_.text(a->key));
      if (a->value != 0 && !whole_number(timeline_.text(a->value)) && used_.texts.first(a->value))
        entry(data, interned::kTexts, a->value, timeline_.text(a->value));
    }
  }

  static void entry(pbf_writer& data, std::uint32_t field, std::uint64_t id,
                    std::string_view text) {
    pbf_writer one(data, field);
    one.add_uint64(interned::kId, id);
    one.add_string(interned::kValue, valid_utf8(text));
  }

  static constexpr std::size_t kFlushAt = std::size_t{64} << 10;

  const profile::Profile& profile_;
  AnyTimeline any_;
  const Timeline& timeline_;
  Drawing drawing_;
  Sink& sink_;
  struct {
    Seen names, keys, texts, categories;
  } used_;
  std::unordered_map<std::uint64_t, Flow> flows_;  // by correlation id
  std::size_t at_ = 0;                             // position in the events
  std::string body_, buffer_;
  bool first_ = true;
};

}  // namespace

void write_perfetto_trace(const profile::Profile& profile, Sink& sink) {
  PerfettoWriter(profile, sink).write();
}

}  // namespace ridge::exports
