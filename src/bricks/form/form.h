// SPDX-License-Identifier: Apache-2.0
// Canonical form of a piece: an order of its nodes, tensors and constants that does not depend on
// names, on the order of nodes in the file, or on the elements of weights, and a key that
// identifies the piece.
//
//   const Form form = TRY(canonical_form(network, piece));
//   form.key          // equal for equal pieces, in any model
//
// The key is a digest of: operators with their versions; attributes without those that have their
// default value; how nodes are connected; types, shapes and layouts of the tensors that enter and
// leave; constants (shape and type of weights, elements of all others) and which nodes share one;
// MACs; whether the piece is a whole model.
//
// Nodes are ordered by a depth-first walk from the outputs through the inputs, so the order follows
// from the order of the outputs. That comes from labels of the nodes that producers, readers and
// shared inputs refine (Weisfeiler and Leman 1968); among outputs with equal labels, the one comes
// first with which the text of all walks is smallest.
//
//   Add(Conv(x), x) and the same with its two lines exchanged have the order Conv, Add.
//
// Thread rule: pure. Cost: O(nodes + edges); where outputs look alike, up to some thousand walks
// (with more, equal pieces may have different keys, but never different pieces equal ones);
// constants that are no weights are read. Errors: as constant().
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bricks/form/constant.h"
#include "bricks/piece.h"

namespace ridge::bricks {

struct NamedConstant {
  std::string_view name;  ///< in the copy
  Constant constant;
};

struct Form {
  std::string key;          ///< 32 hexadecimal digits
  std::vector<Unit> order;  ///< units and helpers, each after those it reads from
  std::vector<CrossingTensor> inputs, outputs;
  std::vector<NamedConstant> constants;
};

Result<Form> canonical_form(const Network& network, const Piece& piece);

}  // namespace ridge::bricks
