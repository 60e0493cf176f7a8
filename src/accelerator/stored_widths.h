// How wide a layer's operands are as the model stores them: what `ridge accel --precision file`
// takes in place of the machine's widths.
//
//   const StoredWidths w = stored_widths(resolved, layer);
//   machine.widths = widths_of(w, machine.widths);
//
// The factors' types are those of the inputs that the operator multiplies (products.h), the
// result's that of the output of the layer's last rider. A DequantizeLinear is looked through, what
// lies in memory being the integers before it, and so is what a constant passes on its way from the
// file (Cast, Reshape, Transpose, Identity). Weights that share bytes have the operator's bits;
// scales and zero points are left out. Of a layer of the vector unit: its largest input, and its
// output.
// Thread rule: pure functions. Cost: O(inputs) per layer.
#pragma once

#include <cstdint>

#include "accelerator/lowering.h"
#include "accelerator/machine.h"
#include "analysis/resolved.h"

namespace ridge::accelerator {

struct StoredWidths {
  PerOperand<std::int64_t> bits;  ///< 0: not known, or there is no such operand
  bool floating = false;          ///< either factor is
};

StoredWidths stored_widths(const analysis::Resolved& resolved, const Layer& layer);

/// What a machine works with then: its own width where the type is not known, its own accumulators
/// unless a factor is wider. Where nothing is multiplied there are no words of a filter, which is
/// as wide as the ifmap.
Widths widths_of(const StoredWidths& stored, const Widths& machine);

}  // namespace ridge::accelerator
