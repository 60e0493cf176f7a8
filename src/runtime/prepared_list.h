// SPDX-License-Identifier: Apache-2.0
// The result of a plug-in's prepare (runtime/abi.h), with owned storage.
//
// Ownership: owns names and shapes; the file and the model belong to the caller. Thread rule: one
// thread.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/abi.h"

namespace ridge::runtime {

class PreparedList {
 public:
  /// `type`: TensorProto.DataType; `offset` in the file of the elements.
  void add(std::string name, std::int32_t type, std::vector<std::int64_t> dims,
           std::uint64_t offset, std::uint64_t bytes) {
    RidgePreparedWeight weight{};
    weight.size = sizeof(weight);
    weight.type = type;
    weight.name = names_.emplace_back(std::move(name)).c_str();
    weight.rank = static_cast<std::uint32_t>(dims.size());
    weight.dims = dims_.emplace_back(std::move(dims)).data();
    weight.offset = offset;
    weight.bytes = bytes;
    rows_.push_back(weight);
  }
  const std::vector<RidgePreparedWeight>& rows() const { return rows_; }

  /// Valid until the list, the model or the file changes.
  RidgePrepared view(std::string_view model, int file) const {
    RidgePrepared view{};
    view.size = sizeof(view);
    view.descriptor = rows_.empty() ? -1 : file;
    view.model = model.data();
    view.model_bytes = model.size();
    view.weights = rows_.data();
    view.weight_count = rows_.size();
    view.weight_stride = sizeof(RidgePreparedWeight);
    return view;
  }

 private:
  std::deque<std::string> names_;  // deques, so that elements do not move
  std::deque<std::vector<std::int64_t>> dims_;
  std::vector<RidgePreparedWeight> rows_;
};

}  // namespace ridge::runtime
