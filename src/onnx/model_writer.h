// SPDX-License-Identifier: Apache-2.0
// Encodes the structures of document.h. Private to src/onnx; the public interface is writer.h.
//
// Counterpart of parse/parse.h. onnx/writer.cc calls model() twice (see onnx/encoder.h); both calls
// make the same decisions.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "onnx/document.h"
#include "onnx/encoder.h"
#include "onnx/kept_fields.h"
#include "onnx/weights.h"
#include "onnx/write_options.h"

namespace ridge::onnx {

/// A tensor whose elements are stored outside the model file.
struct PlacedTensor {
  const Tensor* tensor = nullptr;
  std::int64_t offset = 0, bytes = 0;
};

class ModelWriter {
 public:
  /// `kept`: of the file that the model comes from; may be nullptr.
  ModelWriter(Encoder& out, WeightLocator& locator, const WriteOptions& options,
              const KeptFields* kept = nullptr)
      : out_(out), locator_(locator), options_(options), kept_(kept) {}

  void model(const Model& model);

  /// Tensors of the last pass, by ascending offset.
  std::vector<PlacedTensor> take_placed() { return std::move(placed_); }

 private:
  /// Position of a tensor in the model, which determines where its elements may be stored.
  enum class Role { kMainInitializer, kInitializer, kOther };

  void graph(const Graph& graph, bool main);
  void node(const Node& node, bool main);
  void main_value(const ValueInfo& info);
  void copy(const KeptFields::Ranges& ranges);
  void attribute(const Attribute& attribute);
  void attribute_value(const Attribute& attribute);
  void function(const Function& function);
  void value_info(const ValueInfo& info);
  void type(const TypeInfo& type);
  void tensor_type(const TypeInfo& type);
  void dimension(const Dimension& dimension);
  void property(proto::Tag tag, const Property& property);
  void operator_set(proto::Tag tag, const OperatorSet& set);
  void sparse_tensor(const SparseTensor& sparse);

  void tensor(const Tensor& tensor, Role role, std::int64_t index = 0);
  void external_reference(std::string_view location, std::int64_t offset, std::int64_t bytes);
  bool lies_outside(const Tensor& tensor, Role role, std::int64_t bytes) const;

  Encoder& out_;
  WeightLocator& locator_;
  const WriteOptions& options_;
  const KeptFields* kept_;
  std::vector<PlacedTensor> placed_;
  std::int64_t data_end_ = 0;  ///< end of the data file so far (kExternal)
};

}  // namespace ridge::onnx
