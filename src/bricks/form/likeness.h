// SPDX-License-Identifier: Apache-2.0
// Likeness of a piece: equal for pieces that differ only in positions, such as which step of a
// sequence a Gather or Slice takes. If one of them cannot be a brick, the others cannot.
//
//   if (const auto why = rejected.find(TRY(likeness(network, piece))); why != rejected.end()) ...
//
// Thread rule: pure. Cost and errors: as canonical_form().
#pragma once

#include <string>

#include "bricks/piece.h"

namespace ridge::bricks {

/// Returns 32 hexadecimal digits.
Result<std::string> likeness(const Network& network, const Piece& piece);

}  // namespace ridge::bricks
