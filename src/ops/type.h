// SPDX-License-Identifier: Apache-2.0
// Types and constant values of tensors during analysis.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "onnx/data_type.h"
#include "ops/dim.h"

namespace ridge::ops {

using onnx::DataType;

#pragma pack(push, 4)
/// Shape with interned or arena-owned dimensions. rank < 0: the rank is unknown.
struct Shape {
  /// Rank of the element of an empty sequence: the first inserted member determines the shape.
  static constexpr std::int32_t kNoMembers = -2;

  const Dim* dims = nullptr;
  std::int32_t rank = -1;

  bool ranked() const { return rank >= 0; }
  std::span<const Dim> span() const {
    return {dims, ranked() ? static_cast<std::size_t>(rank) : 0};
  }
  Dim operator[](std::size_t i) const { return dims[i]; }
  /// True if every dimension is an integer.
  bool known() const {
    if (!ranked()) return false;
    for (const Dim& d : span())
      if (!d.known()) return false;
    return true;
  }
};

enum class Container : std::uint8_t { kTensor, kSequence, kOptional, kMap, kOptionalSequence };

/// For a sequence or optional, dtype and shape describe the element (for a sequence, what all
/// members share); for a map, dtype is the type of its values.
struct Type {
  DataType dtype = DataType::kUndefined;
  Container container = Container::kTensor;
  Shape shape;
};
#pragma pack(pop)
static_assert(sizeof(Type) == 20);

/// True if both ranks are known and all dimensions are the same integers or expressions.
bool same_shape(const Shape& a, const Shape& b);

/// Text such as "[1, 64, 56, 56]" or "of unknown rank".
std::string dims_text(const Shape& shape, const DimPool& dims);
/// Text such as "float32 [1, 64]", "float32 of unknown rank" or "of unknown type".
std::string type_text(const Type& type, const DimPool& dims);
/// Stored bytes of a tensor; unknown if its elements are, and for other containers.
Dim type_bytes(const Type& type, DimPool& dims);

/// Small constant: integers (as Dims, so a folded shape may be symbolic) or reals; bool counts as
/// integer. At most kMaxFolded elements.
inline constexpr std::int64_t kMaxFolded = 4096;

struct Value;

/// Tensor of a sequence.
struct Member {
  Type type;
  const Value* value = nullptr;  ///< elements, if they are known
};
/// Members of a sequence of known length, at most kMaxMembers; or the content of an optional, at
/// most one.
using Members = std::span<const Member>;
inline constexpr std::size_t kMaxMembers = 512;
/// Limit over all sequences of a model.
inline constexpr std::size_t kMaxModelMembers = 500'000;

struct Value {
  DataType dtype = DataType::kUndefined;
  Shape shape;                       ///< shape of the tensor; a scalar has rank 0 and one element
  std::span<const Dim> ints;         ///< integer and bool types
  std::span<const double> reals;     ///< floating types
  const Members* members = nullptr;  ///< for a sequence or optional, which has no other data
};

}  // namespace ridge::ops
