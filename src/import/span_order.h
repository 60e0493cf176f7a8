// SPDX-License-Identifier: Apache-2.0
// Order of the operators in each run, so that the k-th operator of a name in every run is one
// layer.
//
//   SpanOrder order(spans, nesting, runs);
//   order.nth(i);              // always 0 if not ordered: spans of a name are then one layer
//   order.operation(i);        // properties for matching by order; nullopt: not ordered
//
// Needs a model. Runs whose operators differ from most runs' are dropped; if fewer than half agree,
// or a run has more than kMaxOperations, nothing is ordered. If a recording does not mark where
// runs begin, runs are detected from operators that repeat as often as the recorded products are a
// multiple of the model's. Cost: linear.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/error.h"
#include "import/span_facts.h"
#include "import/span_nesting.h"
#include "import/span_runs.h"

namespace ridge::imports {

class SpanOrder {
 public:
  SpanOrder(const Spans& spans, const SpanNesting& nesting, SpanRuns& runs);

  std::uint32_t nth(profile::SpanId span) const { return nth_.empty() ? 0 : nth_[span]; }
  std::optional<RecordedOperation> operation(profile::SpanId span) const;
  std::size_t odd_runs() const { return odd_runs_; }
  /// Set if the choice of runs (Spans::choice) fits none.
  const std::optional<Error>& refused() const { return refused_; }
  const std::vector<std::string>& notes() const { return notes_; }

  static constexpr std::size_t kMaxOperations = 50'000;

 private:
  void tell_runs(SpanRuns& runs, const std::vector<profile::SpanId>& operations);
  void choose(SpanRuns& runs);
  bool leave_out_odd(SpanRuns& runs, const std::vector<profile::SpanId>& operations);

  const Spans& given_;
  const SpanNesting& nesting_;
  std::vector<std::uint32_t> nth_;  // by span; empty: not ordered
  std::size_t odd_runs_ = 0;
  std::optional<Error> refused_;
  std::vector<std::string> notes_;
};

/// Parses "[[1, 3, 8, 8], [], [[2], [3]]]" into its innermost lists; stops at anything that is not
/// a list of numbers.
std::vector<std::vector<std::int64_t>> parse_shapes(std::string_view text);

}  // namespace ridge::imports
