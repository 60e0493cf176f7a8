// Sizes of a model that hold whatever its free sizes are, so that an edit may write them into
// constants.
//
//   FixedSizes fixed(resolved);
//   if (const std::optional<std::int64_t> heads = fixed.size(query, 1)) ...
//
// Ownership: borrows the model. Thread rule: one thread. Cost: the first question about a model
// with free sizes resolves it once more.
#pragma once

#include <optional>

#include "analysis/resolved.h"

namespace ridge::rewrite {

class FixedSizes {
 public:
  explicit FixedSizes(const analysis::Resolved& resolved) : resolved_(resolved) {}

  /// std::nullopt if it depends on a free size, or is not known to be independent.
  std::optional<std::int64_t> size(graph::ValueId v, std::size_t axis);
  /// True if two sizes are equal and remain so.
  bool same(graph::ValueId a, std::size_t axis_a, graph::ValueId b, std::size_t axis_b);

 private:
  ops::Dim dim(graph::ValueId v, std::size_t axis);

  const analysis::Resolved& resolved_;
  bool tried_ = false;
  std::optional<analysis::Resolved> free_;  // with free sizes as symbols
};

}  // namespace ridge::rewrite
