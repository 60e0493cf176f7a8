// SPDX-License-Identifier: Apache-2.0
#include "analysis/constants.h"

#include <fmt/format.h>

#include <cstring>

#include "onnx/half.h"
#include "onnx/weights.h"

namespace ridge::analysis {
namespace {

using onnx::DataType;

template <typename T>
T element(std::span<const std::byte> bytes, std::size_t i) {
  T out;
  std::memcpy(&out, bytes.data() + i * sizeof(T), sizeof(T));
  return out;
}

/// Returns element `i` of elements packed at `bits` < 8 bits each, lowest bits first (onnx.proto,
/// TensorProto.raw_data).
std::int64_t packed(std::span<const std::byte> bytes, std::size_t i, unsigned bits,
                    bool is_signed) {
  const std::size_t per_byte = 8 / bits;
  const auto byte = static_cast<unsigned>(bytes[i / per_byte]);
  const unsigned raw = byte >> (i % per_byte * bits) & ((1U << bits) - 1);
  const bool negative = is_signed && (raw >> (bits - 1)) != 0;
  return static_cast<std::int64_t>(raw) - (negative ? std::int64_t{1} << bits : 0);
}

ops::Dim integer(DataType type, std::span<const std::byte> bytes, std::size_t i) {
  switch (type) {
    case DataType::kBool:
      return ops::Dim(element<std::uint8_t>(bytes, i) != 0 ? 1 : 0);
    case DataType::kUint8:
      return ops::Dim(element<std::uint8_t>(bytes, i));
    case DataType::kInt8:
      return ops::Dim(element<std::int8_t>(bytes, i));
    case DataType::kUint16:
      return ops::Dim(element<std::uint16_t>(bytes, i));
    case DataType::kInt16:
      return ops::Dim(element<std::int16_t>(bytes, i));
    case DataType::kUint32:
      return ops::Dim(element<std::uint32_t>(bytes, i));
    case DataType::kInt32:
      return ops::Dim(element<std::int32_t>(bytes, i));
    case DataType::kInt64:
      return ops::Dim(element<std::int64_t>(bytes, i));
    case DataType::kUint64: {
      const auto value = element<std::uint64_t>(bytes, i);
      return value > static_cast<std::uint64_t>(INT64_MAX)
                 ? ops::Dim()
                 : ops::Dim(static_cast<std::int64_t>(value));
    }
    case DataType::kUint4:
      return ops::Dim(packed(bytes, i, 4, false));
    case DataType::kInt4:
      return ops::Dim(packed(bytes, i, 4, true));
    case DataType::kUint2:
      return ops::Dim(packed(bytes, i, 2, false));
    case DataType::kInt2:
      return ops::Dim(packed(bytes, i, 2, true));
    default:
      return {};
  }
}

enum class Decoding : std::uint8_t { kNone, kIntegers, kReals };

Decoding decoding(DataType type) {
  switch (type) {
    case DataType::kFloat:
    case DataType::kDouble:
    case DataType::kFloat16:
    case DataType::kBfloat16:
      return Decoding::kReals;
    default:
      break;
  }
  const onnx::DataTypeInfo* row = onnx::info(type);
  if (row == nullptr || row->bits == 0) return Decoding::kNone;
  return row->integer || type == DataType::kBool ? Decoding::kIntegers : Decoding::kNone;
}

double real(DataType type, std::span<const std::byte> bytes, std::size_t i) {
  switch (type) {
    case DataType::kFloat:
      return element<float>(bytes, i);
    case DataType::kDouble:
      return element<double>(bytes, i);
    case DataType::kFloat16:
      return onnx::float_of_float16(element<std::uint16_t>(bytes, i));
    default:
      return onnx::float_of_bfloat16(element<std::uint16_t>(bytes, i));
  }
}

ops::Shape shape_of(const onnx::Tensor& tensor, Arena& arena) {
  const std::span<ops::Dim> dims = arena.array<ops::Dim>(tensor.dims.size());
  for (std::size_t i = 0; i < dims.size(); ++i) dims[i] = ops::Dim(tensor.dims[i]);
  return {dims.data(), static_cast<std::int32_t>(dims.size())};
}

/// `stride`: 1, or 0 if the first element is the value of all.
const ops::Value* decode(ops::Value value, std::size_t count, std::span<const std::byte> bytes,
                         Decoding how, std::size_t stride, Arena& arena) {
  if (how == Decoding::kIntegers) {
    const std::span<ops::Dim> ints = arena.array<ops::Dim>(count);
    for (std::size_t i = 0; i < count; ++i) ints[i] = integer(value.dtype, bytes, i * stride);
    value.ints = ints;
  } else {
    const std::span<double> reals = arena.array<double>(count);
    for (std::size_t i = 0; i < count; ++i) reals[i] = real(value.dtype, bytes, i * stride);
    value.reals = reals;
  }
  return arena.make(value);
}

const ops::Value* decode(const onnx::Tensor& tensor, std::span<const std::byte> bytes, Decoding how,
                         Arena& arena) {
  return decode({tensor.type, shape_of(tensor, arena), {}, {}},
                static_cast<std::size_t>(tensor.elements), bytes, how, 1, arena);
}

}  // namespace

Result<const ops::Value*> tensor_value(const onnx::Document& document, const onnx::Tensor& tensor,
                                       Arena& arena) {
  const Decoding how = decoding(tensor.type);
  const bool held = tensor.storage == onnx::Storage::kInline ||
                    tensor.storage == onnx::Storage::kFile || tensor.elements == 0;
  if (how == Decoding::kNone || tensor.elements > ops::kMaxFolded || !held) return nullptr;
  const std::optional<std::int64_t> needed = onnx::storage_bytes(tensor.type, tensor.elements);
  if (!needed) return nullptr;
  if (tensor.elements == 0) return decode(tensor, {}, how, arena);
  if (tensor.storage == onnx::Storage::kInline) {
    if (static_cast<std::int64_t>(tensor.bytes.size()) < *needed) return nullptr;
    return decode(tensor, tensor.bytes, how, arena);
  }
  const std::vector<std::byte> bytes = TRY(onnx::load(document, tensor, *needed));
  if (static_cast<std::int64_t>(bytes.size()) < *needed) return nullptr;
  return decode(tensor, bytes, how, arena);
}

Result<const ops::Value*> value_of_bytes(DataType type, const ops::Shape& shape,
                                         std::int64_t elements, std::span<const std::byte> bytes,
                                         Arena& arena) {
  const Decoding how = decoding(type);
  const std::optional<std::int64_t> all = onnx::storage_bytes(type, elements);
  const std::optional<std::int64_t> one = onnx::storage_bytes(type, 1);
  if (how == Decoding::kNone || elements > ops::kMaxFolded || !all || !one) return nullptr;
  const auto given = static_cast<std::int64_t>(bytes.size());
  if (given != *all && given != *one)
    return input_error("RIDGE-ANA-0112", fmt::format("{} bytes of {} are given, its shape needs {}",
                                                     given, onnx::name(type), *all))
        .hint("give one number for all elements, or as many as there are");
  const std::size_t stride = given == *all ? 1 : 0;
  return decode({type, shape, {}, {}}, static_cast<std::size_t>(elements), bytes, how, stride,
                arena);
}

}  // namespace ridge::analysis
