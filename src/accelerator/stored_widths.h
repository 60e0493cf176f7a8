// SPDX-License-Identifier: Apache-2.0
// Widths of a layer's operands as the model stores them: `ridge accel --precision file` uses them
// instead of the machine's widths.
//
//   const StoredWidths w = stored_widths(resolved, layer);
//   machine.widths = widths_of(w, machine.widths);
//
// The factors' types are the types of the inputs that the operator multiplies (products.h), the
// result's type is what the layer's last rider outputs. A DequantizeLinear is skipped, because
// memory contains the integers before it. So are the nodes that pass a constant on from the file
// (Cast, Reshape, Transpose, Identity). Weights that share bytes have the operator's number of
// bits; scales and zero points are ignored. For a layer of the vector unit: its largest input, and
// its output.
// Thread rule: pure functions. Cost: O(inputs) per layer.
#pragma once

#include <cstdint>

#include "accelerator/lowering.h"
#include "accelerator/machine.h"
#include "analysis/resolved.h"

namespace ridge::accelerator {

struct StoredWidths {
  PerOperand<std::int64_t> bits;  ///< 0: unknown, or no such operand
  bool floating = false;          ///< true if either factor is floating point
};

StoredWidths stored_widths(const analysis::Resolved& resolved, const Layer& layer);

/// Widths for a machine that works on these operands: the machine's own width where the type is
/// unknown, the machine's accumulator unless a factor is wider. Without multiplications there is no
/// filter; its width is then the ifmap's.
Widths widths_of(const StoredWidths& stored, const Widths& machine);

}  // namespace ridge::accelerator
