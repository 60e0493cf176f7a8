// SPDX-License-Identifier: Apache-2.0
// Size of a piece: what a prediction from other bricks depends on (neighbors.h). Thread rule: pure.
#pragma once

#include "bricks/form/form.h"
#include "bricks/neighbors.h"
#include "bricks/plan.h"

namespace ridge::bricks {

BrickSize size_of(const Network& network, const Piece& piece, const Form& form);
/// Returns the same for the brick of the piece.
BrickSize size_of(const Brick& brick);

}  // namespace ridge::bricks
