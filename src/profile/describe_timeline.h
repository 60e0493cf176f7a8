// SPDX-License-Identifier: Apache-2.0
// Descriptions (record/describe.h) of spans: a timeline in documents is a list of texts, and spans
// that refer to them by position. Attributes of a span are a map from text to text.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "profile/timeline.h"
#include "record/describe.h"
#include "record/rows.h"

namespace ridge::profile {

/// The attributes of one span, in a timeline or as they were read.
struct AttributeMap {
  const Timeline* of = nullptr;
  const SpanAttribute *first = nullptr, *last = nullptr;
  std::vector<std::pair<std::string, std::string>> read;
};

/// AttributeMap as a map in documents. Texts that were different may be written as equal ones
/// (base/disguise.h), so a name may occur twice.
constexpr void fill(record::Type& t, const AttributeMap*) {
  t.form = record::Form::kMap;
  t.item = &record::kType<std::string>;
  t.count = [](const void* v) {
    const auto& map = *static_cast<const AttributeMap*>(v);
    return map.of == nullptr ? map.read.size() : static_cast<std::size_t>(map.last - map.first);
  };
  t.each_key = [](const void* v, void* context, record::Type::EachKey visit) {
    const auto& map = *static_cast<const AttributeMap*>(v);
    for (const SpanAttribute* a = map.first; a != map.last; ++a)
      visit(context, map.of->text(a->key), &map.of->stored_text(a->value));
    for (const auto& [key, text] : map.read) visit(context, key, &text);
  };
  t.insert = [](void* v, std::string_view key) -> void* {
    return &static_cast<AttributeMap*>(v)->read.emplace_back(key, "").second;
  };
  t.clear = [](void* v) { static_cast<AttributeMap*>(v)->read.clear(); };
}

/// A span of a document.
struct SpanRow : Span {
  AttributeMap attributes_of;
};

inline bool has_parent(const SpanRow& s) { return s.parent != kNoSpan; }
inline bool has_thread(const SpanRow& s) { return s.thread != 0; }
inline bool has_device(const SpanRow& s) { return s.device != 0; }
inline bool has_queue(const SpanRow& s) { return s.queue != 0; }
inline bool has_correlation(const SpanRow& s) { return s.correlation != 0; }
inline bool has_attributes(const SpanRow& s) { return s.attributes != 0; }

/// A timeline as it is written, or as it was read.
struct TimelineDocument {
  const Timeline* written = nullptr;
  Timeline read;
  /// Position of the document's first text in `read`: 0 if it is empty, as ridge writes it.
  TextId first_text = 0;
};

struct TimelineCodec {
  static TimelineDocument out(const Timeline& t) {
    return {.written = &t, .read = {}, .first_text = 0};
  }
  static Timeline in(TimelineDocument document) { return std::move(document.read); }
};

inline std::size_t texts_of(const TimelineDocument& d) { return d.written->texts(); }
inline void text_at(const TimelineDocument& d, std::size_t i, std::string& out) {
  out = d.written->text(static_cast<TextId>(i));
}
Result<void> add_text(TimelineDocument& document, std::size_t i, std::string& text);

inline std::size_t spans_of(const TimelineDocument& d) { return d.written->spans().size(); }
inline void span_at(const TimelineDocument& d, std::size_t i, SpanRow& out) {
  const Span& s = d.written->spans()[i];
  static_cast<Span&>(out) = s;
  out.attributes_of.of = d.written;
  out.attributes_of.first = d.written->begin(s);
  out.attributes_of.last = d.written->end(s);
}
/// Errors: a text that is not in the list.
Result<void> add_span(TimelineDocument& document, std::size_t i, SpanRow& row);

/// Errors: a parent that is no span.
Result<void> check_parents(const Timeline& timeline);

}  // namespace ridge::profile

namespace ridge {

template <>
struct record::Describe<profile::SpanRow> {
  using T = profile::SpanRow;
  static constexpr std::array fields{
      field<&T::level>("level", "of the stack"),
      field<&T::name>("name", "position in texts"),
      field<&T::start_ns>("start_ns", "from the start of the timeline"),
      field<&T::end_ns>("end_ns", "from the start of the timeline"),
      field<&T::parent>("parent", "position of the span that caused it, where there is one",
                        only_when<&profile::has_parent>()),
      field<&T::thread>("thread", "position in texts", only_when<&profile::has_thread>()),
      field<&T::device>("device", "position in texts", only_when<&profile::has_device>()),
      field<&T::queue>("queue", "position in texts: the stream of a device",
                       only_when<&profile::has_queue>()),
      field<&T::correlation>("correlation", "equal on a launch and what it launched",
                             only_when<&profile::has_correlation>()),
      field<&T::attributes_of>("attributes", "further facts, name to text",
                               only_when<&profile::has_attributes>(), no_column())};
  static void write(JsonWriter& json, const T& span);
};

template <>
struct record::Describe<profile::TimelineDocument> {
  using T = profile::TimelineDocument;
  static constexpr std::array fields{
      rows<std::string, &profile::texts_of, &profile::text_at, &profile::add_text>(
          "texts",
          "what name, thread, device and queue of the spans refer to by position; the first is the "
          "empty text"),
      rows<profile::SpanRow, &profile::spans_of, &profile::span_at, &profile::add_span>(
          "spans", "a parent is a position in this array", on_line(), item_lines())};

  static Result<void> check(const T& document) { return profile::check_parents(document.read); }
};

}  // namespace ridge
