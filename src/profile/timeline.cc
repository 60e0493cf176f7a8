#include "profile/timeline.h"

namespace ridge::profile {

std::string_view name(Level level) {
  switch (level) {
    case Level::kApplication:
      return "application";
    case Level::kModel:
      return "model";
    case Level::kLayer:
      return "layer";
    case Level::kLibrary:
      return "library";
    case Level::kKernel:
      return "kernel";
    case Level::kThread:
      return "thread";
    case Level::kCounter:
      return "counter";
  }
  return "?";
}

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

TextId Timeline::intern(std::string_view text) {
  if (const auto found = ids_.find(text); found != ids_.end()) return found->second;
  const auto id = static_cast<TextId>(texts_.size());
  ids_.emplace(texts_.emplace_back(text), id);
  return id;
}

std::string_view Timeline::attribute_of(const Span& span, std::string_view key) const {
  for (const SpanAttribute* a = begin(span); a != end(span); ++a)
    if (text(a->key) == key) return text(a->value);
  return "";
}

Timeline::Timeline(const Timeline& other) : spans_(other.spans_), attributes_(other.attributes_) {
  for (const std::string& text : other.texts_) intern(text);
}

Timeline& Timeline::operator=(const Timeline& other) {
  if (this != &other) *this = Timeline(other);
  return *this;
}

}  // namespace ridge::profile
