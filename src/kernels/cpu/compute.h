// SPDX-License-Identifier: Apache-2.0
// Kernels that only multiply and add in registers: they measure the compute roof of each
// instruction set.
//
//   for (const ComputeKernel* k : usable_compute_kernels(features)) {
//     ComputeBuffers buffers(*k);
//     k->run(buffers.accumulators(), buffers.operands(), steps);   // steps * k->operations() FLOP
//   }
//
// One step is `chains` independent multiply-add instructions of `lanes` each, enough to hide the
// latency of every known unit. Results are written back, so that nothing can be optimized away, and
// are exact: float32 lane l of chain j becomes fma(acc, factor[l], addend[l]) per step (multiply
// then add, each rounded, for the baseline); each int32 lane of an int8 kernel adds the dot product
// of four unsigned and four signed bytes, and wraps. Thread rule: pure except for the buffers.
// Errors: none; running a kernel that this processor does not support is undefined (an illegal
// instruction).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "kernels/cpu/features.h"

namespace ridge::kernels {

struct ComputeKernel {
  std::string_view name;         ///< "fma_avx512"
  std::string_view dtype;        ///< "float32" or "int8": element type of the factors
  std::string_view instruction;  ///< "vfmadd zmm"
  int vector_bits = 0;
  int lanes = 0;   ///< multiply-adds per instruction
  int chains = 0;  ///< multiply-add instructions per step
  bool Features::*needs = nullptr;
  /// `accumulators`: chains x vector_bits; `operands`: two vectors (float32: factor, addend; int8:
  /// unsigned bytes, signed bytes); all aligned to 64 bytes.
  void (*run)(void* accumulators, const void* operands, std::int64_t steps) = nullptr;

  /// Number of FLOP per step, a multiply-add counted as 2.
  double operations() const { return 2.0 * lanes * chains; }
};

/// All compiled kernels, widest first within an element type.
std::span<const ComputeKernel> compute_kernels();

/// Kernels that this processor can run.
std::vector<const ComputeKernel*> usable_compute_kernels(const Features& features);

/// Buffers of a kernel: aligned, initialized with values that neither overflow nor become
/// subnormal.
class ComputeBuffers {
 public:
  explicit ComputeBuffers(const ComputeKernel& kernel);
  void* accumulators() { return accumulators_; }
  void* operands() { return operands_; }

 private:
  std::vector<std::byte> storage_;
  void* accumulators_ = nullptr;
  void* operands_ = nullptr;
};

namespace detail {
// Defined in compute_<isa>.cc, listed in compute.cc.
void mul_add_baseline(void* accumulators, const void* operands, std::int64_t steps);
void fma_avx2(void* accumulators, const void* operands, std::int64_t steps);
void fma_avx512(void* accumulators, const void* operands, std::int64_t steps);
void dot_avxvnni(void* accumulators, const void* operands, std::int64_t steps);
void dot_avx512vnni(void* accumulators, const void* operands, std::int64_t steps);
}  // namespace detail

}  // namespace ridge::kernels
