// What one profiling event costs in this runtime on this machine, measured on chains of trivial
// kernels before the model is.
//
// A chain of n Sin kernels over 16 elements is run with profiling off and on, for two lengths;
// slopes between them leave out what a run costs as a whole:
//   cheapest kernel = slope of the plain runs what a kernel costs at least, launching included
//   wall            = slope of the profiled runs - cheapest kernel
//   inside          = mean duration as reported - cheapest kernel
// Method: alternating runs, medians. Both threads and pinning are those of the model's runs.
#pragma once

#include "base/result.h"
#include "measure/runs.h"
#include "runtime/runtime.h"

namespace ridge::measure {

Result<EventCost> calibrate(const runtime::Options& options);

/// The chain as ONNX bytes: input "x", output "y", float32[16].
Result<std::string> sin_chain(int kernels);

}  // namespace ridge::measure
