// Spans on one clock: what happened when, at which level of the stack, on which thread, device and
// queue. Plain data of recorded runs, ours or imported; src/trace correlates and asks.
//
//   Timeline t;
//   const SpanId run = t.add({.level = Level::kModel, .name = t.intern("run"), .end_ns = 900});
//   t.add({.parent = run, .level = Level::kLayer, .name = t.intern("conv1"), .end_ns = 400});
//   t.attribute("node", "17");                       // of the span added last
//
// Texts are kept once. Times are nanoseconds from the timeline's own start and may be negative
// where a file says so. Ownership: owns its texts. Thread rule: plain data. Cost: 56 bytes per
// span, an addition is a few nanoseconds; a text costs one hash, some ten nanoseconds.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::profile {

enum class Level : std::uint8_t {
  kApplication,  ///< the caller's own ranges
  kModel,        ///< one run of the model
  kLayer,        ///< as the runtime executes it
  kLibrary,      ///< a call of a library: implementation, reorder, launch
  kKernel,       ///< on its device
  kThread,       ///< the part of a layer that one thread did
  kCounter,      ///< a value over a time
};

std::string_view name(Level level);

using SpanId = std::uint32_t;  ///< position in Timeline::spans()
using TextId = std::uint32_t;  ///< 0 is the empty text: not said
inline constexpr SpanId kNoSpan = std::numeric_limits<SpanId>::max();

/// Nanoseconds from 0, 73 years: the difference of two such times, and a bit more, has 64 bits.
/// A file may say others; who reckons with them leaves those out or cuts them, and says so.
inline constexpr std::int64_t kFarthest = std::int64_t{1} << 61;

struct Span {
  SpanId parent = kNoSpan;
  Level level = Level::kModel;
  TextId name = 0;
  std::int64_t start_ns = 0, end_ns = 0;
  TextId thread = 0, device = 0, queue = 0;
  std::uint64_t correlation = 0;  ///< equal on a launch and what it launched; 0: none
  std::uint32_t first_attribute = 0, attributes = 0;  ///< set by Timeline::attribute

  std::int64_t duration_ns() const { return end_ns - start_ns; }
};

struct SpanAttribute {
  TextId key = 0, value = 0;
};

class Timeline {
 public:
  SpanId add(const Span& span);
  /// Of the span added last.
  void attribute(std::string_view key, std::string_view value);
  void attribute(TextId key, TextId value);
  /// Of any span; those of a span are kept together, so that it may move them.
  void attribute(SpanId span, TextId key, TextId value);

  TextId intern(std::string_view text);
  std::string_view text(TextId id) const { return texts_[id]; }
  std::size_t texts() const { return texts_.size(); }

  std::vector<Span>& spans() { return spans_; }
  const std::vector<Span>& spans() const { return spans_; }
  const SpanAttribute* begin(const Span& span) const {
    return attributes_.data() + span.first_attribute;
  }
  const SpanAttribute* end(const Span& span) const { return begin(span) + span.attributes; }
  /// The value of that key, "" where it is not said.
  std::string_view attribute_of(const Span& span, std::string_view key) const;
  bool empty() const { return spans_.empty(); }

  Timeline() : texts_(1) {}

 private:
  /// Of the hash table of texts, with open addressing: a look-up touches one line of it.
  struct Slot {
    std::uint32_t hash = 0;
    TextId id = 0;  ///< 0: free
  };
  void grow();

  std::vector<Span> spans_;
  std::vector<SpanAttribute> attributes_;
  std::deque<std::string> texts_;  ///< the views that text() gives stay
  std::vector<Slot> slots_;        ///< a power of two, at most half full
};

}  // namespace ridge::profile
