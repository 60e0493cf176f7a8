// What OpenVINO made of a model: the layers that it executes, in terms of the tensors of the model
// as read.
//
//   const ReadNames names(*model);                    // before it is compiled
//   LayerList layers(*compiled.get_runtime_model(), names);
//
// A layer's `originals` say which tensors of the model its operations make ("t"), or lead to
// ("~t": an operation that reading made out of part of a node). OpenVINO's own list names only what
// survived its renaming, so it holds some of them at best. Names with numbers that OpenVINO counts
// through the process are replaced by type and position, which are equal in every process.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <openvino/openvino.hpp>

#include "runtime/abi.h"

namespace ridge::openvino {

class ReadNames {
 public:
  explicit ReadNames(const ov::Model& model);
  /// What the operation of that friendly name makes or leads to; nullptr for a later name.
  const std::vector<std::string>* originals(const std::string& friendly_name) const;

 private:
  std::unordered_map<std::string, std::vector<std::string>> of_;
};

struct LayerRow {
  std::string runtime_name;  ///< OpenVINO's own
  std::string name, type, implementation, precision, layout, shapes;
  std::vector<std::string> originals, inputs, outputs;
};

/// Types and sizes of the tensors between layers.
struct TensorRow {
  std::string name;
  std::int32_t type = 0;
  std::vector<std::int64_t> dims;
};

/// The layers in order of execution, without inputs, outputs and what is computed at load.
class LayerList {
 public:
  LayerList() = default;
  LayerList(const ov::Model& runtime_model, const ReadNames& names);

  const std::vector<LayerRow>& rows() const { return rows_; }
  /// As the C interface has it; lives as long as this.
  void describe(RidgeGraph& graph);

 private:
  void add(const ov::Node& op, const ReadNames& names);
  void name(LayerRow& row, const ReadNames& names);
  std::string edge(const ov::Output<const ov::Node>& output);

  std::vector<LayerRow> rows_;
  std::vector<TensorRow> tensors_;
  std::unordered_map<const ov::Node*, std::uint32_t> number_;  // of operations, for their edges
  std::unordered_map<std::string, std::uint32_t> taken_;       // names, and how often
  std::unordered_map<std::string, bool> described_;            // edges
  std::vector<RidgeLayer> layers_view_;
  std::vector<RidgeTensor> tensors_view_;
  std::vector<std::vector<const char*>> texts_;
};

}  // namespace ridge::openvino
