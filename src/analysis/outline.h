// The module tree as rows for people: indented, closed below a depth, equal siblings told once.
//
//   for (const OutlineRow& row : outline(resolved, {}))
//     print(std::string(2 * row.level, ' ') + row.label, row.operators, row.work.macs);
//
// Siblings whose names differ in their last number only, and that hold the same operators with the
// same outputs and work at every level, become one row: "layer.0 .. 11", count 12. The figures of
// that row and of those below it are of all of them together, so shares add up; the output is that
// of the first. Which copies are folded: analysis/sibling_folds.h.
// Cost: O(nodes + edges * depth). Empty where the model has no modules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/module_work.h"
#include "analysis/resolved.h"

namespace ridge::analysis {

struct OutlineRow {
  enum class Kind : std::uint8_t {
    kModule,
    kOwnNodes,  ///< what stands in the module above itself, beside the modules inside it
    kRest,      ///< siblings past the limit
  };
  Kind kind = Kind::kModule;
  std::uint32_t level = 0;  ///< 0: the whole model
  std::int64_t count = 1;   ///< modules of the tree that the row stands for
  std::string label;        ///< "layer1.0", "layer.0 .. 11"; empty for the whole model
  /// "Conv", "MatMul ×2, Softmax, …": most work first; empty where the rows below tell it.
  std::string operators;
  ModuleWork work;
};

struct OutlineOptions {
  std::optional<std::uint32_t> depth = {};  ///< absent: as deep as `rows` allow, at least 1
  std::size_t rows = 48;                    ///< without a depth
};

std::vector<OutlineRow> outline(const Resolved& resolved, const OutlineOptions& options);

/// Of some nodes: "MatMul ×2, Softmax, Add", most MACs first, then bytes; three at most, then an
/// ellipsis. Views and constants are named only where there is nothing else.
std::string operators_text(const Resolved& resolved, std::span<const graph::NodeId> nodes);

}  // namespace ridge::analysis
