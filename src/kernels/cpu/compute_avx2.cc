// SPDX-License-Identifier: Apache-2.0
// Fused multiply-add on 256-bit vectors.
#include "kernels/cpu/compute.h"

#if defined(__x86_64__)
#include <immintrin.h>

namespace ridge::kernels::detail {

void fma_avx2(void* accumulators, const void* operands, std::int64_t steps) {
  auto* out = static_cast<__m256*>(accumulators);
  const auto* in = static_cast<const __m256*>(operands);
  const __m256 factor = in[0], addend = in[1];
  __m256 a0 = out[0], a1 = out[1], a2 = out[2], a3 = out[3], a4 = out[4], a5 = out[5];
  __m256 a6 = out[6], a7 = out[7], a8 = out[8], a9 = out[9], a10 = out[10], a11 = out[11];
  for (; steps > 0; --steps) {
    a0 = _mm256_fmadd_ps(a0, factor, addend);
    a1 = _mm256_fmadd_ps(a1, factor, addend);
    a2 = _mm256_fmadd_ps(a2, factor, addend);
    a3 = _mm256_fmadd_ps(a3, factor, addend);
    a4 = _mm256_fmadd_ps(a4, factor, addend);
    a5 = _mm256_fmadd_ps(a5, factor, addend);
    a6 = _mm256_fmadd_ps(a6, factor, addend);
    a7 = _mm256_fmadd_ps(a7, factor, addend);
    a8 = _mm256_fmadd_ps(a8, factor, addend);
    a9 = _mm256_fmadd_ps(a9, factor, addend);
    a10 = _mm256_fmadd_ps(a10, factor, addend);
    a11 = _mm256_fmadd_ps(a11, factor, addend);
  }
  out[0] = a0, out[1] = a1, out[2] = a2, out[3] = a3, out[4] = a4, out[5] = a5;
  out[6] = a6, out[7] = a7, out[8] = a8, out[9] = a9, out[10] = a10, out[11] = a11;
}

}  // namespace ridge::kernels::detail
#endif
