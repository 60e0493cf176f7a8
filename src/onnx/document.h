// SPDX-License-Identifier: Apache-2.0
// An ONNX file as plain data, following onnx/onnx.proto; weights are not loaded.
//
// Read by onnx/reader.h, written by onnx/writer.h, built by zoo/builder.h. No code outside this
// folder uses protobuf.
//
// Ownership: every span and string_view below points into the Document's arena. A Document owns its
// arena and the open file to which file ranges refer, and must outlive everything built on it.
// Thread safety: immutable once built. Names are raw bytes from outside: possibly empty, repeated,
// or not UTF-8.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/file.h"
#include "base/packed.h"
#include "base/recipe.h"
#include "onnx/data_type.h"

namespace ridge::onnx {

struct Graph;

/// Location of a tensor's elements. Weights are loaded or generated only on use.
enum class Storage : std::uint8_t {
  kNone,     ///< no elements (a shape with a zero), or elements not given
  kInline,   ///< `bytes`: packed little-endian elements in the arena (small tensors, typed *_data)
  kFile,     ///< `offset`, `length` in `location` (empty = the model file itself)
  kStrings,  ///< `strings`
  kSeeded,   ///< `recipe`: elements are generated (zoo, replaced constants)
};

/// Members are ordered to avoid padding: a large graph has a tensor for every other node.
struct Tensor {
  Text name;
  Slice<std::int64_t> dims;
  DataType type = DataType::kUndefined;
  Storage storage = Storage::kNone;
  /// kFile with data_location EXTERNAL: `location` is the path as in the file. The range is checked
  /// against that file only on use.
  bool external = false;
  std::int64_t elements = 0;  ///< product of dims, checked by the reader
  std::span<const std::byte> bytes;
  std::int64_t offset = 0;
  std::int64_t length = 0;  ///< in bytes; -1 = to the end of the external file
  Text location;
  Slice<std::string_view> strings;
  SeededTensor recipe;
};
static_assert(sizeof(Tensor) == 112);

/// Declared dimension: a number, a name, or unknown.
struct Dimension {
  std::int64_t value = -1;  ///< -1: not a number
  std::string_view param;   ///< empty: no name
};

enum class TypeKind : std::uint8_t { kNone, kTensor, kSparseTensor, kSequence, kMap, kOptional };

/// Declared type (TypeProto). For a sequence or optional, `element` is the type inside; for a map
/// it is the type of the values, and `elem_type` the type of the keys.
struct TypeInfo {
  TypeKind kind = TypeKind::kNone;
  DataType elem_type = DataType::kUndefined;
  bool has_shape = false;
  std::span<const Dimension> shape;
  const TypeInfo* element = nullptr;
};

struct ValueInfo {
  std::string_view name;
  TypeInfo type;
};

enum class AttributeType : std::uint8_t {
  kUndefined = 0,
  kFloat = 1,
  kInt = 2,
  kString = 3,
  kTensor = 4,
  kGraph = 5,
  kFloats = 6,
  kInts = 7,
  kStrings = 8,
  kTensors = 9,
  kGraphs = 10,
  kSparseTensor = 11,
  kSparseTensors = 12,
  kTypeProto = 13,
  kTypeProtos = 14,
};

/// COO tensor: `values` and `indices` as in onnx.proto's SparseTensorProto.
struct SparseTensor {
  const Tensor* values = nullptr;
  const Tensor* indices = nullptr;
  std::span<const std::int64_t> dims;
};

struct Attribute {
  std::string_view name;
  /// inside a function: refers to the caller's attribute of this name
  std::string_view ref_attr_name;
  AttributeType type = AttributeType::kUndefined;
  float f = 0;
  std::int64_t i = 0;
  std::string_view s;
  const Tensor* t = nullptr;
  const Graph* g = nullptr;
  const SparseTensor* sparse = nullptr;
  const TypeInfo* type_proto = nullptr;
  std::span<const float> floats;
  std::span<const std::int64_t> ints;
  std::span<const std::string_view> strings;
  std::span<const Tensor> tensors;
  std::span<const Graph> graphs;
};

struct Property {
  std::string_view key, value;
};

/// Data that few nodes have.
struct NodeExtra {
  std::string_view overload;           ///< overload of the function that the node calls
  std::span<const Property> metadata;  ///< metadata_props
};

#pragma pack(push, 4)
struct Node {
  Text name, op_type, domain;
  Slice<Text> inputs;   ///< "" = omitted optional input
  Slice<Text> outputs;  ///< "" = omitted optional output
  Slice<Attribute> attributes;
  const NodeExtra* extra = nullptr;  ///< nullptr: both members are empty

  std::string_view overload() const { return extra == nullptr ? "" : extra->overload; }
  std::span<const Property> metadata() const {
    return extra == nullptr ? std::span<const Property>() : extra->metadata;
  }
};
#pragma pack(pop)
static_assert(sizeof(Node) == 80);

struct Graph {
  std::string_view name;
  std::span<const Node> nodes;
  std::span<const Tensor> initializers;
  std::span<const SparseTensor> sparse_initializers;  ///< named by values->name
  std::span<const ValueInfo> inputs, outputs, value_info;
};

/// Normalizes "ai.onnx" to "", its synonym.
inline std::string_view normal_domain(std::string_view domain) {
  return domain == "ai.onnx" ? std::string_view() : domain;
}

struct OperatorSet {
  std::string_view domain;  ///< normalized: "" for "ai.onnx"
  std::int64_t version = 0;
};

struct Function {
  std::string_view domain, name, overload;
  std::span<const std::string_view> inputs, outputs;
  std::span<const std::string_view> attributes;   ///< names of attributes without default
  std::span<const Attribute> default_attributes;  ///< attribute_proto: attributes with default
  std::span<const Node> nodes;
  std::span<const OperatorSet> opsets;
  std::span<const ValueInfo> value_info;
};

/// The key "checksum" of a tensor's external data, as in the file: of the whole file at `location`.
struct StatedChecksum {
  std::string_view location, checksum;

  bool operator==(const StatedChecksum&) const = default;
};

struct Model {
  std::int64_t ir_version = 0;
  std::string_view producer_name, producer_version;
  std::span<const OperatorSet> opsets;
  std::span<const Function> functions;
  std::span<const Property> metadata;
  /// In the order of the tensors, equal neighbors once; empty for most models.
  std::span<const StatedChecksum> checksums;
  Graph graph;
};

/// A model with all data it points to. `file` is null for a model built in memory.
struct Document {
  Arena arena;
  std::shared_ptr<const File> file;
  std::string path;  ///< path as given by the user; "zoo:NAME" for a built model
  Model model;
};

}  // namespace ridge::onnx
