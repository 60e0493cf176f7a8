// SPDX-License-Identifier: Apache-2.0
// Conversion between element types of ONNX (TensorProto.DataType) and of OpenVINO.
#pragma once

#include <optional>

#include <openvino/openvino.hpp>

#include "onnx/data_type.h"

namespace ridge::openvino {

struct ElementType {
  onnx::DataType onnx;
  ov::element::Type_t openvino;
};

/// Types whose elements both store in the same way.
inline constexpr ElementType kElementTypes[] = {
    {onnx::DataType::kFloat, ov::element::Type_t::f32},
    {onnx::DataType::kDouble, ov::element::Type_t::f64},
    {onnx::DataType::kFloat16, ov::element::Type_t::f16},
    {onnx::DataType::kBfloat16, ov::element::Type_t::bf16},
    {onnx::DataType::kInt8, ov::element::Type_t::i8},
    {onnx::DataType::kUint8, ov::element::Type_t::u8},
    {onnx::DataType::kInt16, ov::element::Type_t::i16},
    {onnx::DataType::kUint16, ov::element::Type_t::u16},
    {onnx::DataType::kInt32, ov::element::Type_t::i32},
    {onnx::DataType::kUint32, ov::element::Type_t::u32},
    {onnx::DataType::kInt64, ov::element::Type_t::i64},
    {onnx::DataType::kUint64, ov::element::Type_t::u64},
    {onnx::DataType::kBool, ov::element::Type_t::boolean},
    {onnx::DataType::kInt4, ov::element::Type_t::i4},
    {onnx::DataType::kUint4, ov::element::Type_t::u4},
    {onnx::DataType::kFloat8E4M3FN, ov::element::Type_t::f8e4m3},
    {onnx::DataType::kFloat8E5M2, ov::element::Type_t::f8e5m2},
    {onnx::DataType::kFloat8E8M0, ov::element::Type_t::f8e8m0},
    {onnx::DataType::kFloat4E2M1, ov::element::Type_t::f4e2m1},
    {onnx::DataType::kString, ov::element::Type_t::string}};

inline std::optional<ov::element::Type> to_openvino(onnx::DataType type) {
  for (const ElementType& row : kElementTypes)
    if (row.onnx == type) return ov::element::Type(row.openvino);
  return std::nullopt;
}

inline onnx::DataType to_onnx(const ov::element::Type& type) {
  for (const ElementType& row : kElementTypes)
    if (type == row.openvino) return row.onnx;
  return onnx::DataType::kUndefined;
}

}  // namespace ridge::openvino
