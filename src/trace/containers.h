// The innermost interval around another, as intervals come in order of their starts.
//
//   Containers c(spans);
//   for (SpanId s : c.order()) { const Container found = c.around(s); c.add(s); }
//
// order(): by start, longer first, higher level first, then as in the file; around() sees what was
// added before. Admissible around a span: spans of a higher level, or of the same one where it
// nests (application, layer, library), on its thread; or on any, where either names none. What a
// device, a worker thread or a counter tells lies on no thread of the program. See correlate.h.
//
// Cost: O(log n) each. Per thread and level a stack of intervals with ever smaller ends (the
// nearest earlier one that ends late enough is the innermost), and the ends of those that left it
// while still running, which only overlapping ones do.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "profile/timeline.h"

namespace ridge::trace {

/// Whether the level may lie in itself: control flow, nested operators, calls in calls.
bool nests(profile::Level level);
/// On the thread it names; otherwise its thread says nothing about what caused it.
bool on_its_thread(const profile::Span& span);
/// An end before the start counts as the start.
inline std::int64_t end_of(const profile::Span& span) {
  return span.end_ns < span.start_ns ? span.start_ns : span.end_ns;
}

struct Container {
  profile::SpanId span = profile::kNoSpan;
  bool one_of_several = false;  ///< containers that do not contain each other
};

class Containers {
 public:
  explicit Containers(const std::vector<profile::Span>& spans);

  const std::vector<profile::SpanId>& order() const { return order_; }
  Container around(profile::SpanId id) const;
  void add(profile::SpanId id);

 private:
  static constexpr std::size_t kLevels = 7;

  /// Spans of one level on one thread.
  struct Row {
    std::vector<std::uint32_t> stack;  ///< places in order_, ends fall
    std::multiset<std::int64_t> left;  ///< ends of what was pushed out and goes on
  };
  using Lane = std::array<Row, kLevels>;
  /// The two latest ends of different threads, of one level.
  struct LatestEnds {
    struct End {
      profile::TextId thread = 0;
      std::int64_t ns = 0;
    };
    std::optional<End> first, second;
    void add(End end);
    bool other_than(profile::TextId thread, std::int64_t at_least_ns) const;
  };
  struct Search;

  void search(const Lane& lane, const profile::Span& inner, Search& found) const;
  void push(Row& row, std::uint32_t place) const;
  const profile::Span& at(std::uint32_t place) const { return spans_[order_[place]]; }

  const std::vector<profile::Span>& spans_;
  std::vector<profile::SpanId> order_;
  std::uint32_t added_ = 0;
  bool any_off_thread_ = false;
  std::unordered_map<profile::TextId, Lane> lanes_;  ///< by thread; 0: on none
  Lane all_;
  std::array<LatestEnds, kLevels> latest_;
};

}  // namespace ridge::trace
