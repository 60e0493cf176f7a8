// SPDX-License-Identifier: Apache-2.0
// Stream kernels on 128-bit vectors, available on every x86-64 and portable to other processors,
// and on string instructions, which many processors execute as one wide copy or fill.
#include "kernels/cpu/stream_loops.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <cstring>

namespace ridge::kernels::detail {
namespace {

struct BaselineVector {
  using Register = float __attribute__((vector_size(16)));
  using Words = std::uint64_t __attribute__((vector_size(16)));
  static constexpr int kFloats = 4;

  static Register load(const float* at) { return *reinterpret_cast<const Register*>(at); }
  static void store(float* at, Register r) { *reinterpret_cast<Register*>(at) = r; }
#if defined(__x86_64__)
  static void stream(float* at, Register r) { _mm_stream_ps(at, r); }
  static void fence() { _mm_sfence(); }
#else
  static void stream(float* at, Register r) { store(at, r); }
  static void fence() {}
#endif
  static Register splat(float value) { return Register{value, value, value, value}; }
  static Register blank() { return Register{0, 0, 0, 0}; }
  static Register fold(Register sum, const float* at) {
    return (Register)((Words)sum ^ (Words)load(at));
  }
  static Register triad(const float* b, Register s, const float* c) {
    return load(b) + s * load(c);
  }
  static std::uint64_t words(Register r) {
    const Words w = (Words)r;
    return w[0] ^ w[1];
  }
};

using loops::Store;

}  // namespace

std::uint64_t read_baseline(const StreamArrays& arrays, std::int64_t passes) {
  return loops::read<BaselineVector, false>(arrays, passes);
}
std::uint64_t write_baseline(const StreamArrays& arrays, std::int64_t passes) {
  return loops::write<BaselineVector, Store::kPlain>(arrays, passes);
}
std::uint64_t write_baseline_nt(const StreamArrays& arrays, std::int64_t passes) {
  return loops::write<BaselineVector, Store::kStream>(arrays, passes);
}
std::uint64_t copy_baseline(const StreamArrays& arrays, std::int64_t passes) {
  return loops::copy<BaselineVector, Store::kPlain>(arrays, passes);
}
std::uint64_t copy_baseline_nt(const StreamArrays& arrays, std::int64_t passes) {
  return loops::copy<BaselineVector, Store::kStream>(arrays, passes);
}
std::uint64_t triad_baseline(const StreamArrays& arrays, std::int64_t passes) {
  return loops::triad<BaselineVector, Store::kPlain>(arrays, passes);
}
std::uint64_t triad_baseline_nt(const StreamArrays& arrays, std::int64_t passes) {
  return loops::triad<BaselineVector, Store::kStream>(arrays, passes);
}

#if defined(__x86_64__)
std::uint64_t write_rep(const StreamArrays& arrays, std::int64_t passes) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &arrays.scalar, sizeof(bits));
  for (; passes > 0; --passes) {
    float* a = arrays.a;
    std::int64_t count = arrays.elements;
    __asm__ volatile("rep stosl" : "+D"(a), "+c"(count) : "a"(bits) : "memory");
  }
  return 0;
}

std::uint64_t copy_rep(const StreamArrays& arrays, std::int64_t passes) {
  for (; passes > 0; --passes) {
    float* a = arrays.a;
    const float* b = arrays.b;
    std::int64_t bytes = arrays.elements * 4;
    __asm__ volatile("rep movsb" : "+D"(a), "+S"(b), "+c"(bytes) : : "memory");
  }
  return 0;
}
#endif

}  // namespace ridge::kernels::detail
