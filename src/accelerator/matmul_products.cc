// SPDX-License-Identifier: Apache-2.0
// Matrix products, from the attributes and shapes of their operators.
#include <algorithm>

#include "accelerator/products.h"

namespace ridge::accelerator {
namespace {

/// Product of two shapes by numpy's matmul; either may have its last two axes swapped.
/// Example: [2, 3, 4, 5] x [3, 5, 6]. Both factors have the batch axis of 3, only the first one
/// the axis of 2: 3 products with M = 2 * 4 = 8, N = 6, K = 5.
std::optional<Gemms> matmul(Sizes a, Sizes b, bool swap_a, bool swap_b) {
  if (a.empty() || b.empty()) return std::nullopt;
  if (a.size() == 1) a.insert(a.begin(), 1);
  if (b.size() == 1) b.push_back(1);
  if (swap_a) std::swap(a[a.size() - 1], a[a.size() - 2]);
  if (swap_b) std::swap(b[b.size() - 1], b[b.size() - 2]);
  // A batch axis that only the first factor has multiplies its rows; one that only the second has
  // multiplies its columns.
  std::int64_t m = a[a.size() - 2], n = b.back(), batch = 1;
  for (std::size_t i = 2; i < std::max(a.size(), b.size()); ++i) {
    const std::int64_t rows = i < a.size() ? a[a.size() - 1 - i] : 1;
    const std::int64_t columns = i < b.size() ? b[b.size() - 1 - i] : 1;
    std::int64_t& side = columns == 1 ? m : rows == 1 ? n : batch;
    side = times({side, std::max(rows, columns)});
  }
  return Gemms{matrix_product(m, n, a.back(), batch)};
}

/// Moves axis 0 behind the other batch axes, as transBatch does: [1, 2, ..., 0, last].
void swap_batch(Sizes& s, bool swap) {
  if (swap && s.size() >= 3) std::rotate(s.begin(), s.begin() + 1, s.end() - 1);
}

}  // namespace

std::optional<Gemms> product_of(const Form& f, std::size_t a, std::size_t b, bool swap_a,
                                bool swap_b) {
  auto first = f.input(a), second = f.input(b);
  if (!first || !second) return std::nullopt;
  return matmul(std::move(*first), std::move(*second), swap_a, swap_b);
}

std::optional<Gemms> swapped_product(const Form& f, std::size_t a, std::size_t b) {
  return product_of(f, a, b, f.integer("transA", 0) != 0, f.integer("transB", 0) != 0);
}

std::optional<Gemms> fused_product(const Form& f) {
  auto a = f.input(0), b = f.input(1);
  if (!a || !b) return std::nullopt;
  swap_batch(*a, f.integer("transBatchA", 0) != 0);
  swap_batch(*b, f.integer("transBatchB", 0) != 0);
  return matmul(std::move(*a), std::move(*b), f.integer("transA", 0) != 0,
                f.integer("transB", 0) != 0);
}

std::optional<Gemms> packed_product(const Form& f, std::int64_t columns) {
  const auto data = f.input(0);
  if (!data || data->empty() || data->back() < 1) return std::nullopt;
  return Gemms{matrix_product(product(*data) / data->back(), columns, data->back())};
}

// Only the data determines which experts process a token, so the tokens are assumed to be spread
// evenly. Example: 10 tokens with k = 2 on 8 experts are 20 passes: 4 experts get 3 rows, 4 get 2.
std::optional<Gemms> mixture_of_experts(const Form& f, std::span<const std::size_t> weights) {
  const auto data = f.input(0);
  if (!data || data->empty() || data->back() < 1) return std::nullopt;
  const std::int64_t passes = times({product(*data) / data->back(), f.integer("k", 1)});
  const std::int64_t bits = f.integer("expert_weight_bits", 4);
  Gemms out;
  for (const std::size_t i : weights) {
    if (!f.has_input(i)) continue;
    const auto w = f.input(i);
    if (!w || w->size() != 3 || (*w)[0] < 1) return std::nullopt;
    const bool packs = f.dtype(i) == onnx::DataType::kUint8 && bits > 0 && bits < 8;
    const std::int64_t experts = (*w)[0], depth = times({(*w)[2], packs ? 8 / bits : 1});
    const std::int64_t each = passes / experts, more = passes % experts;
    if (more > 0) out.push_back(matrix_product(each + 1, (*w)[1], depth, more));
    if (each > 0) out.push_back(matrix_product(each, (*w)[1], depth, experts - more));
  }
  return out;
}

}  // namespace ridge::accelerator
