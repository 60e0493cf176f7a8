// SPDX-License-Identifier: Apache-2.0
// The forms in which a piece is tried as a brick.
//
//   for (const Piece& piece : variants(network, cutter.piece(3, 4))) ...
//
// With the layouts that its kernels show, and with images at its plain ports stored with channels
// last (at all of them, only at inputs, only at outputs), because a runtime that moves transposes
// leaves no trace of which it chose. Each with donors at all ports, then without those at plain
// outputs, at plain inputs, at both. Thread rule: pure.
#pragma once

#include <vector>

#include "bricks/piece.h"

namespace ridge::bricks {

/// The first is the piece itself.
std::vector<Piece> variants(const Network& network, const Piece& piece);

}  // namespace ridge::bricks
