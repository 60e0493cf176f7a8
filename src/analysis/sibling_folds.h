// Which modules side by side are copies of each other, as the layers of a network are.
//
// Two are equal where they hold the same operators in the same order with the same output types and
// work, at every level, under names that differ in numbers only. Copies are folded where their own
// names differ in the last number only: "layer.0", "layer.1". Two copies with something between
// them keep their places, and so do single nodes of a sequence ("features.3").
// Cost: O(nodes) to make, O(siblings) to ask. Signatures are 64-bit hashes.
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
  /// In the order of their first members. `siblings`: as ModuleIndex::children gives them.
  std::vector<Fold> of(std::span<const graph::ModuleId> siblings) const;

 private:
  /// `kinds`: signatures by KindId.
  std::uint64_t sign(const Resolved& resolved, std::span<const std::uint64_t> kinds,
                     graph::ModuleId m) const;

  const graph::Model& model_;
  const ModuleIndex& index_;
  std::vector<std::uint64_t> signature_;  // by ModuleId
  std::vector<bool> single_;              // by ModuleId: one node, nothing inside
};

/// The last part of a path.
std::string_view module_leaf(std::string_view path);

}  // namespace ridge::analysis
