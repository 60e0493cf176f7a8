// SPDX-License-Identifier: Apache-2.0
// Layers that OpenVINO executes, related to the tensors of the model as read.
//
//   const ReadNames names(*model);                    // before it is compiled
//   LayerList layers(*compiled.get_runtime_model(), names);
//
// A layer's `originals` are the tensors of the model that its operations produce ("t"), or lead to
// ("~t": the operation is part of a node that the front end decomposed). OpenVINO's own list
// contains only names that survived its renaming, so it is incomplete. Names with numbers from
// OpenVINO's process-wide counter are replaced by type and position, which are equal in every
// process.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <openvino/openvino.hpp>

#include "record/describe.h"
#include "runtime/abi.h"

namespace ridge::openvino {

/// An operation as read, and the tensors that it produces or leads to.
struct NamedOperation {
  std::string friendly_name;
  std::vector<std::string> tensors;
};

/// All of a model, as they are kept with a prepared one.
struct NamesRecord {
  std::vector<NamedOperation> rows;
};

class ReadNames {
 public:
  explicit ReadNames(const ov::Model& model);
  explicit ReadNames(std::vector<NamedOperation> rows);
  std::vector<NamedOperation> rows() const;
  /// Tensors that the operation of that friendly name produces or leads to; nullptr if the name
  /// arose later.
  const std::vector<std::string>* originals(const std::string& friendly_name) const;

 private:
  std::unordered_map<std::string, std::vector<std::string>> of_;
};

struct LayerRow {
  std::string runtime_name;  ///< OpenVINO's own name
  std::string name, type, implementation, precision, layout, shapes;
  std::vector<std::string> originals, inputs, outputs;
};

/// Type and shape of a tensor between layers.
struct TensorRow {
  std::string name;
  std::int32_t type = 0;
  std::vector<std::int64_t> dims;
};

/// Layers in execution order, without inputs, outputs and layers computed at load time.
class LayerList {
 public:
  LayerList() = default;
  LayerList(const ov::Model& runtime_model, const ReadNames& names);

  const std::vector<LayerRow>& rows() const { return rows_; }
  /// Fills the C struct; its pointers live as long as this object.
  void describe(RidgeGraph& graph);

 private:
  void add(const ov::Node& op, const ReadNames& names);
  /// Original names for an item of OpenVINO's own list; nullptr if a later operation has that name.
  const std::vector<std::string>* originals(const std::string& name, const ReadNames& names) const;
  void name(LayerRow& row, const ReadNames& names);
  std::string edge(const ov::Output<const ov::Node>& output);

  std::vector<LayerRow> rows_;
  std::vector<TensorRow> tensors_;
  std::unordered_set<std::string> listed_;  // names that any layer lists
  // Numbers of operations, for edge names.
  std::unordered_map<const ov::Node*, std::uint32_t> number_;
  std::unordered_map<std::string, std::uint32_t> taken_;  // names in use, with their counts
  std::unordered_map<std::string, bool> described_;       // edges already described
  std::vector<RidgeLayer> layers_view_;
  std::vector<RidgeTensor> tensors_view_;
  std::vector<std::vector<const char*>> texts_;
};

}  // namespace ridge::openvino

namespace ridge {

template <>
struct record::Describe<openvino::NamedOperation> {
  using T = openvino::NamedOperation;
  static constexpr auto fields = members<&T::friendly_name, &T::tensors>();
};

template <>
struct record::Describe<openvino::NamesRecord> {
  static constexpr auto fields = members<&openvino::NamesRecord::rows>();
};

}  // namespace ridge
