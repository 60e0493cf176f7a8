// SPDX-License-Identifier: Apache-2.0
// Infers the input sizes at which a recording ran the model.
//
//   RecordedSizes s = recorded_sizes(recorded, symbolic, names);   // FreeSizes::kSymbolic
//   s.sizes["batch"]                                               // 4
//
// The shape of a recorded tensor is compared with the model's symbolic shape of the same tensor: a
// tensor of the same name, or an input or output of the node that a layer is named after. A
// dimension that is a single free size yields a value for it; the most frequent value wins. A
// tensor counts only if its known dimensions agree. If they disagree and the match is certain, that
// is a contradiction; not so for a layer matched by a naming rule (names.h) or a PyTorch operator
// matched by order (operators.h). Cost: O(layers + their dimensions), plus the cost of operators.h
// for PyTorch. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "import/names.h"
#include "import/recorded.h"

namespace ridge::imports {

struct RecordedSizes {
  /// By name of the free size; an unnamed one is "input[2]".
  std::map<std::string, std::int64_t> sizes;
  std::set<std::string> vary;  ///< free sizes that differ between runs
  /// Conflict between a tensor and fixed sizes of the model: "'conv1' writes 4x64x56x56, …"; "":
  /// none.
  std::string contradiction;
};

RecordedSizes recorded_sizes(const Recorded& recorded, const analysis::Resolved& symbolic,
                             const NameIndex& names);

/// Adds to `given` the recorded values of sizes that it leaves free. Adds notes of the values taken
/// and of conflicts with `given`.
analysis::Bindings with_recorded(const RecordedSizes& recorded, const graph::Model& model,
                                 analysis::Bindings given, std::vector<std::string>& notes);

}  // namespace ridge::imports
