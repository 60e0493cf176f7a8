// SPDX-License-Identifier: Apache-2.0
// TensorProto and SparseTensorProto. The storage of a tensor is decided after its whole message has
// been scanned, because shape, type and data may come in any order.
#include <fmt/format.h>

#include <cstring>

#include "base/checked.h"
#include "base/number.h"
#include "onnx/parse/parse.h"
#include "onnx/weights.h"

namespace ridge::onnx {
namespace {

/// Limit on the rank. Frameworks allow 64 dimensions; beyond 256 the file is damaged, and shapes
/// would take more memory than the model.
constexpr std::size_t kLargestRank = 256;

/// Product of the dimensions; 0 if one of them is 0, even if the others overflow.
std::optional<std::int64_t> product(std::span<const std::int64_t> dims) {
  if (std::ranges::find(dims, 0) != dims.end()) return 0;
  std::optional<std::int64_t> elements = 1;
  for (std::size_t i = 0; i < dims.size() && elements; ++i)
    elements = checked_mul(*elements, dims[i]);
  return elements;
}

/// Bytes of a signed integer type; 0 for any other type.
std::size_t index_width(DataType type) {
  switch (type) {
    case DataType::kInt8:
      return 1;
    case DataType::kInt16:
      return 2;
    case DataType::kInt32:
      return 4;
    case DataType::kInt64:
      return 8;
    default:
      return 0;
  }
}

/// Reads a little-endian signed integer of `width` bytes.
std::int64_t index_at(const std::byte* bytes, std::size_t width) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes, width);
  const std::size_t unused = 64 - 8 * width;
  return static_cast<std::int64_t>(value << unused) >> unused;
}

std::optional<std::int64_t> parse_count(std::string_view text) {
  const auto number = whole_number(text);
  return number && *number >= 0 ? number : std::nullopt;
}

}  // namespace

Tensor Parser::tensor() {
  namespace f = proto::tensor;
  Tensor tensor;
  TensorData data;
  Gathered<std::int64_t> dims(*this, int_stack_);
  Field field;
  while (in_->next(field)) {
    switch (field.tag) {
      case f::kName:
        tensor.name = name(field);
        break;
      case f::kDataType:
        tensor.type = data_type(field);
        break;
      case f::kDims:
        dims.add(static_cast<std::int64_t>(field.value));
        break;
      case f::kDimsPacked:
        packed_integers(dims, field);
        break;
      case f::kRawData:
        data.raw = field;
        break;
      case f::kDataLocation:
        data.external = field.value == 1;
        break;
      case f::kExternalData: {
        const Message message(*in_, field, "StringStringEntryProto");
        external_entry(data);
        break;
      }
      default:
        tensor_data(data, field);
        break;
    }
  }
  if (!dims.same(last_dims_)) last_dims_ = dims.items();
  tensor.dims = last_dims_;
  if (!in_->failed() && check_shape(tensor)) settle(tensor, data);
  return tensor;
}

void Parser::tensor_data(TensorData& data, const Field& field) {
  namespace f = proto::tensor;
  std::int64_t bytes = 0;
  switch (field.tag) {
    case f::kFloatData:
    case f::kInt32Data:
    case f::kInt64Data:
    case f::kDoubleData:
    case f::kUint64Data:
      bytes = field.length();
      if (bytes == 0) return;
      break;
    case f::kStringData:
      bytes = 0;
      break;
    case f::kFloatDataOne:
      bytes = 4;
      break;
    case f::kDoubleDataOne:
      bytes = 8;
      break;
    case f::kInt32DataOne:
    case f::kInt64DataOne:
    case f::kUint64DataOne:
      bytes = 1;
      break;  // lower bound; limits the number of entries
    default:
      return;
  }
  const std::uint32_t number = proto::number(field.tag);
  if (data.typed == 0) {
    data.typed = number;
    data.first = field;
  }
  if (data.typed != number) data.second_typed = number;
  ++data.fields;
  data.bytes += bytes;
}

void Parser::external_entry(TensorData& data) {
  std::string_view key, value;
  Field field;
  while (in_->next(field)) {
    switch (field.tag) {
      case proto::entry::kKey:
        key = name(field);
        break;
      case proto::entry::kValue:
        value = name(field);
        break;
      default:
        break;
    }
  }
  if (key == "location") data.location = value;
  if (key == "offset") data.offset = value;
  if (key == "length") data.length = value;
  if (key == "checksum") data.checksum = value;
}

bool Parser::check_shape(Tensor& tensor) {
  const auto refuse = [&](const char* code, std::string message, const char* hint) {
    fail(input_error(code, std::move(message))
             .evidence(in_->evidence(in_->message_start(), "TensorProto"))
             .hint(hint));
    return false;
  };
  if (info(tensor.type) == nullptr) {
    return refuse("RIDGE-ONNX-0238", "the tensor has no element type",
                  "ONNX defines 1 (float32) to 28 (float6_e3m2); export the model again");
  }
  if (tensor.dims.size() > kLargestRank) {
    return refuse("RIDGE-ONNX-0236",
                  fmt::format("a tensor has {} dimensions, the limit is {}", tensor.dims.size(),
                              kLargestRank),
                  "the file is damaged; export it again");
  }
  if (std::ranges::any_of(tensor.dims, [](std::int64_t dim) { return dim < 0; })) {
    return refuse("RIDGE-ONNX-0234",
                  fmt::format("shape {} has a negative dimension", shape_text(tensor.dims)),
                  "a stored tensor needs a static shape; export the model again");
  }
  const std::optional<std::int64_t> elements = product(tensor.dims);
  const bool fits = elements && (tensor.type == DataType::kString ||
                                 storage_bytes(tensor.type, *elements).has_value());
  if (!fits) {
    return refuse("RIDGE-ONNX-0235",
                  fmt::format("shape {} {} is larger than any memory", shape_text(tensor.dims),
                              onnx::name(tensor.type)),
                  "the file is damaged; export it again");
  }
  tensor.elements = *elements;
  return true;
}

