// SPDX-License-Identifier: Apache-2.0
// The finding that a model computes in float32 what its processor could in int8 (Q6, kind
// "narrow_type", id "int8"). Outputs of the copy differ, so it is never called lossless.
//
//   if (std::optional<Finding> f = int8_finding(resolved, run, host, "model.onnx"))
//     const Int8Model copy = TRY(int8_model({&resolved, request}, loader));     // calibrate.h
//
// Thread rule: one thread.
#pragma once

#include <optional>
#include <string>

#include "advice/record/advice.h"
#include "analysis/resolved.h"
#include "bricks/loader.h"
#include "machine/host.h"
#include "measure/request.h"

namespace ridge::advice {

inline constexpr char kInt8[] = "int8";

/// Least part of the latency that the nodes take.
inline constexpr double kMinInt8 = 0.05;

/// nullopt: the processor has no instructions for it, the model has no copy or multiplies quantized
/// tensors already, or the nodes take less than kMinInt8 of the run.
std::optional<Finding> int8_finding(const analysis::Resolved& resolved, const profile::Profile& run,
                                    const machine::Host& host, const std::string& model);

struct Int8Model {
  analysis::Resolved resolved;
  bricks::Network network;  ///< as the runtime executes it
};

/// Runs the model to calibrate it. Errors: as int8_copy(), and the loader's.
Result<Int8Model> int8_model(const measure::Column& model, bricks::Loader& loader);

}  // namespace ridge::advice
