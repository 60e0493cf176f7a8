// SPDX-License-Identifier: Apache-2.0
#include "profile/timeline.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace ridge::profile {

SpanId Timeline::add(const Span& span) {
  const auto id = static_cast<SpanId>(spans_.size());
  spans_.push_back(span);
  spans_.back().first_attribute = static_cast<std::uint32_t>(attributes_.size());
  spans_.back().attributes = 0;
  return id;
}

void Timeline::attribute(std::string_view key, std::string_view value) {
  const TextId id = intern(key);
  attribute(id, intern(value));
}

void Timeline::attribute(TextId key, TextId value) {
  attributes_.push_back({key, value});
  ++spans_.back().attributes;
}

void Timeline::attribute(SpanId span, TextId key, TextId value) {
  Span& s = spans_[span];
  if (s.first_attribute + s.attributes != attributes_.size()) {
    const std::uint32_t first = s.first_attribute;
    s.first_attribute = static_cast<std::uint32_t>(attributes_.size());
    for (std::uint32_t i = 0; i < s.attributes; ++i) attributes_.push_back(attributes_[first + i]);
  }
  attributes_.push_back({key, value});
  ++s.attributes;
}

TextId Timeline::intern(std::string_view text) {
  if (text.empty()) return 0;
  if (texts_.size() * 2 >= slots_.size()) grow();
  const std::size_t hash = std::hash<std::string_view>()(text), mask = slots_.size() - 1;
  const auto mark = static_cast<std::uint32_t>(hash >> 32);
  std::size_t at = hash & mask;
  for (; slots_[at].id != 0; at = (at + 1) & mask)
    if (slots_[at].hash == mark && texts_[slots_[at].id] == text) return slots_[at].id;
  const auto id = static_cast<TextId>(texts_.size());
  texts_.emplace_back(text);
  slots_[at] = {mark, id};
  return id;
}

void Timeline::append_text(std::string text) {
  if (const std::size_t next = texts_.size(); text.empty() || intern(text) != next)
    texts_.push_back(std::move(text));
}

void Timeline::grow() {
  constexpr std::size_t kFirst = 64;
  slots_.assign(std::max(kFirst, slots_.size() * 2), {});
  const std::size_t mask = slots_.size() - 1;
  for (TextId id = 1; id < texts_.size(); ++id) {
    const std::size_t hash = std::hash<std::string_view>()(texts_[id]);
    std::size_t at = hash & mask;
    while (slots_[at].id != 0) at = (at + 1) & mask;
    slots_[at] = {static_cast<std::uint32_t>(hash >> 32), id};
  }
}

std::string_view Timeline::attribute_of(const Span& span, std::string_view key) const {
  for (const SpanAttribute* a = begin(span); a != end(span); ++a)
    if (text(a->key) == key) return text(a->value);
  return "";
}

}  // namespace ridge::profile
