// SPDX-License-Identifier: Apache-2.0
// Stream kernels on 256-bit vectors.
#include "kernels/cpu/stream_loops.h"

#if defined(__x86_64__)
#include <immintrin.h>

namespace ridge::kernels::detail {
namespace {

struct Vector {
  using Register = __m256;
  static constexpr int kFloats = 8;

  static Register load(const float* at) { return _mm256_load_ps(at); }
  static void store(float* at, Register r) { _mm256_store_ps(at, r); }
  static void stream(float* at, Register r) { _mm256_stream_ps(at, r); }
  static Register splat(float value) { return _mm256_set1_ps(value); }
  static Register blank() { return _mm256_setzero_ps(); }
  static Register fold(Register sum, const float* at) {
    return _mm256_xor_ps(sum, _mm256_load_ps(at));
  }
  static Register triad(const float* b, Register s, const float* c) {
    return _mm256_fmadd_ps(s, _mm256_load_ps(c), _mm256_load_ps(b));
  }
  static std::uint64_t words(Register r) {
    alignas(32) std::uint64_t w[4];
    _mm256_store_ps(reinterpret_cast<float*>(w), r);
    return w[0] ^ w[1] ^ w[2] ^ w[3];
  }
  static void fence() { _mm_sfence(); }
};

using loops::Store;

}  // namespace

std::uint64_t read_avx2(const StreamArrays& arrays, std::int64_t passes) {
  return loops::read<Vector, false>(arrays, passes);
}
std::uint64_t read_avx2_ahead(const StreamArrays& arrays, std::int64_t passes) {
  return loops::read<Vector, true>(arrays, passes);
}
std::uint64_t read_avx2_parts(const StreamArrays& arrays, std::int64_t passes) {
  return loops::read_parts<Vector>(arrays, passes);
}
std::uint64_t write_avx2(const StreamArrays& arrays, std::int64_t passes) {
  return loops::write<Vector, Store::kPlain>(arrays, passes);
}
std::uint64_t write_avx2_nt(const StreamArrays& arrays, std::int64_t passes) {
  return loops::write<Vector, Store::kStream>(arrays, passes);
}
std::uint64_t copy_avx2(const StreamArrays& arrays, std::int64_t passes) {
  return loops::copy<Vector, Store::kPlain>(arrays, passes);
}
std::uint64_t copy_avx2_nt(const StreamArrays& arrays, std::int64_t passes) {
  return loops::copy<Vector, Store::kStream>(arrays, passes);
}
std::uint64_t copy_avx2_ahead(const StreamArrays& arrays, std::int64_t passes) {
  return loops::copy<Vector, Store::kStream, true>(arrays, passes);
}
std::uint64_t triad_avx2(const StreamArrays& arrays, std::int64_t passes) {
  return loops::triad<Vector, Store::kPlain>(arrays, passes);
}
std::uint64_t triad_avx2_nt(const StreamArrays& arrays, std::int64_t passes) {
  return loops::triad<Vector, Store::kStream>(arrays, passes);
}
std::uint64_t triad_avx2_ahead(const StreamArrays& arrays, std::int64_t passes) {
  return loops::triad<Vector, Store::kStream, true>(arrays, passes);
}

}  // namespace ridge::kernels::detail
#endif
