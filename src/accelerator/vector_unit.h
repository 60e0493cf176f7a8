// SPDX-License-Identifier: Apache-2.0
// Cost of a layer on a vector unit: softmax, normalization, pooling, activations, sums, moves.
//
//   LayerCost c = vector_cost(*layer.vector, machine);
//
//   cycles = max(ceil(operations / lanes), ceil(bytes / DRAM bytes per cycle))
//
// Every element is loaded from DRAM once and stored once; only the results of fused chains (riders,
// lowering.h) stay on chip. A lane executes one operation of any kind per cycle. There is no
// filling or emptying. Riders run in parallel with the array, on its outputs (estimate.h adds
// them).
// Thread rule: pure function.
#pragma once

#include <string_view>

#include "accelerator/cost.h"
#include "accelerator/lowering.h"
#include "accelerator/machine.h"

namespace ridge::accelerator {

/// Cost of vector work, without energy: the caller adds it. `dram.ifmap` and `dram.ofmap` are the
/// words read and written, at the operands' widths. The bound is the unit, or the DRAM stream with
/// more bytes. All zero if the machine has no vector unit.
LayerCost vector_cost(const VectorWork& work, const Machine& machine);

}  // namespace ridge::accelerator
