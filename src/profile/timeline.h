// SPDX-License-Identifier: Apache-2.0
// Spans on one clock: each with its level of the stack, thread, device and queue. Plain data of
// recorded or imported runs; src/trace correlates and queries it.
//
//   Timeline t;
//   const SpanId run = t.add({.level = Level::kModel, .name = t.intern("run"), .end_ns = 900});
//   t.add({.parent = run, .level = Level::kLayer, .name = t.intern("conv1"), .end_ns = 400});
//   t.attribute("node", "17");                       // of the span added last
//
// Each distinct text is stored once. Times are nanoseconds from the start of the timeline and may
// be negative if a file contains negative times. Ownership: owns its texts. Thread rule: plain
// data. Cost: 64 bytes per span, a few nanoseconds per addition; one hash, some ten nanoseconds,
// per text.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.h"

namespace ridge::profile {

enum class Level : std::uint8_t {
  kApplication,  ///< the caller's own ranges
  kModel,        ///< one run of the model
  kLayer,        ///< one layer, as the runtime executes it
  kLibrary,      ///< a call of a library: implementation, reorder, launch
  kKernel,       ///< one kernel on its device
  kThread,       ///< the part of a layer that one thread executed
  kCounter,      ///< a value over an interval of time
};

std::string_view name(Level level);

using SpanId = std::uint32_t;  ///< position in Timeline::spans()
using TextId = std::uint32_t;  ///< 0 is the empty text: unknown
inline constexpr SpanId kNoSpan = std::numeric_limits<SpanId>::max();

/// Limit on the magnitude of times, 73 years in nanoseconds: the difference of two such times does
/// not overflow 64 bits. Files may contain larger times; code that computes with them must skip or
/// clamp them and report that.
inline constexpr std::int64_t kFarthest = std::int64_t{1} << 61;

struct Span {
  SpanId parent = kNoSpan;
  Level level = Level::kModel;
  TextId name = 0;
  std::int64_t start_ns = 0, end_ns = 0;
  TextId thread = 0, device = 0, queue = 0;
  std::uint64_t correlation = 0;  ///< equal for a launch and the launched work; 0: none
  std::uint32_t first_attribute = 0, attributes = 0;  ///< set by Timeline::attribute

  std::int64_t duration_ns() const { return end_ns - start_ns; }
};

struct SpanAttribute {
  TextId key = 0, value = 0;
};

class Timeline {
 public:
  SpanId add(const Span& span);
  /// Adds an attribute to the span added last.
  void attribute(std::string_view key, std::string_view value);
  void attribute(TextId key, TextId value);
  /// Adds an attribute to any span. Attributes of a span are contiguous, so this may move them.
  void attribute(SpanId span, TextId key, TextId value);

  TextId intern(std::string_view text);
  /// Adds a text of a document, also where an earlier one is equal: positions stay as they are.
  void append_text(std::string text);
  std::string_view text(TextId id) const { return texts_[id]; }
  const std::string& stored_text(TextId id) const { return texts_[id]; }
  std::size_t texts() const { return texts_.size(); }

  std::vector<Span>& spans() { return spans_; }
  const std::vector<Span>& spans() const { return spans_; }
  const SpanAttribute* begin(const Span& span) const {
    return attributes_.data() + span.first_attribute;
  }
  const SpanAttribute* end(const Span& span) const { return begin(span) + span.attributes; }
  /// Returns the value of that key, "" if the span lacks it.
  std::string_view attribute_of(const Span& span, std::string_view key) const;
  bool empty() const { return spans_.empty(); }

  Timeline() : texts_(1) {}

 private:
  /// Slot of the hash table of texts (open addressing): a look-up usually touches one cache line.
  struct Slot {
    std::uint32_t hash = 0;
    TextId id = 0;  ///< 0: free
  };
  void grow();

  std::vector<Span> spans_;
  std::vector<SpanAttribute> attributes_;
  std::deque<std::string> texts_;  ///< a deque, so that views returned by text() stay valid
  std::vector<Slot> slots_;        ///< size: a power of two; at most half full
};

}  // namespace ridge::profile

namespace ridge {

template <>
struct Words<profile::Level> {
  using E = profile::Level;
  static constexpr std::array list{
      Word{E::kApplication, "application"}, Word{E::kModel, "model"},   Word{E::kLayer, "layer"},
      Word{E::kLibrary, "library"},         Word{E::kKernel, "kernel"}, Word{E::kThread, "thread"},
      Word{E::kCounter, "counter"}};
};

inline std::string_view profile::name(Level level) { return word(level); }

}  // namespace ridge
