// SPDX-License-Identifier: Apache-2.0
// Fusions that a runtime does elsewhere in the same run, and not where a second node reads the
// tensor between the two operators: then that tensor must exist, and the second operator has a
// kernel of its own.
//
//   if (std::optional<Finding> f = missed_fusions(model, run, "model.onnx"))
//     f->nodes                              // the operators that could have been fused
//
//   Conv(x) -> a, Relu(a) -> b     one layer: this runtime computes Relu in the kernel of Conv
//   Conv(b) -> c, Relu(c) -> d, Add(c, d) -> y
//                                  Relu has a layer of its own, because Add reads c too
//
// A tensor that the model returns is a finding of another kind (rewrite: kept_outputs), and so is
// an operator in another form. Thread rule: pure. Cost: O(members of layers + edges).
#pragma once

#include <optional>
#include <string>

#include "advice/record/advice.h"

namespace ridge::advice {

/// nullopt: there are none, or their kernels take less than kMinOverhead of the latency.
std::optional<Finding> missed_fusions(const graph::Model& model, const profile::Profile& run,
                                      const std::string& name);

}  // namespace ridge::advice
