// SPDX-License-Identifier: Apache-2.0
#include "runtime/ort/tensor_list.h"

#include <utility>

#include "runtime/ort/values.h"

namespace ridge::ort {
namespace {

struct Shape {
  ONNXTensorElementDataType type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  std::vector<std::int64_t> dims;
};

Result<Shape> shape_of(const Library& library, const OrtTensorTypeAndShapeInfo* info) {
  const OrtApi& api = library.api();
  Shape shape;
  std::size_t rank = 0;
  TRY(library.check(api.GetTensorElementType(info, &shape.type), Phase::kRun));
  TRY(library.check(api.GetDimensionsCount(info, &rank), Phase::kRun));
  shape.dims.resize(rank);
  TRY(library.check(api.GetDimensions(info, shape.dims.data(), rank), Phase::kRun));
  return shape;
}

}  // namespace

void TensorList::clear() {
  items_.clear();
  names_.clear();
  dims_.clear();
}

void TensorList::add(std::string name, std::int32_t type, std::vector<std::int64_t> dims,
                     const void* data, std::uint64_t bytes) {
  names_.push_back(std::move(name));
  dims_.push_back(std::move(dims));
  RidgeTensor item{};
  item.size = sizeof(item);
  item.type = type;
  item.name = names_.back().c_str();
  item.dims = dims_.back().data();
  item.rank = static_cast<std::uint32_t>(dims_.back().size());
  item.data = data;
  item.bytes = bytes;
  items_.push_back(item);
}

Result<void> TensorList::add_type(const Library& library, std::string name,
                                  const OrtTypeInfo* type) {
  const OrtTensorTypeAndShapeInfo* info = nullptr;
  if (type != nullptr) {
    TRY(library.check(library.api().CastTypeInfoToTensorInfo(type, &info), Phase::kLoad));
  }
  Shape shape;
  if (info != nullptr) shape = TRY(shape_of(library, info));
  add(std::move(name), onnx_type(shape.type), std::move(shape.dims));
  return {};
}

Result<void> TensorList::add_value(const Library& library, std::string name, OrtValue* value) {
  const OrtApi& api = library.api();
  int is_tensor = 0;
  TRY(library.check(api.IsTensor(value, &is_tensor), Phase::kRun));
  if (is_tensor == 0) {
    add(std::move(name), 0, {});
    return {};
  }
  OrtTensorTypeAndShapeInfo* raw = nullptr;
  TRY(library.check(api.GetTensorTypeAndShape(value, &raw), Phase::kRun));
  const auto info = own(library, raw);
  Shape shape = TRY(shape_of(library, info.get()));
  void* data = nullptr;
  std::size_t bytes = 0;
  if (shape.type != ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING) {
    TRY(library.check(api.GetTensorMutableData(value, &data), Phase::kRun));
    TRY(library.check(api.GetTensorSizeInBytes(value, &bytes), Phase::kRun));
  }
  add(std::move(name), onnx_type(shape.type), std::move(shape.dims), data, bytes);
  return {};
}

}  // namespace ridge::ort
