// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/clock_chain.h"

#if defined(__x86_64__)
#define RIDGE_CHAIN_ADD "add %1, %0\n\t"
#elif defined(__aarch64__)
#define RIDGE_CHAIN_ADD "add %0, %0, %1\n\t"
#endif

namespace ridge::kernels {

#if defined(RIDGE_CHAIN_ADD)
#define RIDGE_CHAIN_8                                                                             \
  RIDGE_CHAIN_ADD RIDGE_CHAIN_ADD RIDGE_CHAIN_ADD RIDGE_CHAIN_ADD RIDGE_CHAIN_ADD RIDGE_CHAIN_ADD \
      RIDGE_CHAIN_ADD RIDGE_CHAIN_ADD

std::uint64_t run_clock_chain(std::uint64_t start, std::uint64_t step, std::int64_t rounds) {
  for (; rounds > 0; --rounds) {
    __asm__ volatile(RIDGE_CHAIN_8 RIDGE_CHAIN_8 RIDGE_CHAIN_8 RIDGE_CHAIN_8 RIDGE_CHAIN_8
                         RIDGE_CHAIN_8 RIDGE_CHAIN_8 RIDGE_CHAIN_8
                     : "+r"(start)
                     : "r"(step)
                     : "cc");
  }
  return start;
}

bool clock_chain_known() { return true; }
#else
std::uint64_t run_clock_chain(std::uint64_t start, std::uint64_t step, std::int64_t rounds) {
  return start + step * static_cast<std::uint64_t>(rounds * kChainAdds);
}

bool clock_chain_known() { return false; }
#endif

}  // namespace ridge::kernels
