// What a node is, as 64-bit keys that do not depend on names of nodes and tensors: equal keys, the
// same thing. From exact to loose, so that what no longer agrees in one may agree in the next.
//
// Cost: O(nodes + edges). Keys of two models are comparable.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/resolved.h"

namespace ridge::analysis {

enum class Likeness : std::uint8_t {
  kSurroundings,          ///< kWhole, and that of the nodes up to two edges away
  kWhole,                 ///< operator, attributes, constants, types of inputs and outputs
  kWeightsAndNeighbours,  ///< kWeights, and that of the nodes one edge away
  kWeights,               ///< operator, attributes, constants, types of weights: any input size
  kName,                  ///< operator and the node's name
  kModule,                ///< operator and the module's path
  kOperator,              ///< operator and the control flow around it
};

/// By NodeId.
std::vector<std::uint64_t> signatures(const Resolved& resolved, Likeness likeness);

/// Mixes words into one; for keys, not against adversaries.
class KeyMixer {
 public:
  KeyMixer& add(std::uint64_t word);
  KeyMixer& add(std::string_view text);
  std::uint64_t key() const { return state_; }

 private:
  std::uint64_t state_ = 0x27d4eb2f165667c5ULL;
};

}  // namespace ridge::analysis
