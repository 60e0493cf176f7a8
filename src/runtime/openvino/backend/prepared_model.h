// SPDX-License-Identifier: Apache-2.0
// A model that OpenVINO compiled and exported (RIDGE_CAN_PREPARE): importing it saves reading and
// compiling; weights are packed in the first run, as after a load.
//
// The export is kept as one weight, since it holds the weights, which OpenVINO uses where they are
// in it. The model beside it is what an import does not bring back: the names of the original.
//
// Ownership: owns the file in memory. Thread rule: one thread.
#pragma once

#include <string>
#include <string_view>

#include "ipc/descriptor.h"
#include "runtime/openvino/backend/layers.h"
#include "runtime/openvino/backend/settings.h"
#include "runtime/prepared_list.h"

namespace ridge::openvino {

class PreparedModel {
 public:
  /// Errors: as of a load.
  static Result<PreparedModel> make(ov::Core& core, const Settings& settings, std::string_view onnx,
                                    const RidgeTensors& weights);
  RidgePrepared view() const { return weights_.view(names_, elements_.get()); }

 private:
  std::string names_;
  ipc::Descriptor elements_;
  runtime::PreparedList weights_;
};

/// The two parts of a prepared model that is loaded.
struct Import {
  ReadNames names;
  ov::Tensor blob;  ///< over the caller's memory
};

/// Input error (RIDGE-OV-0034): it is none of PreparedModel's.
Result<Import> read_import(std::string_view model, const RidgeTensors& weights);

}  // namespace ridge::openvino
