// SPDX-License-Identifier: Apache-2.0
// Stream kernels on 512-bit vectors.
#include "kernels/cpu/stream_loops.h"

#if defined(__x86_64__)
#include <immintrin.h>

namespace ridge::kernels::detail {
namespace {

struct Vector {
  using Register = __m512;
  static constexpr int kFloats = 16;

  static Register load(const float* at) { return _mm512_load_ps(at); }
  static void store(float* at, Register r) { _mm512_store_ps(at, r); }
  static void stream(float* at, Register r) { _mm512_stream_ps(at, r); }
  static Register splat(float value) { return _mm512_set1_ps(value); }
  static Register blank() { return _mm512_setzero_ps(); }
  static Register fold(Register sum, const float* at) {
    return _mm512_xor_ps(sum, _mm512_load_ps(at));
  }
  static Register triad(const float* b, Register s, const float* c) {
    return _mm512_fmadd_ps(s, _mm512_load_ps(c), _mm512_load_ps(b));
  }
  static std::uint64_t words(Register r) {
    alignas(64) std::uint64_t w[8];
    _mm512_store_si512(w, _mm512_castps_si512(r));
    return w[0] ^ w[1] ^ w[2] ^ w[3] ^ w[4] ^ w[5] ^ w[6] ^ w[7];
  }
  static void fence() { _mm_sfence(); }
};

using loops::Store;

}  // namespace

std::uint64_t read_avx512(const StreamArrays& arrays, std::int64_t passes) {
  return loops::read<Vector, false>(arrays, passes);
}
std::uint64_t read_avx512_ahead(const StreamArrays& arrays, std::int64_t passes) {
  return loops::read<Vector, true>(arrays, passes);
}
std::uint64_t read_avx512_parts(const StreamArrays& arrays, std::int64_t passes) {
  return loops::read_parts<Vector>(arrays, passes);
}
std::uint64_t write_avx512(const StreamArrays& arrays, std::int64_t passes) {
  return loops::write<Vector, Store::kPlain>(arrays, passes);
}
std::uint64_t write_avx512_nt(const StreamArrays& arrays, std::int64_t passes) {
  return loops::write<Vector, Store::kStream>(arrays, passes);
}
std::uint64_t copy_avx512(const StreamArrays& arrays, std::int64_t passes) {
  return loops::copy<Vector, Store::kPlain>(arrays, passes);
}
std::uint64_t copy_avx512_nt(const StreamArrays& arrays, std::int64_t passes) {
  return loops::copy<Vector, Store::kStream>(arrays, passes);
}
std::uint64_t copy_avx512_ahead(const StreamArrays& arrays, std::int64_t passes) {
  return loops::copy<Vector, Store::kStream, true>(arrays, passes);
}
std::uint64_t triad_avx512(const StreamArrays& arrays, std::int64_t passes) {
  return loops::triad<Vector, Store::kPlain>(arrays, passes);
}
std::uint64_t triad_avx512_nt(const StreamArrays& arrays, std::int64_t passes) {
  return loops::triad<Vector, Store::kStream>(arrays, passes);
}
std::uint64_t triad_avx512_ahead(const StreamArrays& arrays, std::int64_t passes) {
  return loops::triad<Vector, Store::kStream, true>(arrays, passes);
}

}  // namespace ridge::kernels::detail
#endif
