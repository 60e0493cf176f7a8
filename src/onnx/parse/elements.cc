// SPDX-License-Identifier: Apache-2.0
// Elements of a TensorProto: raw_data and the six typed fields are converted to one little-endian
// array or left in the file.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/checked.h"
#include "onnx/parse/parse.h"

namespace ridge::onnx {
namespace {

constexpr const char* kTruncated = "the file may be truncated; export it again";

/// Typed field of TensorProto that stores the elements of a type one by one.
struct TypedField {
  std::uint32_t number;
  const char* name;
  int bytes;  ///< bytes of a packed entry; 0 for varints and strings
};

constexpr TypedField kFloatData{4, "float_data", 4};
constexpr TypedField kInt32Data{5, "int32_data", 0};
constexpr TypedField kStringData{6, "string_data", 0};
constexpr TypedField kInt64Data{7, "int64_data", 0};
constexpr TypedField kDoubleData{10, "double_data", 8};
constexpr TypedField kUint64Data{11, "uint64_data", 0};

const TypedField& typed_field(DataType type) {
  switch (type) {
    case DataType::kFloat:
    case DataType::kComplex64:
      return kFloatData;
    case DataType::kDouble:
    case DataType::kComplex128:
      return kDoubleData;
    case DataType::kInt64:
      return kInt64Data;
    case DataType::kUint32:
    case DataType::kUint64:
      return kUint64Data;
    case DataType::kString:
      return kStringData;
    default:
      return kInt32Data;
  }
}

const char* typed_field_name(std::uint32_t number) {
  for (const TypedField* f : {&kFloatData, &kInt32Data, &kStringData, &kInt64Data, &kDoubleData}) {
    if (f->number == number) return f->name;
  }
  return kUint64Data.name;
}

/// Number of entries in the typed field for `elements` elements (onnx.proto, comments on int32_data
/// and float_data).
std::int64_t typed_entries(DataType type, std::int64_t elements) {
  switch (info(type)->bits) {
    case 2:
      return ceil_div(elements, 4);
    case 4:
      return ceil_div(elements, 2);
    default:
      break;
  }
  const bool pairs = type == DataType::kComplex64 || type == DataType::kComplex128;
  return pairs ? 2 * elements : elements;  // no overflow: the caller checked storage_bytes()
}

/// Stores the low `bits` bits of a value at entry `index` of zeroed, packed, little-endian memory.
///
/// Example: 6-bit entries 0b000001 at index 0 and 0b000011 at index 1 use bits 0-5 and 6-11; the
/// first byte is 0b11000001, the second 0.
void put_entry(std::span<std::byte> out, std::int64_t index, int bits, std::uint64_t value) {
  if (bits % 8 == 0) {
    const auto width = static_cast<std::size_t>(bits / 8);
    std::memcpy(&out[static_cast<std::size_t>(index) * width], &value, width);
    return;
  }
  for (int bit = 0; bit < bits; ++bit) {
    const std::int64_t at = index * bits + bit;
    const auto set = static_cast<unsigned>(value >> bit & 1) << (at % 8);
    out[static_cast<std::size_t>(at / 8)] |= static_cast<std::byte>(set);
  }
}

}  // namespace

std::span<std::byte> Parser::element_array(std::size_t size, std::int64_t in_file) {
  const std::size_t free = std::min(size, static_cast<std::size_t>(in_file));
  if (size == 0 || !affordable(size - free)) return {};
  stored_ += free;
  auto* const bytes = static_cast<std::byte*>(arena_.allocate(size, alignof(std::uint64_t)));
  std::fill_n(bytes, size, std::byte{0});
  return {bytes, size};
}

void Parser::settle(Tensor& tensor, const TensorData& data) {
  if (data.second_typed != 0 || (data.typed != 0 && data.raw.value != 0)) {
    const char* other = data.second_typed != 0 ? typed_field_name(data.second_typed) : "raw_data";
    fail(input_error("RIDGE-ONNX-0232",
                     fmt::format("it has both {} and {}", other, typed_field_name(data.typed)))
             .evidence(in_->evidence(data.first.at, "TensorProto"))
             .hint("ONNX does not define which of them is valid; export the model again"));
    return;
  }
  if (data.external) return settle_external(tensor, data);
  if (data.raw.value != 0) return settle_raw(tensor, data);
  // Tools that strip weights leave no data; shapes suffice for most analyses.
  if (data.typed == 0) return;
  const TypedField& wanted = typed_field(tensor.type);
  if (data.typed != wanted.number) {
    fail(input_error("RIDGE-ONNX-0233", fmt::format("the elements are in {}, but {} requires {}",
                                                    typed_field_name(data.typed),
                                                    onnx::name(tensor.type), wanted.name))
             .evidence(in_->evidence(data.first.at, "TensorProto"))
             .hint("export the model again"));
  } else if (tensor.type == DataType::kString) {
    settle_strings(tensor, data);
  } else if (wanted.bytes != 0) {
    settle_fixed(tensor, data);
  } else {
    settle_varints(tensor, data);
  }
}

bool Parser::stays_in_file(const Tensor& tensor, std::int64_t bytes) const {
  const DataTypeInfo& type = *info(tensor.type);
  const bool weight = type.floating || type.quantized;
  return in_->is_file() &&
         (bytes > limits_.inline_bytes || (weight && tensor.elements > limits_.inline_weights));
}

void Parser::settle_raw(Tensor& tensor, const TensorData& data) {
  const auto needed = storage_bytes(tensor.type, tensor.elements);
  if (!needed) {
    fail(input_error("RIDGE-ONNX-0233", "raw_data cannot contain strings")
             .evidence(in_->evidence(data.raw.at, "TensorProto.raw_data"))
             .hint("export the model again"));
    return;
  }
  const std::int64_t length = data.raw.length();
  if (length != *needed) {
    fail(input_error("RIDGE-ONNX-0231",
                     fmt::format("raw_data has {} bytes, but shape {} {} requires {}", length,
                                 shape_text(tensor.dims), onnx::name(tensor.type), *needed))
             .evidence(in_->evidence(data.raw.at, "TensorProto.raw_data"))
             .hint(kTruncated));
    return;
  }
  if (stays_in_file(tensor, length)) {
    tensor.storage = Storage::kFile;
    tensor.offset = data.raw.payload;
    tensor.length = length;
    return;
  }
  const std::span<std::byte> bytes = element_array(static_cast<std::size_t>(length), length);
  if (!bytes.empty()) in_->content(data.raw, bytes);
  tensor.storage = Storage::kInline;
  tensor.bytes = bytes;
}

void Parser::fail_size(const Tensor& tensor, const TensorData& data, std::string_view holds,
                       std::string_view needs) {
  const char* field = typed_field_name(data.typed);
  fail(input_error("RIDGE-ONNX-0231",
                   fmt::format("{} has {}, but shape {} {} requires {}", field, holds,
                               shape_text(tensor.dims), onnx::name(tensor.type), needs))
           .evidence(in_->evidence(data.first.at, fmt::format("TensorProto.{}", field)))
           .hint(kTruncated));
}

void Parser::settle_strings(Tensor& tensor, const TensorData& data) {
  if (data.fields != tensor.elements) {
    return fail_size(tensor, data, fmt::format("{} strings", data.fields),
                     std::to_string(tensor.elements));
  }
  std::span<const std::string_view> strings;
  List<std::string_view> list(*this, static_cast<std::size_t>(data.fields), strings);
  in_->rewind();
  Field field;
  while (in_->next(field)) {
    if (field.tag == proto::tensor::kStringData) list.add(text(field));
  }
  tensor.storage = Storage::kStrings;
  tensor.strings = strings;
}

void Parser::settle_fixed(Tensor& tensor, const TensorData& data) {
  const std::int64_t needed = *storage_bytes(tensor.type, tensor.elements);
  if (data.bytes != needed) {
    return fail_size(tensor, data, fmt::format("{} bytes", data.bytes), std::to_string(needed));
  }
  // A single packed field of little-endian numbers has the same layout as raw_data.
  if (data.fields == 1 && stays_in_file(tensor, needed)) {
    tensor.storage = Storage::kFile;
    tensor.offset = data.first.payload;
    tensor.length = needed;
    return;
  }
  const std::span<std::byte> bytes = element_array(static_cast<std::size_t>(needed), data.bytes);
  std::size_t at = 0;
  in_->rewind();
  Field field;
  while (!bytes.empty() && in_->next(field)) {
    if (proto::number(field.tag) != data.typed) continue;
    const auto one = static_cast<std::size_t>(typed_field(tensor.type).bytes);
    const bool packed = field.tag == proto::bytes(data.typed);
    const std::size_t size = packed ? field.value : one;
    if (size > bytes.size() - at) return changed_under_us();
    if (packed) in_->content(field, bytes.subspan(at, size));
    if (!packed) std::memcpy(&bytes[at], &field.value, size);
    at += size;
  }
  tensor.storage = Storage::kInline;
  tensor.bytes = bytes;
}

void Parser::settle_varints(Tensor& tensor, const TensorData& data) {
  const std::int64_t needed = typed_entries(tensor.type, tensor.elements);
  // Every entry takes at least one byte, so the allocation is proportional to the file.
  const bool plausible = needed <= data.bytes;
  const std::span<std::byte> bytes =
      plausible
          ? element_array(static_cast<std::size_t>(*storage_bytes(tensor.type, tensor.elements)),
                          data.bytes)
          : std::span<std::byte>();
  const int bits = info(tensor.type)->bits;
  // entries of 2- and 4-bit types are whole bytes of packed elements
  const int entry_bits = bits < 6 ? 8 : bits;
  std::int64_t entries = 0;
  const auto add = [&](std::uint64_t value) {
    if (entries < needed && !bytes.empty()) put_entry(bytes, entries, entry_bits, value);
    ++entries;
  };
  in_->rewind();
  Field field;
  while (in_->next(field)) {
    if (field.tag == proto::varint(data.typed)) add(field.value);
    if (field.tag != proto::bytes(data.typed)) continue;
    const Message message(*in_, field, "packed field");
    while (in_->more()) add(in_->varint());
  }
  if (in_->failed()) return;
  if (entries != needed) {
    return fail_size(tensor, data, fmt::format("{} values", entries), std::to_string(needed));
  }
  tensor.storage = Storage::kInline;
  tensor.bytes = bytes;
}

}  // namespace ridge::onnx