void Parser::settle_external(Tensor& tensor, const TensorData& data) {
  const auto evidence = [&] {
    return in_->evidence(in_->message_start(), "TensorProto.external_data");
  };
  const auto refuse = [&](const char* code, std::string message, const char* hint) {
    fail(input_error(code, std::move(message)).evidence(evidence()).hint(hint));
  };
  if (data.raw.value != 0 || data.typed != 0) {
    return refuse("RIDGE-ONNX-0239", "it has both inline elements and a reference to external data",
                  "ONNX does not define which of them is valid; export the model again");
  }
  if (tensor.type == DataType::kString) {
    return refuse("RIDGE-ONNX-0237", "strings cannot be external data", "export the model again");
  }
  if (auto checked = check_location(data.location); !checked) {
    return fail(std::move(checked).error().evidence(evidence()));
  }
  const auto offset =
      data.offset.empty() ? std::optional<std::int64_t>(0) : parse_count(data.offset);
  const auto length =
      data.length.empty() ? std::optional<std::int64_t>(-1) : parse_count(data.length);
  if (!offset || !length) {
    return refuse("RIDGE-ONNX-0305",
                  fmt::format("external data {} '{}' is not a number of bytes",
                              offset ? "length" : "offset", offset ? data.length : data.offset),
                  "external data takes whole numbers from 0; export the model again");
  }
  const std::int64_t needed = *storage_bytes(tensor.type, tensor.elements);
  if (*length >= 0 && *length != needed) {
    return refuse("RIDGE-ONNX-0306",
                  fmt::format("external data has {} bytes, but shape {} {} requires {}", *length,
                              shape_text(tensor.dims), onnx::name(tensor.type), needed),
                  "export the model again");
  }
  if (!checked_add(*offset, needed)) {
    return refuse("RIDGE-ONNX-0305", fmt::format("offset {} exceeds any file size", *offset),
                  "export the model again");
  }
  if (needed == 0) return;
  tensor.storage = Storage::kFile;
  tensor.external = true;
  tensor.location = data.location;
  tensor.offset = *offset;
  tensor.length = *length;
  const StatedChecksum stated{data.location, data.checksum};
  if (!data.checksum.empty() && (checksums_.empty() || checksums_.back() != stated))
    checksums_.push_back(stated);
}

SparseTensor Parser::sparse_tensor() {
  namespace f = proto::sparse_tensor;
  SparseTensor sparse;
  WireReader::Counts counts = in_->count();
  Gathered<std::int64_t> dims(*this, int_stack_);
  Field field;
  while (in_->next(field)) {
    switch (field.tag) {
      case f::kValues:
        singular(counts, field, "TensorProto", [&] { sparse.values = keep(tensor()); });
        break;
      case f::kIndices:
        singular(counts, field, "TensorProto", [&] { sparse.indices = keep(tensor()); });
        break;
      case f::kDims:
        dims.add(static_cast<std::int64_t>(field.value));
        break;
      case f::kDimsPacked:
        packed_integers(dims, field);
        break;
      default:
        break;
    }
  }
  sparse.dims = dims.items();
  if (!in_->failed()) check_sparse(sparse);
  return sparse;
}

void Parser::check_sparse(const SparseTensor& sparse) {
  const auto refuse = [&](std::string message) {
    fail(input_error("RIDGE-ONNX-0240", std::move(message))
             .evidence(in_->evidence(in_->message_start(), "SparseTensorProto"))
             .hint("the file is damaged; export it again"));
  };
  if (sparse.values == nullptr || sparse.indices == nullptr) {
    return refuse(fmt::format("the sparse tensor has no {}",
                              sparse.values == nullptr ? "values" : "indices"));
  }
  Tensor dense;
  dense.type = sparse.values->type;
  dense.dims = sparse.dims;
  if (!check_shape(dense)) return;
  const std::int64_t given = sparse.values->elements;
  const auto rank = static_cast<std::int64_t>(sparse.dims.size());
  const std::span<const std::int64_t> shape = sparse.indices->dims;
  const bool linear = shape.size() == 1 && shape[0] == given;
  const bool coordinates = shape.size() == 2 && shape[0] == given && shape[1] == rank;
  // The specification has int64; ONNX Runtime saves indices in the narrowest type that holds them.
  const std::size_t width = index_width(sparse.indices->type);
  if (sparse.values->dims.size() != 1 || width == 0 || (!linear && !coordinates)) {
    return refuse(fmt::format("values {} and indices {} {} do not form a sparse tensor of shape {}",
                              shape_text(sparse.values->dims), shape_text(shape),
                              onnx::name(sparse.indices->type), shape_text(sparse.dims)));
  }
  // Empty if the indices stay in a file.
  const std::span<const std::byte> bytes = sparse.indices->bytes;
  for (std::size_t at = 0; at + width <= bytes.size(); at += width) {
    const std::int64_t index = index_at(&bytes[at], width);
    const std::int64_t bound =
        linear ? dense.elements : sparse.dims[at / width % sparse.dims.size()];
    if (index >= 0 && index < bound) continue;
    return refuse(fmt::format("index {} lies outside shape {}", index, shape_text(sparse.dims)));
  }
}

}  // namespace ridge::onnx
