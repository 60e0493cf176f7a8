// SPDX-License-Identifier: Apache-2.0
// A model that a runtime made ready for loads that come later (RIDGE_CAN_PREPARE of abi.h):
// optimized, its weights in a file of their own, to be kept wherever is best and used in place.
//
//   Prepared prepared = TRY(runtime.prepare({.model = bytes, .weights = weights}));
//   ... the store keeps prepared.model, and the elements of each tensor, under a key with
//       preparation(runtime.info(), options) ...
//   LoadRequest again{.model = kept.model, .weights = prepared_weights(kept.tensors, file),
//                     .form = Form::kPrepared};
//
// Ownership: plain data and an open file. Thread rule: as its parts.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/result.h"
#include "ipc/descriptor.h"
#include "onnx/data_type.h"
#include "runtime/options.h"
#include "runtime/types.h"
#include "runtime/weights.h"

namespace ridge::runtime {

/// A weight, and where its elements lie in a file.
struct PreparedTensor {
  std::string name;
  onnx::DataType type = onnx::DataType::kFloat;
  std::vector<std::int64_t> dims;
  std::int64_t offset = 0, bytes = 0;
};

struct Prepared {
  std::string model;  ///< in a form of the runtime's choice, not always ONNX
  std::vector<PreparedTensor> tensors;
  ipc::Descriptor elements;  ///< file in memory; not open if there are no tensors
};

/// Text of what a prepared model depends on beside the model and the processor: the runtime, its
/// version and those options that change what it makes of a model. Models prepared under one text
/// may be loaded under an equal one. Threads and their processors are not part of it.
std::string preparation(const RuntimeInfo& info, const Options& options);

/// The weights to load a prepared model with, in a file that has each where its tensor says.
/// A multiple of 64 as offset spares a copy; a file that others may shorten costs them a SIGBUS.
std::vector<Weight> prepared_weights(std::span<const PreparedTensor> tensors,
                                     const std::shared_ptr<const File>& file);

/// Error (bug) if a tensor lies outside the file of the elements: a plug-in that says so is wrong.
Result<void> check_prepared(const Prepared& prepared);

}  // namespace ridge::runtime
