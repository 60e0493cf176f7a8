// SPDX-License-Identifier: Apache-2.0
// Dot products of four bytes on 512-bit vectors.
#include "kernels/cpu/compute.h"

#if defined(__x86_64__)
#include <immintrin.h>

namespace ridge::kernels::detail {

void dot_avx512vnni(void* accumulators, const void* operands, std::int64_t steps) {
  auto* out = static_cast<__m512i*>(accumulators);
  const auto* in = static_cast<const __m512i*>(operands);
  const __m512i u = in[0], s = in[1];
  __m512i a0 = out[0], a1 = out[1], a2 = out[2], a3 = out[3], a4 = out[4], a5 = out[5];
  __m512i a6 = out[6], a7 = out[7], a8 = out[8], a9 = out[9], a10 = out[10], a11 = out[11];
  for (; steps > 0; --steps) {
    a0 = _mm512_dpbusd_epi32(a0, u, s);
    a1 = _mm512_dpbusd_epi32(a1, u, s);
    a2 = _mm512_dpbusd_epi32(a2, u, s);
    a3 = _mm512_dpbusd_epi32(a3, u, s);
    a4 = _mm512_dpbusd_epi32(a4, u, s);
    a5 = _mm512_dpbusd_epi32(a5, u, s);
    a6 = _mm512_dpbusd_epi32(a6, u, s);
    a7 = _mm512_dpbusd_epi32(a7, u, s);
    a8 = _mm512_dpbusd_epi32(a8, u, s);
    a9 = _mm512_dpbusd_epi32(a9, u, s);
    a10 = _mm512_dpbusd_epi32(a10, u, s);
    a11 = _mm512_dpbusd_epi32(a11, u, s);
  }
  out[0] = a0, out[1] = a1, out[2] = a2, out[3] = a3, out[4] = a4, out[5] = a5;
  out[6] = a6, out[7] = a7, out[8] = a8, out[9] = a9, out[10] = a10, out[11] = a11;
}

}  // namespace ridge::kernels::detail
#endif
