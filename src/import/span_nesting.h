// SPDX-License-Identifier: Apache-2.0
// Nesting of the spans on each thread of a recording, and the span that each one is charged to.
//
//   SpanNesting nesting(spans);
//   nesting.owner(i);      // the span charged with the time of i and of what i launches
//
// Covers host spans only; device spans have neither. Rules of ownership: span_layers.h. Cost: O(n
// log n).
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "import/span_facts.h"

namespace ridge::imports {

class SpanNesting {
 public:
  explicit SpanNesting(const Spans& spans);

  /// Innermost span that encloses another on its thread; kNoSpan: none.
  profile::SpanId around(profile::SpanId span) const { return around_[span]; }
  profile::SpanId owner(profile::SpanId span) const { return owner_[span]; }
  /// Module that encloses a span: a text of the timeline, 0 if unknown.
  profile::TextId module(profile::SpanId span) const { return module_[span]; }
  /// True if the span owns itself and is an operation not named after a node.
  bool is_operation(profile::SpanId span) const;
  /// True if the table of operators has it; always false without a model.
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
