// What a layer costs on a vector unit: softmax, normalisation, pooling, activations, sums, moves.
//
//   LayerCost c = vector_cost(*layer.vector, machine);
//
//   cycles = max(ceil(operations / lanes), ceil(bytes / bytes that DRAM carries in a cycle))
//
// Every element comes from DRAM once and goes there once: what stays on chip are the chains that
// ride with a layer (lowering.h). A lane does one operation in a cycle, whichever it is. Nothing is
// filled or drained. Riders work beside the array on what it puts out (estimate.h adds them up).
// Thread rule: pure function.
#pragma once

#include <string_view>

#include "accelerator/cost.h"
#include "accelerator/lowering.h"
#include "accelerator/machine.h"

namespace ridge::accelerator {

/// What is said of a layer that costs nothing because `VectorUnit::lanes` is 0.
inline constexpr std::string_view kNoVectorUnit =
    "the machine has no vector unit: it costs nothing";

/// `dram.ifmap` and `dram.ofmap` are the words read and written, in the operands' widths. Bound by
/// the unit, or by the stream of DRAM that carries more bytes. Its energy is left to the caller.
/// Without a unit all is 0.
LayerCost vector_cost(const VectorWork& work, const Machine& machine);

}  // namespace ridge::accelerator
