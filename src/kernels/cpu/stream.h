// SPDX-License-Identifier: Apache-2.0
// Kernels that only move memory: they measure the bandwidth roofs.
//
//   read   XOR of all words of b          elements * 4 bytes per pass
//   write  a[i] = scalar                  elements * 4
//   copy   a[i] = b[i]                    elements * 8
//   triad  a[i] = b[i] + scalar * c[i]    elements * 12   (McCalpin's STREAM)
//
// Bytes are those that the program requests, read + written; the line that a plain store fetches
// first (write-allocate) is not counted. Non-temporal kernels bypass the caches and so avoid it.
// Thread rule: pure except for the arrays. Errors: none; running a kernel that this processor does
// not support is undefined (an illegal instruction).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "kernels/cpu/features.h"

namespace ridge::kernels {

enum class StreamKind : std::uint8_t { kRead, kWrite, kCopy, kTriad };
inline constexpr StreamKind kStreamKinds[] = {StreamKind::kRead, StreamKind::kWrite,
                                              StreamKind::kCopy, StreamKind::kTriad};

/// Name of a kind: "read", "write", "copy", "triad".
std::string_view name(StreamKind kind);

/// Number of arrays of `elements` floats that the kind uses: 1, 1, 2, 3.
int arrays_of(StreamKind kind);

/// Block size in floats (512 bytes); each pass processes whole blocks.
inline constexpr std::int64_t kStreamBlock = 128;

/// Arrays of a kernel: non-overlapping, aligned to 64 bytes. `elements` is a multiple of
/// kStreamBlock.
struct StreamArrays {
  float* a = nullptr;        ///< written
  const float* b = nullptr;  ///< read
  const float* c = nullptr;  ///< read by triad
  float scalar = 0;
  std::int64_t elements = 0;
};

/// Levels that a kernel is suitable for: any, or memory only (non-temporal stores or prefetching,
/// which do not help in caches).
enum class StreamUse : std::uint8_t { kAnywhere, kMemoryOnly };

struct StreamKernel {
  std::string_view name;  ///< "copy_avx512_nt"
  StreamKind kind = StreamKind::kRead;
  StreamUse use = StreamUse::kAnywhere;
  std::string_view instruction;  ///< "vmovntps zmm"
  int vector_bits = 0;
  bool Features::*needs = nullptr;
  /// Makes `passes` passes over the arrays. Read kernels return the XOR of the 64-bit words of b
  /// over all passes (0 after an even number), the others 0.
  std::uint64_t (*run)(const StreamArrays& arrays, std::int64_t passes) = nullptr;
};

/// All compiled kernels; among kernels of one kind and use, widest first.
std::span<const StreamKernel> stream_kernels();

/// Kernels of one kind that this processor can run.
std::vector<const StreamKernel*> usable_stream_kernels(const Features& features, StreamKind kind);

namespace detail {
using StreamFunction = std::uint64_t(const StreamArrays& arrays, std::int64_t passes);
// Defined in stream_<isa>.cc, listed in stream.cc. Suffixes: _nt: non-temporal stores; _ahead:
// prefetches 1 KiB ahead and uses non-temporal stores; _parts: reads four parts of the array side
// by side, each prefetched; _rep: string instructions.
StreamFunction read_baseline, write_baseline, copy_baseline, triad_baseline;
StreamFunction write_baseline_nt, copy_baseline_nt, triad_baseline_nt;
StreamFunction write_rep, copy_rep;
StreamFunction read_avx2, write_avx2, copy_avx2, triad_avx2;
StreamFunction write_avx2_nt, copy_avx2_nt, triad_avx2_nt;
StreamFunction read_avx2_parts, read_avx512_parts;
StreamFunction read_avx2_ahead, copy_avx2_ahead, triad_avx2_ahead;
StreamFunction read_avx512, write_avx512, copy_avx512, triad_avx512;
StreamFunction write_avx512_nt, copy_avx512_nt, triad_avx512_nt;
StreamFunction read_avx512_ahead, copy_avx512_ahead, triad_avx512_ahead;
}  // namespace detail

}  // namespace ridge::kernels
