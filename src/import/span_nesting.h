// What encloses what on the threads of a recording, and which span each one is charged to.
//
//   SpanNesting nesting(spans);
//   nesting.owner(i);      // the span that i's time, and that of what it launches, belongs to
//
// Of the host alone; others have neither. See span_layers.h for who owns. Cost: O(n log n).
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "import/span_facts.h"

namespace ridge::imports {

class SpanNesting {
 public:
  explicit SpanNesting(const Spans& spans);

  /// The innermost span around another on its thread; kNoSpan: none.
  profile::SpanId around(profile::SpanId span) const { return around_[span]; }
  profile::SpanId owner(profile::SpanId span) const { return owner_[span]; }
  /// The module that a span lies in: a text of the timeline, 0 where nothing says it.
  profile::TextId module(profile::SpanId span) const { return module_[span]; }
  /// Whether it is owned by itself, and an operation that no node is called after.
  bool is_operation(profile::SpanId span) const;
  /// Whether the table of operators has it; false without a model.
  bool is_known(profile::SpanId span) const {
    return ranks_[given_.timeline.spans()[span].name] == kKnown;
  }
  std::int64_t overlapping() const { return overlapping_; }

 private:
  enum Rank : std::uint8_t { kUnranked, kRange, kOperation, kKnown, kNamed };

  void nest();
  void own(profile::SpanId span);
  void place(profile::SpanId span);
  Rank rank(const profile::Span& span) const;
  Rank rank_of_name(profile::TextId name) const;

  const Spans& given_;
  std::vector<Rank> ranks_;  // by text: kNamed, kKnown, else kUnranked
  std::vector<profile::SpanId> around_, owner_;
  std::vector<profile::TextId> module_;
  std::int64_t overlapping_ = 0;
};

}  // namespace ridge::imports
