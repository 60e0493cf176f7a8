// SPDX-License-Identifier: Apache-2.0
// Whether an attribute has the value that it would have if it were omitted, and which version of an
// operator an opset contains: what keys need so that equal nodes of different exporters are equal.
//
//   ops::NodeFacts facts{.domain = "", .op_type = "Conv", .opset = 17, .attributes = attributes};
//   facts.weight_dims = dims;                          // of input ops::weight_input(op_type)
//   for (const onnx::Attribute& a : facts.attributes)
//     if (!ops::is_default(facts, a)) …
//
// Formal defaults stem from the ONNX schemas (ops/defaults_table.h); defaults that only their text
// states ("If not present, the stride defaults to 1 along each spatial axis") are rows of
// defaults.cc. Operators that ONNX does not define, such as com.microsoft's, and opsets newer than
// the table are unknown: their version is the opset, and no attribute is a default.
//
// Ownership: facts are views. Thread safety: pure functions. Cost: a binary search, and the length
// of the attribute.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "graph/model.h"
#include "onnx/data_type.h"
#include "onnx/document.h"

namespace ridge::ops {

/// Facts that the default of an attribute may depend on. A default that needs an unknown fact never
/// matches.
struct NodeFacts {
  /// Sizes of a tensor, -1 = unknown size; nullopt = unknown rank.
  using Dims = std::optional<std::span<const std::int64_t>>;

  std::string_view domain, op_type;
  std::int32_t opset = 0;
  std::span<const onnx::Attribute> attributes;  ///< all: pads depend on auto_pad
  /// Sizes of input 0. The rank suffices, except for Squeeze: its default is all axes of size 1.
  Dims input_dims;
  Dims weight_dims;                                        ///< sizes of input weight_input()
  onnx::DataType input_type = onnx::DataType::kUndefined;  ///< type of input 0
};

/// Position of the weight that determines kernel_shape; nullopt if the operator has none.
std::optional<std::size_t> weight_input(std::string_view op_type);

/// First opset with the same version of the operator as `opset`; `opset` if the operator is
/// unknown. Example: Conv has the versions 1, 11 and 22, so opset 17 has version 11.
std::int32_t since_version(std::string_view domain, std::string_view op_type, std::int32_t opset);

/// True if the node does the same without this attribute, because it has its default. Formal
/// defaults compare by type and exact value. References to attributes of a function are not
/// defaults.
bool is_default(const NodeFacts& node, const onnx::Attribute& attribute);

}  // namespace ridge::ops
