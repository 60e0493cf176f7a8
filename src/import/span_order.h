// The operators of each run in their order, so that the k-th of a name in every run is one layer.
//
//   SpanOrder order(spans, nesting, runs);
//   order.nth(i);              // 0 where spans of a name are one layer
//   order.operation(i);        // what the join by order needs to know of it; nullopt: not ordered
//
// Only with a model. Runs whose operators are not those of most are left out; where no half of them
// agrees, or a run has more than kMostOperations, nothing is ordered. Where a recording does not
// say when runs begin, and its operators repeat as often as they have the model's products, that
// tells its runs. Cost: linear.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

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

  static constexpr std::size_t kMostOperations = 50'000;

 private:
  void tell_runs(SpanRuns& runs, const std::vector<profile::SpanId>& operations);
  bool leave_out_odd(SpanRuns& runs, const std::vector<profile::SpanId>& operations);

  const Spans& given_;
  const SpanNesting& nesting_;
  std::vector<std::uint32_t> nth_;  // by span; empty: not ordered
  std::size_t odd_runs_ = 0;
};

/// "[[1, 3, 8, 8], [], [[2], [3]]]": every list of numbers, and every empty one. Anything else ends
/// it.
std::vector<std::vector<std::int64_t>> parse_shapes(std::string_view text);

}  // namespace ridge::imports
