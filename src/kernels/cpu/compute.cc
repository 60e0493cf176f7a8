// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/compute.h"

#include <array>
#include <cstring>

namespace ridge::kernels {
namespace {

constexpr std::size_t kAlignment = 64;

#if defined(__x86_64__)
constexpr std::array kComputeKernels = {
    ComputeKernel{"fma_avx512", "float32", "vfmadd zmm", 512, 16, 12, &Features::avx512,
                  detail::fma_avx512},
    ComputeKernel{"fma_avx2", "float32", "vfmadd ymm", 256, 8, 12, &Features::avx2,
                  detail::fma_avx2},
    ComputeKernel{"mul_add_baseline", "float32", "mulps+addps xmm", 128, 4, 12, &Features::sse2,
                  detail::mul_add_baseline},
    ComputeKernel{"dot_avx512vnni", "int8", "vpdpbusd zmm", 512, 64, 12, &Features::avx512_vnni,
                  detail::dot_avx512vnni},
    ComputeKernel{"dot_avxvnni", "int8", "vpdpbusd ymm", 256, 32, 12, &Features::avx_vnni,
                  detail::dot_avxvnni},
};
#else
constexpr std::array kComputeKernels = {
    ComputeKernel{"mul_add_baseline", "float32", "128-bit multiply, add", 128, 4, 12, nullptr,
                  detail::mul_add_baseline},
};
#endif

void fill_float32(float* accumulators, std::size_t count, float* operands, std::size_t lanes) {
  for (std::size_t i = 0; i < count; ++i) accumulators[i] = 1.0f + 0.001f * static_cast<float>(i);
  for (std::size_t l = 0; l < lanes; ++l) {
    // The iteration a <- 0.75 a + 0.25 (1 + l/64) converges to 1 + l/64: always normal numbers near
    // 1.
    operands[l] = 0.75f;
    operands[lanes + l] = 0.25f + static_cast<float>(l) / 256.0f;
  }
}

}  // namespace

std::span<const ComputeKernel> compute_kernels() { return kComputeKernels; }

std::vector<const ComputeKernel*> usable_compute_kernels(const Features& features) {
  std::vector<const ComputeKernel*> out;
  for (const ComputeKernel& k : kComputeKernels) {
    if (k.needs == nullptr || features.*k.needs) out.push_back(&k);
  }
  return out;
}

ComputeBuffers::ComputeBuffers(const ComputeKernel& kernel) {
  const std::size_t vector = static_cast<std::size_t>(kernel.vector_bits) / 8;
  const std::size_t accumulators = vector * static_cast<std::size_t>(kernel.chains);
  storage_.resize(accumulators + 2 * vector + kAlignment);
  const std::size_t address = reinterpret_cast<std::uintptr_t>(storage_.data());
  std::byte* base = storage_.data() + (kAlignment - address % kAlignment) % kAlignment;
  accumulators_ = base;
  operands_ = base + accumulators;
  if (kernel.dtype == "float32") {
    fill_float32(static_cast<float*>(accumulators_), accumulators / sizeof(float),
                 static_cast<float*>(operands_), vector / sizeof(float));
    return;
  }
  auto* bytes = static_cast<std::uint8_t*>(operands_);
  for (std::size_t i = 0; i < 2 * vector; ++i) bytes[i] = static_cast<std::uint8_t>(i * 37 + 11);
  std::memset(accumulators_, 0, accumulators);
}

}  // namespace ridge::kernels
