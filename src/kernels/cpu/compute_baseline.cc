// SPDX-License-Identifier: Apache-2.0
// Multiply then add on 128-bit vectors: available on every x86-64, and portable to other
// processors.
#include "kernels/cpu/compute.h"

namespace ridge::kernels::detail {
namespace {

using FloatVector = float __attribute__((vector_size(16)));

}  // namespace

void mul_add_baseline(void* accumulators, const void* operands, std::int64_t steps) {
  auto* out = static_cast<FloatVector*>(accumulators);
  const auto* in = static_cast<const FloatVector*>(operands);
  const FloatVector f = in[0], d = in[1];
  FloatVector a0 = out[0], a1 = out[1], a2 = out[2], a3 = out[3], a4 = out[4], a5 = out[5];
  FloatVector a6 = out[6], a7 = out[7], a8 = out[8], a9 = out[9], a10 = out[10], a11 = out[11];
  for (; steps > 0; --steps) {
    a0 = a0 * f + d;
    a1 = a1 * f + d;
    a2 = a2 * f + d;
    a3 = a3 * f + d;
    a4 = a4 * f + d;
    a5 = a5 * f + d;
    a6 = a6 * f + d;
    a7 = a7 * f + d;
    a8 = a8 * f + d;
    a9 = a9 * f + d;
    a10 = a10 * f + d;
    a11 = a11 * f + d;
  }
  out[0] = a0, out[1] = a1, out[2] = a2, out[3] = a3, out[4] = a4, out[5] = a5;
  out[6] = a6, out[7] = a7, out[8] = a8, out[9] = a9, out[10] = a10, out[11] = a11;
}

}  // namespace ridge::kernels::detail
