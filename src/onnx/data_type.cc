// SPDX-License-Identifier: Apache-2.0
#include "onnx/data_type.h"

#include <algorithm>
#include <array>

#include "base/checked.h"

namespace ridge::onnx {
namespace {

// Ordered by the numbers in onnx.proto, so that a lookup is an index.
constexpr std::array<DataTypeInfo, 28> kTypes = {{
    {DataType::kFloat, "float32", 32, true, false, false},
    {DataType::kUint8, "uint8", 8, false, true, true},
    {DataType::kInt8, "int8", 8, false, true, true},
    {DataType::kUint16, "uint16", 16, false, true, false},
    {DataType::kInt16, "int16", 16, false, true, false},
    {DataType::kInt32, "int32", 32, false, true, false},
    {DataType::kInt64, "int64", 64, false, true, false},
    {DataType::kString, "string", 0, false, false, false},
    {DataType::kBool, "bool", 8, false, false, false},
    {DataType::kFloat16, "float16", 16, true, false, false},
    {DataType::kDouble, "float64", 64, true, false, false},
    {DataType::kUint32, "uint32", 32, false, true, false},
    {DataType::kUint64, "uint64", 64, false, true, false},
    {DataType::kComplex64, "complex64", 64, true, false, false},
    {DataType::kComplex128, "complex128", 128, true, false, false},
    {DataType::kBfloat16, "bfloat16", 16, true, false, false},
    {DataType::kFloat8E4M3FN, "float8_e4m3fn", 8, true, false, true},
    {DataType::kFloat8E4M3FNUZ, "float8_e4m3fnuz", 8, true, false, true},
    {DataType::kFloat8E5M2, "float8_e5m2", 8, true, false, true},
    {DataType::kFloat8E5M2FNUZ, "float8_e5m2fnuz", 8, true, false, true},
    {DataType::kUint4, "uint4", 4, false, true, true},
    {DataType::kInt4, "int4", 4, false, true, true},
    {DataType::kFloat4E2M1, "float4_e2m1", 4, true, false, true},
    {DataType::kFloat8E8M0, "float8_e8m0", 8, true, false, true},
    {DataType::kUint2, "uint2", 2, false, true, true},
    {DataType::kInt2, "int2", 2, false, true, true},
    {DataType::kFloat6E2M3, "float6_e2m3", 6, true, false, true},
    {DataType::kFloat6E3M2, "float6_e3m2", 6, true, false, true},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    if (static_cast<std::size_t>(kTypes[i].type) != i + 1) return false;
  }
  return true;
}
static_assert(in_order());

}  // namespace

const DataTypeInfo* info(DataType type) {
  const auto number = static_cast<std::int32_t>(type);
  if (number < 1 || number > static_cast<std::int32_t>(kTypes.size())) return nullptr;
  return &kTypes[static_cast<std::size_t>(number - 1)];
}

std::string_view name(DataType type) {
  const DataTypeInfo* row = info(type);
  return row != nullptr ? row->name : "undefined";
}

std::optional<DataType> data_type_named(std::string_view name) {
  const auto* row = std::ranges::find(kTypes, name, &DataTypeInfo::name);
  if (row == kTypes.end()) return std::nullopt;
  return row->type;
}

std::optional<std::int64_t> storage_bytes(DataType type, std::int64_t elements) {
  const DataTypeInfo* row = info(type);
  if (row == nullptr || row->bits == 0 || elements < 0) return std::nullopt;
  if (row->bits % 8 == 0) return checked_mul<std::int64_t>(elements, row->bits / 8);
  // Eight elements of b bits fill b bytes, so dividing first avoids overflow.
  return elements / 8 * row->bits + ceil_div(elements % 8 * row->bits, 8);
}

}  // namespace ridge::onnx
