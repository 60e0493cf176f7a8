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
/// A shape: interned or arena-owned dimensions. rank < 0: not even the rank is known.
struct Shape {
  /// Rank of the element of a sequence that has no members: whatever comes in decides.
  static constexpr std::int32_t kNoMembers = -2;

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

enum class Container : std::uint8_t { kTensor, kSequence, kOptional, kMap, kOptionalSequence };

/// Of a sequence or optional: dtype and shape are those of the element (of a sequence: what all
/// members share; of a map: the dtype of its values).
struct Type {
  DataType dtype = DataType::kUndefined;
  Container container = Container::kTensor;
  Shape shape;
};
#pragma pack(pop)
static_assert(sizeof(Type) == 20);

/// "[1, 64, 56, 56]", "of unknown rank".
std::string dims_text(const Shape& shape, const DimPool& dims);
/// "float32 [1, 64]", "float32 of unknown rank", "of unknown type".
std::string type_text(const Type& type, const DimPool& dims);
/// Bytes of a tensor as stored; unknown where its elements are, and of any other container.
Dim type_bytes(const Type& type, DimPool& dims);

/// A small constant: integers (as Dims, so a folded shape may be symbolic) or reals; bool counts as
/// integer. At most kMaxFolded elements.
inline constexpr std::int64_t kMaxFolded = 4096;

struct Value;

/// A tensor of a sequence.
struct Member {
  Type type;
  const Value* value = nullptr;  ///< its elements where they are known
};
/// The members of a sequence whose length is known, at most kMaxMembers; of an optional the one
/// that it holds, if any.
using Members = std::span<const Member>;
inline constexpr std::size_t kMaxMembers = 512;
/// Of all sequences of a model together.
inline constexpr std::size_t kMaxModelMembers = 500'000;

struct Value {
  DataType dtype = DataType::kUndefined;
  Shape shape;                       ///< of the tensor; a scalar has rank 0 and one element
  std::span<const Dim> ints;         ///< integer and bool types
  std::span<const double> reals;     ///< floating types
  const Members* members = nullptr;  ///< of a sequence or optional, which has nothing else
};

}  // namespace ridge::ops
