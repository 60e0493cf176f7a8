// SPDX-License-Identifier: Apache-2.0
// Fields of onnx/onnx.proto that Ridgeline reads or writes, as wire tags: field number and wire
// type in one integer.
//
// By protobuf's rules, a field with a known number but another wire type is an unknown field.
// Private to src/onnx.
#pragma once

#include <protozero/types.hpp>

#include <cstdint>

namespace ridge::onnx::proto {

using Tag = std::uint32_t;
using Wire = protozero::pbf_wire_type;

constexpr Tag tag(std::uint32_t number, Wire wire) {
  return number << 3 | static_cast<std::uint32_t>(wire);
}
constexpr Tag varint(std::uint32_t number) { return tag(number, Wire::varint); }
constexpr Tag bytes(std::uint32_t number) { return tag(number, Wire::length_delimited); }
constexpr Tag fixed32(std::uint32_t number) { return tag(number, Wire::fixed32); }
constexpr Tag fixed64(std::uint32_t number) { return tag(number, Wire::fixed64); }
constexpr std::uint32_t number(Tag tag) { return tag >> 3; }

namespace model {
inline constexpr Tag kIrVersion = varint(1);
inline constexpr Tag kProducerName = bytes(2);
inline constexpr Tag kProducerVersion = bytes(3);
inline constexpr Tag kGraph = bytes(7);
inline constexpr Tag kOpsetImport = bytes(8);
inline constexpr Tag kMetadata = bytes(14);
inline constexpr Tag kFunction = bytes(25);
}  // namespace model

namespace graph {
inline constexpr Tag kNode = bytes(1);
inline constexpr Tag kName = bytes(2);
inline constexpr Tag kInitializer = bytes(5);
inline constexpr Tag kInput = bytes(11);
inline constexpr Tag kOutput = bytes(12);
inline constexpr Tag kValueInfo = bytes(13);
inline constexpr Tag kSparseInitializer = bytes(15);
}  // namespace graph

namespace node {
inline constexpr Tag kInput = bytes(1);
inline constexpr Tag kOutput = bytes(2);
inline constexpr Tag kName = bytes(3);
inline constexpr Tag kOpType = bytes(4);
inline constexpr Tag kAttribute = bytes(5);
inline constexpr Tag kDomain = bytes(7);
inline constexpr Tag kOverload = bytes(8);
inline constexpr Tag kMetadata = bytes(9);
}  // namespace node

namespace attribute {
inline constexpr Tag kName = bytes(1);
inline constexpr Tag kFloat = fixed32(2);
inline constexpr Tag kInt = varint(3);
inline constexpr Tag kString = bytes(4);
inline constexpr Tag kTensor = bytes(5);
inline constexpr Tag kGraph = bytes(6);
inline constexpr Tag kFloats = fixed32(7);
inline constexpr Tag kFloatsPacked = bytes(7);
inline constexpr Tag kInts = varint(8);
inline constexpr Tag kIntsPacked = bytes(8);
inline constexpr Tag kStrings = bytes(9);
inline constexpr Tag kTensors = bytes(10);
inline constexpr Tag kGraphs = bytes(11);
inline constexpr Tag kTypeProto = bytes(14);
inline constexpr Tag kTypeProtos = bytes(15);
inline constexpr Tag kType = varint(20);
inline constexpr Tag kRefAttrName = bytes(21);
inline constexpr Tag kSparseTensor = bytes(22);
inline constexpr Tag kSparseTensors = bytes(23);
}  // namespace attribute

namespace tensor {
inline constexpr Tag kDims = varint(1);
inline constexpr Tag kDimsPacked = bytes(1);
inline constexpr Tag kDataType = varint(2);
inline constexpr Tag kFloatData = bytes(4);
inline constexpr Tag kFloatDataOne = fixed32(4);
inline constexpr Tag kInt32Data = bytes(5);
inline constexpr Tag kInt32DataOne = varint(5);
inline constexpr Tag kStringData = bytes(6);
inline constexpr Tag kInt64Data = bytes(7);
inline constexpr Tag kInt64DataOne = varint(7);
inline constexpr Tag kName = bytes(8);
inline constexpr Tag kRawData = bytes(9);
inline constexpr Tag kDoubleData = bytes(10);
inline constexpr Tag kDoubleDataOne = fixed64(10);
inline constexpr Tag kUint64Data = bytes(11);
inline constexpr Tag kUint64DataOne = varint(11);
inline constexpr Tag kExternalData = bytes(13);
inline constexpr Tag kDataLocation = varint(14);
}  // namespace tensor

/// Fields of SequenceProto and OptionalProto.
namespace value {
inline constexpr Tag kName = bytes(1);
inline constexpr Tag kElementKind = varint(2);
inline constexpr Tag kTensor = bytes(3);
inline constexpr Tag kSequence = bytes(5);
inline constexpr Tag kOptional = bytes(7);
}  // namespace value

namespace sparse_tensor {
inline constexpr Tag kValues = bytes(1);
inline constexpr Tag kIndices = bytes(2);
inline constexpr Tag kDims = varint(3);
inline constexpr Tag kDimsPacked = bytes(3);
}  // namespace sparse_tensor

namespace value_info {
inline constexpr Tag kName = bytes(1);
inline constexpr Tag kType = bytes(2);
}  // namespace value_info

namespace type {
inline constexpr Tag kTensor = bytes(1);
inline constexpr Tag kSequence = bytes(4);
inline constexpr Tag kMap = bytes(5);
inline constexpr Tag kSparseTensor = bytes(8);
inline constexpr Tag kOptional = bytes(9);
// TypeProto.Tensor and .SparseTensor
inline constexpr Tag kElemType = varint(1);
inline constexpr Tag kShape = bytes(2);
// TypeProto.Sequence and .Optional
inline constexpr Tag kElement = bytes(1);
// TypeProto.Map
inline constexpr Tag kKeyType = varint(1);
inline constexpr Tag kValueType = bytes(2);
// TensorShapeProto and its Dimension
inline constexpr Tag kDim = bytes(1);
inline constexpr Tag kDimValue = varint(1);
inline constexpr Tag kDimParam = bytes(2);
}  // namespace type

namespace entry {
inline constexpr Tag kKey = bytes(1);
inline constexpr Tag kValue = bytes(2);
}  // namespace entry

namespace opset {
inline constexpr Tag kDomain = bytes(1);
inline constexpr Tag kVersion = varint(2);
}  // namespace opset

namespace function {
inline constexpr Tag kName = bytes(1);
inline constexpr Tag kInput = bytes(4);
inline constexpr Tag kOutput = bytes(5);
inline constexpr Tag kAttribute = bytes(6);
inline constexpr Tag kNode = bytes(7);
inline constexpr Tag kOpsetImport = bytes(9);
inline constexpr Tag kDomain = bytes(10);
inline constexpr Tag kAttributeProto = bytes(11);
inline constexpr Tag kValueInfo = bytes(12);
inline constexpr Tag kOverload = bytes(13);
}  // namespace function

}  // namespace ridge::onnx::proto
