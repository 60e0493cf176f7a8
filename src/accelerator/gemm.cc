// SPDX-License-Identifier: Apache-2.0
#include "accelerator/gemm.h"

namespace ridge::accelerator {

Gemm matrix_product(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t count) {
  Gemm g{m, n, k, count, {}};
  g.window.axes[1] = {.size = m, .out = m};
  g.window.axes[2] = {.size = k, .filter = k};
  return g;
}

}  // namespace ridge::accelerator
