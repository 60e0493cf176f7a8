// Types and constant values of tensors during analysis.
#pragma once

#include <span>
#include <string_view>

#include "onnx/data_type.h"
#include "ops/dim.h"

namespace ridge::ops {

using onnx::DataType;

/// A shape: interned or arena-owned dimensions. rank < 0: not even the rank is known.
struct Shape {
  const Dim* dims = nullptr;
  std::int32_t rank = -1;

  bool ranked() const { return rank >= 0; }
  std::span<const Dim> span() const {
    return {dims, ranked() ? static_cast<std::size_t>(rank) : 0};
  }
  Dim operator[](std::size_t i) const { return dims[i]; }
  /// Every dimension an integer.
  bool known() const {
    if (!ranked()) return false;
    for (const Dim& d : span())
      if (!d.known()) return false;
    return true;
  }
};

enum class Container : std::uint8_t { kTensor, kSequence, kOptional, kMap };

/// Of a sequence or optional: dtype and shape are those of the element.
struct Type {
  DataType dtype = DataType::kUndefined;
  Container container = Container::kTensor;
  Shape shape;
};

/// A small constant: integers (as Dims, so a folded shape may be symbolic) or reals; bool counts as
/// integer. At most kMaxFolded elements.
inline constexpr std::int64_t kMaxFolded = 4096;

struct Value {
  DataType dtype = DataType::kUndefined;
  Shape shape;                    ///< of the tensor; a scalar has rank 0 and one element
  std::span<const Dim> ints;      ///< integer and bool types
  std::span<const double> reals;  ///< floating types
};

}  // namespace ridge::ops
