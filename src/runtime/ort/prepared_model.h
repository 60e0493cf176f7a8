// SPDX-License-Identifier: Apache-2.0
// A model as ONNX Runtime has optimized it, its weights in a file of their own in memory
// (RIDGE_CAN_PREPARE): the part of a load that is the same in every process.
//
//   PreparedModel prepared = TRY(PreparedModel::make(environment, model, weights));
//   RidgePrepared view = prepared.view();     // lives as long as `prepared`
//
// A session of the result optimizes nothing and uses the weights in place; it packs those that
// kernels want packed again, because ONNX Runtime has no way to keep that.
//
// Ownership: owns the file, which is in no folder. Thread rule: one thread. Cost: a load without
// packing, and writing the weights to memory once.
#pragma once

#include <string>
#include <string_view>

#include "ipc/descriptor.h"
#include "runtime/ort/environment.h"
#include "runtime/prepared_list.h"

namespace ridge::ort {

/// The file that a prepared model names as that of its weights. ONNX Runtime wants one of that name
/// to exist, and reads nothing from it where weights are given in place.
inline constexpr char kPreparedWeights[] = "ridge-weights";

class PreparedModel {
 public:
  /// Errors: as of a load. Environment error: a weight in the body of a control flow operator
  /// (RIDGE-ORT-0043), which cannot be given in place.
  static Result<PreparedModel> make(const Environment& environment, std::string_view model,
                                    const RidgeTensors& weights);
  RidgePrepared view() const { return weights_.view(model_, elements_.get()); }

 private:
  PreparedModel() = default;
  Result<void> list_weights();

  std::string model_;
  ipc::Descriptor elements_;
  runtime::PreparedList weights_;
};

}  // namespace ridge::ort
