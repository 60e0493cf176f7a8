// The sizes that a recording ran a model at.
//
//   RecordedSizes s = recorded_sizes(recorded, symbolic, names);   // FreeSizes::kSymbolic
//   s.sizes["batch"]                                               // 4
//
// A recorded tensor that the model has under the same name, or that a layer called like a node
// reads or writes, is set beside the model's own expression of its sizes; where these are one free
// size alone, the recording says its value. Of several values the most frequent is taken. A layer
// that is called after a node by a rule (names.h) counts where all its other sizes agree, and so
// does an operator of PyTorch that has its place in the order of the nodes (operators.h).
// Cost: O(layers + their dimensions), of PyTorch that of operators.h. Pure.
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
  std::map<std::string, std::int64_t> sizes;  ///< of free sizes; an unnamed one is "input[2]"
  std::set<std::string> vary;                 ///< those that differ between runs
  /// Where a tensor has other sizes than the file fixes: "'conv1' writes 4x64x56x56, …"; "": none.
  std::string contradiction;
};

RecordedSizes recorded_sizes(const Recorded& recorded, const analysis::Resolved& symbolic,
                             const NameIndex& names);

/// What of these goes into the bindings of a model: what `given` leaves free. Adds notes of what
/// was taken and of what `given` says otherwise.
analysis::Bindings with_recorded(const RecordedSizes& recorded, const graph::Model& model,
                                 analysis::Bindings given, std::vector<std::string>& notes);

}  // namespace ridge::imports
