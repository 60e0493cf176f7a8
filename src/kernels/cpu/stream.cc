// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/stream.h"

#include <array>

namespace ridge::kernels {
namespace {

using enum StreamKind;
using enum StreamUse;

#if defined(__x86_64__)
constexpr auto kWide = &Features::avx512;
constexpr auto kMiddle = &Features::avx2;
constexpr auto kNarrow = &Features::sse2;
constexpr std::array kStreamKernels = {
    StreamKernel{"read_avx512", kRead, kAnywhere, "vxorps zmm, [m]", 512, kWide,
                 detail::read_avx512},
    StreamKernel{"read_avx2", kRead, kAnywhere, "vxorps ymm, [m]", 256, kMiddle, detail::read_avx2},
    StreamKernel{"read_baseline", kRead, kAnywhere, "pxor xmm, [m]", 128, kNarrow,
                 detail::read_baseline},
    StreamKernel{"read_avx512_parts", kRead, kAnywhere, "vxorps zmm, [m]; prefetcht0", 512, kWide,
                 detail::read_avx512_parts},
    StreamKernel{"read_avx2_parts", kRead, kAnywhere, "vxorps ymm, [m]; prefetcht0", 256, kMiddle,
                 detail::read_avx2_parts},
    StreamKernel{"read_avx512_ahead", kRead, kMemoryOnly, "vxorps zmm, [m]; prefetchnta", 512,
                 kWide, detail::read_avx512_ahead},
    StreamKernel{"read_avx2_ahead", kRead, kMemoryOnly, "vxorps ymm, [m]; prefetchnta", 256,
                 kMiddle, detail::read_avx2_ahead},
    StreamKernel{"write_avx512", kWrite, kAnywhere, "vmovaps [m], zmm", 512, kWide,
                 detail::write_avx512},
    StreamKernel{"write_avx2", kWrite, kAnywhere, "vmovaps [m], ymm", 256, kMiddle,
                 detail::write_avx2},
    StreamKernel{"write_baseline", kWrite, kAnywhere, "movaps [m], xmm", 128, kNarrow,
                 detail::write_baseline},
    StreamKernel{"write_avx512_nt", kWrite, kMemoryOnly, "vmovntps [m], zmm", 512, kWide,
                 detail::write_avx512_nt},
    StreamKernel{"write_avx2_nt", kWrite, kMemoryOnly, "vmovntps [m], ymm", 256, kMiddle,
                 detail::write_avx2_nt},
    StreamKernel{"write_baseline_nt", kWrite, kMemoryOnly, "movntps [m], xmm", 128, kNarrow,
                 detail::write_baseline_nt},
    StreamKernel{"write_rep", kWrite, kAnywhere, "rep stosd", 0, kNarrow, detail::write_rep},
    StreamKernel{"copy_avx512", kCopy, kAnywhere, "vmovaps zmm", 512, kWide, detail::copy_avx512},
    StreamKernel{"copy_avx2", kCopy, kAnywhere, "vmovaps ymm", 256, kMiddle, detail::copy_avx2},
    StreamKernel{"copy_baseline", kCopy, kAnywhere, "movaps xmm", 128, kNarrow,
                 detail::copy_baseline},
    StreamKernel{"copy_avx512_nt", kCopy, kMemoryOnly, "vmovntps [m], zmm", 512, kWide,
                 detail::copy_avx512_nt},
    StreamKernel{"copy_avx2_nt", kCopy, kMemoryOnly, "vmovntps [m], ymm", 256, kMiddle,
                 detail::copy_avx2_nt},
    StreamKernel{"copy_baseline_nt", kCopy, kMemoryOnly, "movntps [m], xmm", 128, kNarrow,
                 detail::copy_baseline_nt},
    StreamKernel{"copy_avx512_ahead", kCopy, kMemoryOnly, "vmovntps [m], zmm; prefetchnta", 512,
                 kWide, detail::copy_avx512_ahead},
    StreamKernel{"copy_avx2_ahead", kCopy, kMemoryOnly, "vmovntps [m], ymm; prefetchnta", 256,
                 kMiddle, detail::copy_avx2_ahead},
    StreamKernel{"copy_rep", kCopy, kAnywhere, "rep movsb", 0, kNarrow, detail::copy_rep},
    StreamKernel{"triad_avx512", kTriad, kAnywhere, "vfmadd zmm, [m]; vmovaps", 512, kWide,
                 detail::triad_avx512},
    StreamKernel{"triad_avx2", kTriad, kAnywhere, "vfmadd ymm, [m]; vmovaps", 256, kMiddle,
                 detail::triad_avx2},
    StreamKernel{"triad_baseline", kTriad, kAnywhere, "mulps, addps xmm; movaps", 128, kNarrow,
                 detail::triad_baseline},
    StreamKernel{"triad_avx512_nt", kTriad, kMemoryOnly, "vfmadd zmm, [m]; vmovntps", 512, kWide,
                 detail::triad_avx512_nt},
    StreamKernel{"triad_avx2_nt", kTriad, kMemoryOnly, "vfmadd ymm, [m]; vmovntps", 256, kMiddle,
                 detail::triad_avx2_nt},
    StreamKernel{"triad_baseline_nt", kTriad, kMemoryOnly, "mulps, addps xmm; movntps", 128,
                 kNarrow, detail::triad_baseline_nt},
    StreamKernel{"triad_avx512_ahead", kTriad, kMemoryOnly,
                 "vfmadd zmm, [m]; vmovntps; prefetchnta", 512, kWide, detail::triad_avx512_ahead},
    StreamKernel{"triad_avx2_ahead", kTriad, kMemoryOnly, "vfmadd ymm, [m]; vmovntps; prefetchnta",
                 256, kMiddle, detail::triad_avx2_ahead},
};
#else
constexpr std::array kStreamKernels = {
    StreamKernel{"read_baseline", kRead, kAnywhere, "128-bit loads", 128, nullptr,
                 detail::read_baseline},
    StreamKernel{"write_baseline", kWrite, kAnywhere, "128-bit stores", 128, nullptr,
                 detail::write_baseline},
    StreamKernel{"copy_baseline", kCopy, kAnywhere, "128-bit loads, stores", 128, nullptr,
                 detail::copy_baseline},
    StreamKernel{"triad_baseline", kTriad, kAnywhere, "128-bit multiply, add", 128, nullptr,
                 detail::triad_baseline},
};
#endif

}  // namespace

std::string_view name(StreamKind kind) {
  switch (kind) {
    case kRead:
      return "read";
    case kWrite:
      return "write";
    case kCopy:
      return "copy";
    case kTriad:
      break;
  }
  return "triad";
}

int arrays_of(StreamKind kind) { return kind == kTriad ? 3 : kind == kCopy ? 2 : 1; }

std::span<const StreamKernel> stream_kernels() { return kStreamKernels; }

std::vector<const StreamKernel*> usable_stream_kernels(const Features& features, StreamKind kind) {
  std::vector<const StreamKernel*> out;
  for (const StreamKernel& k : kStreamKernels) {
    if (k.kind == kind && (k.needs == nullptr || features.*k.needs)) out.push_back(&k);
  }
  return out;
}

}  // namespace ridge::kernels
