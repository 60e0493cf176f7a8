// What the loop nests of attention share: queries x keys, softmax, scores x values, whichever way
// the tensors hold their vectors. Private to them.
//
// Keys and values of the past and new ones are joined first where there are past ones, in the
// output that shows them or in a buffer. Masks and biases are added where their axes lie; no score
// is left out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "accelerator/nests/operators.h"

namespace ridge::accelerator {

/// How a tensor holds the vectors of heads.
enum class Layout {
  kHeads,       ///< [batch, heads, length, size]
  kRows,        ///< [batch, length, ... heads x size ...]
  kStepsFirst,  ///< [length, batch, heads x size]
  kThird,       ///< [batch, length, heads, 3, size]
  kHalf,        ///< [2, batch, heads, length, size]
};

struct Vectors {
  BufferId buffer = kNothing;
  Layout layout = Layout::kHeads;
  std::int64_t size = 0;   ///< of a vector
  std::int64_t first = 0;  ///< column of the first vector, or which third or half
};

/// Indices of the elements of vectors.
struct VectorAt {
  ExprId batch, head, token, element;
};

std::vector<ExprId> index_of(NestBuilder& b, const Vectors& v, const VectorAt& at);
ExprId load(NestBuilder& b, const Vectors& v, const VectorAt& at);

/// Keys or values: of the past and new ones, either of which there may be none, and what shows them
/// together.
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
  std::optional<BufferId> scores;  ///< an output that shows them
  /// Tensors whose axes are the last of [batch, heads, queries, keys], or one of lengths or keys.
  std::vector<BufferId> masks = {};
};

/// [batch, heads, length, size] at an input or output, where it holds vectors of `size` for all
/// `length` keys.
std::optional<Vectors> cache(const NestBuilder& b, std::optional<BufferId> buffer,
                             std::int64_t length, std::int64_t size);
/// Keys or values in one tensor, [2, batch, heads, length, size].
std::optional<Vectors> half(const NestBuilder& b, std::optional<BufferId> buffer,
                            std::int64_t which, std::int64_t length, std::int64_t size);

/// false: sizes that do not fit.
bool attend(NestBuilder& b, const Attention& a);

}  // namespace ridge::accelerator
