// SPDX-License-Identifier: Apache-2.0
// Common parts of the loop nests of attention: queries x keys, softmax, scores x values, for any
// layout of the vectors in the tensors. Private to these nests.
//
// Past keys and values, if any, are first joined with the new ones, in the output that returns them
// or in a buffer. Masks and biases are added along their own axes; no score is skipped.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "accelerator/nests/operators.h"

namespace ridge::accelerator {

/// Layout of the vectors of all heads in a tensor.
enum class VectorLayout {
  kHeads,       ///< [batch, heads, length, size]
  kRows,        ///< [batch, length, ... heads x size ...]
  kStepsFirst,  ///< [length, batch, heads x size]
  kThird,       ///< [batch, length, heads, 3, size]
  kHalf,        ///< [2, batch, heads, length, size]
};

struct Vectors {
  BufferId buffer = kNothing;
  VectorLayout layout = VectorLayout::kHeads;
  std::int64_t size = 0;   ///< elements per vector
  std::int64_t first = 0;  ///< column of the first vector, or index of the third or half
};

/// Indices of an element of a vector.
struct VectorAt {
  ExprId batch, head, token, element;
};

std::vector<ExprId> index_of(NestBuilder& b, const Vectors& v, const VectorAt& at);
ExprId load(NestBuilder& b, const Vectors& v, const VectorAt& at);

/// Keys or values: the new and the past ones, either of which may be missing, and the output that
/// returns both.
struct Side {
  std::optional<Vectors> now, past, shown;
  std::int64_t size = 0;
};

struct Heads {
  std::int64_t batch = 0, heads = 0, shared = 0, queries = 0, now = 0, past = 0;

  std::int64_t keys() const { return past + now; }
};

struct Attention {
  Heads h;
  Vectors q, out;
  Side k, v;
  std::optional<BufferId> scores;  ///< output that returns the scores
  /// Tensors whose axes are the last of [batch, heads, queries, keys], or one with lengths or keys.
  std::vector<BufferId> masks = {};
};

/// Vectors of an input or output [batch, heads, length, size]; nullopt unless it has room for all
/// `length` keys of `size` elements.
std::optional<Vectors> cache(const NestBuilder& b, std::optional<BufferId> buffer,
                             std::int64_t length, std::int64_t size);
/// Keys or values in one tensor, [2, batch, heads, length, size].
std::optional<Vectors> half(const NestBuilder& b, std::optional<BufferId> buffer,
                            std::int64_t which, std::int64_t length, std::int64_t size);

/// Adds the blocks of attention; false: inconsistent sizes.
bool attend(NestBuilder& b, const Attention& a);

}  // namespace ridge::accelerator
