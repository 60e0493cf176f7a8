#include "accelerator/padded_memory.h"

#include <algorithm>
#include <cmath>

#include "accelerator/form.h"

namespace ridge::accelerator {
namespace {

using Role = BufferProfile::Role;
/// Elements of one matrix of a product.
using Matrix = std::int64_t (*)(const Gemm&);

std::int64_t filter(const Gemm& g) { return times({g.n, g.k}); }
std::int64_t result(const Gemm& g) { return times({g.m, g.n}); }

bool is_vector(const BufferProfile& b) {
  return std::count_if(b.shape.begin(), b.shape.end(), [](std::int64_t n) { return n > 1; }) < 2;
}

std::int64_t grown(std::int64_t bytes, std::int64_t from, std::int64_t to) {
  const double ratio = static_cast<double>(to) / static_cast<double>(from);
  return to == from ? bytes : std::llround(static_cast<double>(bytes) * ratio);
}

/// Bytes of a tensor at the padded size of the matrix `of`; its own bytes if it is no such matrix.
std::int64_t stored(const BufferProfile& b, Matrix of, const Layer& before, const Layer& after) {
  const std::int64_t elements = product(b.shape);
  for (std::size_t i = 0; i < before.gemms.size(); ++i) {
    const Gemm& g = before.gemms[i];
    const std::int64_t one = of(g);
    if (one > 0 && (elements == one || elements == times({one, g.count})))
      return grown(b.bytes, one, of(after.gemms[i]));
  }
  const bool packed = b.role == Role::kParameter && before.gemms.size() == 1 && !is_vector(b);
  if (!packed || filter(before.gemms[0]) < 1) return b.bytes;
  return grown(b.bytes, filter(before.gemms[0]), filter(after.gemms[0]));
}

}  // namespace

std::optional<PaddedBytes> padded_bytes(const LayerProfile* memory, const Layer& before,
                                        const Layer& after) {
  if (memory == nullptr || !memory->reason.empty()) return std::nullopt;
  PaddedBytes out{memory->param_bytes, memory->allocated_bytes};
  for (const BufferProfile& b : memory->buffers) {
    if (b.role == Role::kParameter) out.parameters += stored(b, filter, before, after) - b.bytes;
    if (b.role == Role::kOutput || b.role == Role::kIntermediate)
      out.allocated += stored(b, result, before, after) - b.bytes;
  }
  return out;
}

}  // namespace ridge::accelerator
