// SPDX-License-Identifier: Apache-2.0
// Anchors from values: what the trials of a check run (value_match.h) say about tensors that names
// do not decide. Private to attributor.cc.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "attribution/anchors.h"
#include "attribution/optimized.h"
#include "attribution/original.h"
#include "attribution/value_match.h"
#include "attribution/value_numbers.h"

namespace ridge::attribution {

class ValueAnchors {
 public:
  ValueAnchors(const Original& original, const ValueNumbers& numbers, const OptimizedGraph& graph,
               std::span<const ValueTrial> trials, const Anchors& named);

  /// Confirms anchors that rest on a naming rule, replaces those that equal another tensor of the
  /// model, and removes those that are refuted.
  void correct(Anchors& anchors) const;
  /// Adds tensors that no name explains and that equal one tensor of the model.
  void extend(Anchors& anchors) const;
  const ValueCounts& counts() const { return counts_; }

 private:
  std::optional<EqualTensor> decide(const ValueTrial& trial, ValueId named, NodeId kernel) const;
  std::uint64_t data_of(ValueId v) const;

  struct Decision {
    ValueId tensor, value;  // value kNone: undecided
    bool refuted;
  };
  const Original& original_;
  const ValueNumbers& numbers_;
  std::vector<Decision> decisions_;
  ValueCounts counts_;
};

}  // namespace ridge::attribution
