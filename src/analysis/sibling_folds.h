// SPDX-License-Identifier: Apache-2.0
// Detects sibling modules that are copies of each other, such as the layers of a network.
//
// Two modules are equal if they contain the same operators in the same order with the same output
// types and work, at every level, under names that differ only in digits. Equal siblings are folded
// if their own names differ only in the last number: "layer.0", "layer.1". Two copies with another
// module between them stay separate, and so do separated one-node modules of a sequence
// ("features.3").
// Cost: O(nodes) to construct, O(siblings) per query. Signatures are 64-bit hashes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/module_work.h"
#include "analysis/resolved.h"

namespace ridge::analysis {

struct Fold {
  std::vector<graph::ModuleId> modules;  ///< copies in order, at least one
  std::string label;                     ///< "conv1", "layer.0 .. 11", "blocks.0, 2, 4"
};

class SiblingFolds {
 public:
  SiblingFolds(const Resolved& resolved, const ModuleIndex& index);
  /// Folds of `siblings` (from ModuleIndex::children), in the order of their first members.
  std::vector<Fold> of(std::span<const graph::ModuleId> siblings) const;

 private:
  /// Signature of a module. `kinds`: signatures by KindId.
  std::uint64_t sign(const Resolved& resolved, std::span<const std::uint64_t> kinds,
                     graph::ModuleId m) const;

  const graph::Model& model_;
  const ModuleIndex& index_;
  std::vector<std::uint64_t> signature_;  // by ModuleId
  std::vector<bool> single_;              // by ModuleId: one node and no submodules
};

/// Last component of a module path.
std::string_view module_leaf(std::string_view path);

}  // namespace ridge::analysis
