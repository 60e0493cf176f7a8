// SPDX-License-Identifier: Apache-2.0
// Element types of ONNX tensors: onnx/onnx.proto, TensorProto.DataType.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ridge::onnx {

enum class DataType : std::int32_t {
  kUndefined = 0,
  kFloat = 1,
  kUint8 = 2,
  kInt8 = 3,
  kUint16 = 4,
  kInt16 = 5,
  kInt32 = 6,
  kInt64 = 7,
  kString = 8,
  kBool = 9,
  kFloat16 = 10,
  kDouble = 11,
  kUint32 = 12,
  kUint64 = 13,
  kComplex64 = 14,
  kComplex128 = 15,
  kBfloat16 = 16,
  kFloat8E4M3FN = 17,
  kFloat8E4M3FNUZ = 18,
  kFloat8E5M2 = 19,
  kFloat8E5M2FNUZ = 20,
  kUint4 = 21,
  kInt4 = 22,
  kFloat4E2M1 = 23,
  kFloat8E8M0 = 24,
  kUint2 = 25,
  kInt2 = 26,
  kFloat6E2M3 = 27,
  kFloat6E3M2 = 28,
};

/// Properties of a data type; the table of these is the only place that defines them.
struct DataTypeInfo {
  DataType type;
  std::string_view name;  ///< name in JSON: "float32", "int64", "bool", ...
  int bits;               ///< bits per stored element; 0 for strings
  bool floating;
  bool integer;    ///< signed or unsigned, any width; not bool
  bool quantized;  ///< type used for quantized weights: integers and floats of at most 8 bits
};

/// Returns nullptr for a number that is not an element type (or kUndefined).
const DataTypeInfo* info(DataType type);
inline const DataTypeInfo* info_of(std::int32_t number) {
  return info(static_cast<DataType>(number));
}

/// Returns the name, or "undefined" for an unknown type.
std::string_view name(DataType type);
std::optional<DataType> data_type_named(std::string_view name);

/// Bytes of `elements` stored elements (sub-byte types are packed, rounded up); nullopt on
/// overflow, and for strings and undefined types.
std::optional<std::int64_t> storage_bytes(DataType type, std::int64_t elements);

}  // namespace ridge::onnx
