// SPDX-License-Identifier: Apache-2.0
// 64-bit keys of nodes, independent of tensor names and, except for kName and kModule, of node
// names: nodes with equal keys are considered equal. Ordered from exact to loose, so that nodes
// that differ in one may agree in the next. All keys include the operators of the enclosing control
// flow.
//
// Cost: O(nodes + edges). Keys of two models are comparable.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/resolved.h"

namespace ridge::analysis {

enum class Likeness : std::uint8_t {
  kSurroundings,         ///< kWhole, and kWhole of the nodes up to two edges away
  kWhole,                ///< operator, attributes, constants, types of inputs and outputs
  kWeightsAndNeighbors,  ///< kWeights, and kWeights of the nodes one edge away
  kWeights,   ///< operator, attributes, constants, types of weights: independent of input sizes
  kName,      ///< operator and node name
  kModule,    ///< operator and module path
  kOperator,  ///< operator only
};

/// Returns the keys by NodeId.
std::vector<std::uint64_t> signatures(const Resolved& resolved, Likeness likeness);

/// Mixes words into one key; not secure against adversaries.
class KeyMixer {
 public:
  KeyMixer& add(std::uint64_t word);
  KeyMixer& add(std::string_view text);
  std::uint64_t key() const { return state_; }

 private:
  std::uint64_t state_ = 0x27d4eb2f165667c5ULL;
};

}  // namespace ridge::analysis
