// SPDX-License-Identifier: Apache-2.0
#include "accelerator/padded_memory.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "accelerator/form.h"

namespace ridge::accelerator {
namespace {

using Role = BufferProfile::Role;
/// Elements of one matrix of a product.
using Matrix = std::int64_t (*)(const Gemm&);

std::int64_t filter(const Gemm& g) { return times({g.n, g.k}); }
std::int64_t result(const Gemm& g) { return times({g.m, g.n}); }

/// Sizes above 1.
std::vector<std::int64_t> proper(const BufferProfile& b) {
  std::vector<std::int64_t> out;
  std::ranges::copy_if(b.shape, std::back_inserter(out), [](std::int64_t n) { return n > 1; });
  return out;
}

/// True for a bias, a scale per row or column, and the like.
bool is_vector(const BufferProfile& b, const Gemm& g) {
  return proper(b).size() < 2 &&
         product(b.shape) <= std::max({times({g.m, g.count}), times({g.n, g.count}), g.k});
}

std::int64_t grown(std::int64_t bytes, std::int64_t from, std::int64_t to) {
  const double ratio = static_cast<double>(to) / static_cast<double>(from);
  return to == from ? bytes : std::llround(static_cast<double>(bytes) * ratio);
}

/// Bytes of a tensor at the padded size of the matrix `of`; nullopt if it is no such matrix.
std::optional<std::int64_t> as_matrix(const BufferProfile& b, Matrix of, const Layer& before,
                                      const Layer& after) {
  const std::int64_t elements = product(b.shape);
  for (std::size_t i = 0; i < before.gemms.size(); ++i) {
    const Gemm& g = before.gemms[i];
    const std::int64_t one = of(g);
    if (one > 0 && (elements == one || elements == times({one, g.count})))
      return grown(b.bytes, one, of(after.gemms[i]));
  }
  return std::nullopt;
}

std::int64_t stored_parameter(const BufferProfile& b, const Layer& before, const Layer& after) {
  if (const auto bytes = as_matrix(b, filter, before, after)) return *bytes;
  if (before.gemms.size() != 1) return b.bytes;
  const Gemm &from = before.gemms[0], &to = after.gemms[0];
  if (proper(b) == std::vector{from.m, from.n}) return grown(b.bytes, result(from), result(to));
  if (is_vector(b, from) || filter(from) < 1) return b.bytes;
  return grown(b.bytes, filter(from), filter(to));
}

}  // namespace

std::optional<PaddedBytes> padded_bytes(const LayerProfile* memory, const Layer& before,
                                        const Layer& after) {
  if (memory == nullptr || !memory->reason.empty()) return std::nullopt;
  PaddedBytes out{memory->param_bytes, memory->allocated_bytes};
  for (const BufferProfile& b : memory->buffers) {
    if (b.role == Role::kParameter) out.parameters += stored_parameter(b, before, after) - b.bytes;
    if (b.role == Role::kOutput || b.role == Role::kIntermediate)
      out.allocated += as_matrix(b, result, before, after).value_or(b.bytes) - b.bytes;
  }
  return out;
}

}  // namespace ridge::accelerator
