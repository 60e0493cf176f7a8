// SPDX-License-Identifier: Apache-2.0
// Where tensors lie in memory, so far as nodes that only move data need it: parts of others, and
// inputs of a Concat in its output.
//
// A tensor is named by its home (analysis/traffic/storage.h). A tensor that has no place yet may be
// placed once, inside another; the tensors inside it move with it. Thread rule: one thread. Cost:
// O(inputs x log) per Concat.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "accelerator/form.h"
#include "analysis/resolved.h"
#include "analysis/traffic/storage.h"

namespace ridge::accelerator {

class Placement {
 public:
  Placement(const analysis::Resolved& resolved, const analysis::Storage& storage);

  /// True if the graph returns the tensor.
  bool handed(graph::ValueId home) const { return handed_[home]; }
  /// True if a node makes the tensor and it may still be placed inside another.
  bool movable(graph::ValueId home) const;

  /// Declares `home` a part of `whole` that begins at element `offset`; negative: not known.
  void view(graph::ValueId home, graph::ValueId whole, std::int64_t offset);
  /// Gives the tensor a place that no Concat can use.
  void fix(graph::ValueId home) { fixed_[home] = true; }
  /// Places the inputs one after the other, in memory of `home` or where the first placed input has
  /// room after it. Returns, per input, whether it must be copied.
  std::vector<bool> concatenate(graph::ValueId home, std::vector<graph::ValueId> inputs,
                                const Sizes& sizes);
  /// Places all inputs but the first in the rows that follow it; likewise.
  std::vector<bool> append(graph::ValueId home, std::vector<graph::ValueId> inputs);

 private:
  struct Place {
    graph::ValueId whole = graph::kNone;
    std::int64_t offset = 0;
  };
  using Extents = std::map<std::int64_t, std::int64_t>;  ///< size by offset

  std::int64_t size(graph::ValueId home) const;
  /// Home of the tensor that `home` is another shape of, or itself.
  graph::ValueId original(graph::ValueId home) const;
  Extents& extents(graph::ValueId whole);
  bool is_free(graph::ValueId whole, std::int64_t offset, std::int64_t length);
  Place located(graph::ValueId home) const;
  /// Place of the concatenation inside the tensor that holds an input already.
  std::optional<Place> anchor(graph::ValueId home, const std::vector<graph::ValueId>& inputs,
                              const Sizes& sizes);

  const analysis::Resolved& r_;
  std::vector<bool> handed_, fixed_;  ///< by home
  std::map<graph::ValueId, Place> places_;
  std::map<graph::ValueId, Extents> extents_;
};

}  // namespace ridge::accelerator
