// SPDX-License-Identifier: Apache-2.0
// Loops of stream_<isa>.cc as templates over a vector type V, which each of those files defines in
// its anonymous namespace, so that every instance stays local to a file compiled for its
// instruction set.
//
// Members of V: Register, kFloats, load, store, stream (a non-temporal store), splat, blank (a
// register of zeros), fold (XORs memory into a register), words (XOR of the 64-bit words of a
// register), triad (b + s * c), fence.
#pragma once

#include "kernels/cpu/stream.h"

// Makes the compiler assume that every pass reads and changes all memory; otherwise it could merge
// passes.
#define RIDGE_PASS_BARRIER() __asm__ volatile("" ::: "memory")
#define RIDGE_UNROLL _Pragma("GCC unroll 8")

namespace ridge::kernels::loops {

enum class Store { kPlain, kStream };

inline constexpr int kUnroll = 8;
inline constexpr std::int64_t kAhead = 1024;  // bytes

/// Prefetches the lines that a step of kUnroll * V::kFloats floats will read kAhead bytes later; a
/// prefetch past the end of an array is harmless.
template <class V, bool kPrefetch>
[[gnu::always_inline]] inline void request(const float* at) {
  if constexpr (kPrefetch) {
    RIDGE_UNROLL
    for (int line = 0; line < kUnroll * V::kFloats / 16; ++line) {
      __builtin_prefetch(reinterpret_cast<const char*>(at) + kAhead + 64 * line, 0, 0);
    }
  }
}

template <class V, Store kStore>
[[gnu::always_inline]] inline void put(float* at, typename V::Register value) {
  if constexpr (kStore == Store::kStream) {
    V::stream(at, value);
  } else {
    V::store(at, value);
  }
}

template <class V, bool kPrefetch>
std::uint64_t read(const StreamArrays& arrays, std::int64_t passes) {
  typename V::Register sum[kUnroll];
  RIDGE_UNROLL
  for (auto& s : sum) s = V::blank();
  for (; passes > 0; --passes) {
    const float* b = arrays.b;
    for (const float* end = b + arrays.elements; b != end; b += kUnroll * V::kFloats) {
      request<V, kPrefetch>(b);
      RIDGE_UNROLL
      for (int k = 0; k < kUnroll; ++k) sum[k] = V::fold(sum[k], b + k * V::kFloats);
    }
    RIDGE_PASS_BARRIER();
  }
  std::uint64_t words = 0;
  RIDGE_UNROLL
  for (const auto& s : sum) words ^= V::words(s);
  return words;
}

/// Reads four parts of the array side by side, 256 bytes of each at a time, and requests the lines
/// kAheadOfPart bytes later: a single stream keeps fewer requests to the outer caches in flight,
/// since hardware prefetchers stop at the end of a page.
template <class V>
std::uint64_t read_parts(const StreamArrays& arrays, std::int64_t passes) {
  constexpr int kParts = 4, kStep = 64 / V::kFloats;
  constexpr std::int64_t kFloatsPerStep = 64, kAheadOfPart = 512;
  const std::int64_t part = arrays.elements / kParts / kFloatsPerStep * kFloatsPerStep;
  typename V::Register sum[kStep];
  for (auto& s : sum) s = V::blank();
  const auto take = [&sum](const float* at) {
    RIDGE_UNROLL
    for (int k = 0; k < kStep; ++k) sum[k] = V::fold(sum[k], at + k * V::kFloats);
  };
  for (; passes > 0; --passes) {
    for (std::int64_t i = 0; i < part; i += kFloatsPerStep) {
      RIDGE_UNROLL
      for (int p = 0; p < kParts; ++p) {
        const float* at = arrays.b + p * part + i;
        RIDGE_UNROLL
        for (int line = 0; line < 4; ++line) {
          __builtin_prefetch(reinterpret_cast<const char*>(at) + kAheadOfPart + 64 * line, 0, 3);
        }
        take(at);
      }
    }
    for (std::int64_t i = kParts * part; i < arrays.elements; i += kFloatsPerStep)
      take(arrays.b + i);
    RIDGE_PASS_BARRIER();
  }
  std::uint64_t words = 0;
  for (const auto& s : sum) words ^= V::words(s);
  return words;
}

template <class V, Store kStore>
std::uint64_t write(const StreamArrays& arrays, std::int64_t passes) {
  const typename V::Register value = V::splat(arrays.scalar);
  for (; passes > 0; --passes) {
    float* a = arrays.a;
    for (const float* end = a + arrays.elements; a != end; a += kUnroll * V::kFloats) {
      RIDGE_UNROLL
      for (int k = 0; k < kUnroll; ++k) put<V, kStore>(a + k * V::kFloats, value);
    }
    RIDGE_PASS_BARRIER();
  }
  V::fence();
  return 0;
}

template <class V, Store kStore, bool kPrefetch = false>
std::uint64_t copy(const StreamArrays& arrays, std::int64_t passes) {
  for (; passes > 0; --passes) {
    float* a = arrays.a;
    const float* b = arrays.b;
    for (const float* end = a + arrays.elements; a != end; a += kUnroll * V::kFloats) {
      typename V::Register r[kUnroll];
      request<V, kPrefetch>(b);
      RIDGE_UNROLL
      for (int k = 0; k < kUnroll; ++k) r[k] = V::load(b + k * V::kFloats);
      RIDGE_UNROLL
      for (int k = 0; k < kUnroll; ++k) put<V, kStore>(a + k * V::kFloats, r[k]);
      b += kUnroll * V::kFloats;
    }
    RIDGE_PASS_BARRIER();
  }
  V::fence();
  return 0;
}

template <class V, Store kStore, bool kPrefetch = false>
std::uint64_t triad(const StreamArrays& arrays, std::int64_t passes) {
  const typename V::Register scalar = V::splat(arrays.scalar);
  for (; passes > 0; --passes) {
    float* a = arrays.a;
    const float* b = arrays.b;
    const float* c = arrays.c;
    for (const float* end = a + arrays.elements; a != end; a += kUnroll * V::kFloats) {
      request<V, kPrefetch>(b);
      request<V, kPrefetch>(c);
      RIDGE_UNROLL
      for (int k = 0; k < kUnroll; ++k) {
        const int at = k * V::kFloats;
        put<V, kStore>(a + at, V::triad(b + at, scalar, c + at));
      }
      b += kUnroll * V::kFloats;
      c += kUnroll * V::kFloats;
    }
    RIDGE_PASS_BARRIER();
  }
  V::fence();
  return 0;
}

}  // namespace ridge::kernels::loops
