// SPDX-License-Identifier: Apache-2.0
// Elements of an input as a user writes them in place of a file: "5", "1,2,3", "[[1,2],[3,4]]".
//
//   const std::optional<Literal> written = TRY(parse_literal("[[1,2],[3,4]]"));
//   TRY(write_literal(*written, onnx::DataType::kInt64, {2, 2}, out));      // 32 bytes
//
// Elements are numbers, true, false, inf and nan. Brackets state the shape. Without them one number
// is the value of every element of the input, and several are its elements in order. Any other text
// is the path of a file, so a file with a name of this form is written as ./5. Pure. Cost: linear;
// at most kMaxElements elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "onnx/data_type.h"

namespace ridge::runtime {

struct Literal {
  static constexpr std::size_t kMaxElements = std::size_t{1} << 16, kMaxAxes = 32;

  struct Element {
    std::int64_t whole = 0;  ///< the number, if it is an integer
    double real = 0;         ///< the nearest float64
    bool integer = false;
    bool beyond = false;  ///< above 2^63 - 1: `whole` has the bits of the unsigned number
  };
  std::vector<Element> elements;
  std::optional<std::vector<std::int64_t>> dims;  ///< shape that brackets state

  /// Shape that follows from the text and the rank that the input declares (nullopt: none);
  /// nullopt if the text fits several shapes.
  std::optional<std::vector<std::int64_t>> shape(std::optional<std::size_t> rank) const;
  /// True if the elements fill a tensor of this shape.
  bool fits(std::span<const std::int64_t> shape) const;
};

/// nullopt for the path of a file. Input error (RIDGE-RT-0045) for brackets that contain anything
/// but numbers, or rows of different lengths.
Result<std::optional<Literal>> parse_literal(std::string_view text);

/// Writes the elements of a tensor of `type`, whose shape `literal` fits. Input error
/// (RIDGE-RT-0046) for a number that the type cannot hold, and for types that are not plain numbers
/// of whole bytes.
Result<void> write_literal(const Literal& literal, onnx::DataType type, std::span<std::byte> out);

}  // namespace ridge::runtime
