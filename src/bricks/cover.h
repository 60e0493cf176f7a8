// SPDX-License-Identifier: Apache-2.0
// Cover of a model by measured bricks: pieces that together are all of its layers, each once.
//
//   for (const CoverPart& part : TRY(cover(network, cutter, times)))
//     part.time != nullptr ? part.time->mean_ns() : ...       // no brick was measured for it
//
// Bricks in a store may overlap (plans of several granularities), so of all covers the one is taken
// with the smallest expected error: first the fewest layers without a brick, then the fewest bricks
// that were planned and not measured, then the smallest sum of the variances of its bricks' times,
// each raised by the variance of a cut.
//
//   layers A B C, bricks A (variance 4), B (4), C (4), A B C (9): the cover is A B C, not A, B, C
//
// Of several variants of a piece (variants.h) the first that was measured is taken. Only intervals
// with the kernels and MACs of some measured brick are looked at, and only they get
// a key. Thread rule: pure. Cost: O(layers x layers of the longest brick), and a key per match.
#pragma once

#include <vector>

#include "bricks/brick_times.h"
#include "bricks/form/form.h"
#include "bricks/piece.h"

namespace ridge::bricks {

struct CoverPart {
  Piece piece;
  Form form;                        ///< empty if the piece has no canonical form
  const BrickTime* time = nullptr;  ///< null: its brick was not measured. Borrowed from the times
};

/// The parts in order of their layers. A part without any brick has one layer.
std::vector<CoverPart> cover(const Network& network, const Cutter& cutter, const BrickTimes& times);

}  // namespace ridge::bricks
