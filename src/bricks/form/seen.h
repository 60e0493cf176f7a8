// SPDX-License-Identifier: Apache-2.0
// What a kernel sees of a node: all that selects it and its work, and nothing else. Nodes that look
// different in their files and run the same kernel with the same work are seen alike.
//
//   const Seen s = seen_of(network, node, constants);
//   s.text, s.inputs
//
// Left out or brought to one form:
// - the version of the operator, where all versions mean the same (seen_versions.cc);
// - attributes with their default; axes counted from the end; pads, also those that follow from
//   auto_pad or output_shape; ceil_mode, count_include_pad and the like where they change nothing;
// - parameters that are attributes in one version and inputs in another (axes, bounds, pads);
// - constants that the sizes of the outputs imply: the shape of a Reshape, parts of a Split;
// - numbers that only scale a result: epsilon, alpha of a LeakyRelu, bounds of a Clip (whether
//   there is one counts), scalars of Add, Mul, ... (0, 1, what masks and what is not normal are
//   told apart), scales and zero points (one or one per channel, and whether all are zero);
// - the order of operands that may be exchanged.
//
//   Conv {auto_pad='SAME_UPPER'} of [1,3,8,8], 3x3     is seen as     Conv {pads=[1,1,1,1]}
//
// Thread rule: pure. Cost: O(attributes and elements of small constants).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bricks/form/constants.h"
#include "bricks/network.h"

namespace ridge::bricks {

/// Tensor, weight or large constant that a node reads.
struct SeenInput {
  std::uint64_t place = 0;  ///< position; operands that may be exchanged have one
  std::string_view name;    ///< in the copy, as computed (origin())
};

struct Seen {
  std::string text;  ///< operator, and of its attributes and constants what selects a kernel
  std::string like;  ///< `text` without positions: which part a Slice or Gather takes
  std::vector<SeenInput> inputs;
};

/// `constants`: all that the node reads.
Seen seen_of(const Network& network, const onnx::Node& node, const Constants& constants);

}  // namespace ridge::bricks
