// SPDX-License-Identifier: Apache-2.0
// Value numbers: values of the original model that are equal for every input have equal numbers
// (Alpern, Wegman and Zadeck 1988, here by hashing). A tensor that a runtime computes once for
// several equal nodes is thus recognized under any of their names. Small constants are compared by
// content, weights by their location in the file or their seed. Cost: O(nodes + edges).
#pragma once

#include <cstdint>
#include <vector>

#include "attribution/original.h"

namespace ridge::attribution {

class ValueNumbers {
 public:
  explicit ValueNumbers(const Original& original);

  std::uint64_t of(ValueId v) const { return number_[v]; }

 private:
  bool hands_on(NodeId n) const;
  std::uint64_t of_constant(ValueId v) const;
  std::uint64_t of_node(NodeId n) const;

  const Original& original_;
  std::vector<std::uint64_t> number_;  // by value
};

}  // namespace ridge::attribution
