// SPDX-License-Identifier: Apache-2.0
// Search for the innermost interval that contains another; intervals are added in order of start.
//
//   Containers c(spans);
//   for (SpanId s : c.order()) { const Container found = c.around(s); c.add(s); }
//
// order(): by start, longer first, higher level first, then as in the file; around() searches the
// spans added so far. Candidates are spans of a higher level, or of the same level where it nests
// (application, layer, library), on the same thread, or on any thread where either span has none.
// Kernels on devices and spans of levels thread and counter count as on no thread. See correlate.h.
//
// Cost: O(log n) each. Data per thread and level: a stack of intervals with decreasing ends, in
// which the last one that ends late enough is the innermost, and the ends of the intervals that
// were removed from the stack while still running, which happens only where intervals overlap.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "profile/timeline.h"

namespace ridge::trace {

/// True if spans of the level may contain each other: control flow, nested operators, nested calls.
bool nests(profile::Level level);
/// True if the span has a thread that limits its containers; false for spans without a thread,
/// kernels on devices, and levels thread and counter.
bool on_its_thread(const profile::Span& span);
/// End of a span; an end before the start counts as the start.
inline std::int64_t end_of(const profile::Span& span) {
  return span.end_ns < span.start_ns ? span.start_ns : span.end_ns;
}

struct Container {
  profile::SpanId span = profile::kNoSpan;
  bool one_of_several = false;  ///< several spans contain it, but not each other
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
    std::vector<std::uint32_t> stack;  ///< positions in order_, with decreasing ends
    std::multiset<std::int64_t> left;  ///< ends of removed spans that still run
  };
  using Lane = std::array<Row, kLevels>;
  /// The latest ends on two different threads, for one level.
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
  std::unordered_map<profile::TextId, Lane> lanes_;  ///< by thread; 0: no thread
  Lane all_;
  std::array<LatestEnds, kLevels> latest_;
};

}  // namespace ridge::trace
