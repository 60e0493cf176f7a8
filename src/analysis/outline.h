// SPDX-License-Identifier: Apache-2.0
// Module tree as rows for display: indented, collapsed below a depth, equal siblings merged.
//
//   for (const OutlineRow& row : outline(resolved, {}))
//     print(std::string(2 * row.level, ' ') + row.label, row.operators, row.work.macs);
//
// Siblings whose names differ only in their last number and that contain the same operators with
// the same outputs and work at every level are merged into one row: "layer.0 .. 11", count 12. The
// counts of such a row, and of the rows below it, are sums over all copies, so shares add up; the
// output is the first copy's. Merging rules: analysis/sibling_folds.h.
// Cost: O(nodes + edges * depth). Empty if the model has no modules.
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
    kOwnNodes,  ///< nodes directly in the parent row's module, besides its submodules
    kRest,      ///< siblings beyond the limit
  };
  Kind kind = Kind::kModule;
  std::uint32_t level = 0;  ///< 0: the whole model
  std::int64_t count = 1;   ///< number of modules that the row represents
  std::string label;        ///< "layer1.0", "layer.0 .. 11"; empty for the whole model
  /// "Conv", "MatMul ×2, Softmax, …": most work first; empty if the rows below list them.
  std::string operators;
  ModuleWork work;
};

struct OutlineOptions {
  std::optional<std::uint32_t> depth = {};  ///< absent: as deep as fits into `rows`, at least 1
  std::size_t rows = 48;                    ///< row limit when no depth is set
};

std::vector<OutlineRow> outline(const Resolved& resolved, const OutlineOptions& options);

/// Summary of the operators of `nodes`: "MatMul ×2, Softmax, Add", by MACs, then bytes, at most
/// three, then an ellipsis. Views and constants are listed only if there is nothing else.
std::string operators_text(const Resolved& resolved, std::span<const graph::NodeId> nodes);

}  // namespace ridge::analysis
