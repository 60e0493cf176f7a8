// SPDX-License-Identifier: Apache-2.0
// A model that the null runtime prepared (RIDGE_CAN_PREPARE): the same bytes, and the weights one
// after the other in a file in memory.
//
// Ownership: owns the file. Thread rule: one thread.
#pragma once

#include <string>

#include "base/result.h"
#include "ipc/descriptor.h"
#include "runtime/prepared_list.h"

namespace ridge::null {

class PreparedModel {
 public:
  /// Environment error: no memory.
  static Result<PreparedModel> make(const RidgeModel& model);
  RidgePrepared view() const { return weights_.view(model_, elements_.get()); }

 private:
  std::string model_;
  ipc::Descriptor elements_;
  runtime::PreparedList weights_;
};

}  // namespace ridge::null
