// SPDX-License-Identifier: Apache-2.0
// Cost of one profiling event in this runtime on this machine, measured on chains of simple kernels
// before the model is measured.
//
// Chains of two lengths are run with profiling off and on; the slope between the lengths separates
// the cost per event from the cost per run.
//
// For a runtime that lists its layers the chains consist of MaxPool (3x3, of 8x4x4 and of
// 8x128x128): such a runtime fuses a chain of element-wise operators into one layer. A runtime that
// refuses these operators gets chains of Relu, and may not fuse them.
//
//   trivial chain (Sin over 16 elements):
//     cheapest kernel = slope of the plain runs        launch included
//   streaming chain (Sum of three tensors of rank 4, 512 KiB each: as many arguments to record as
//   a convolution has, and it evicts the profiler's own code and data from the near caches, as the
//   layers of a real model do; with warm caches an event costs half as much):
//     cost per event and per run, with intervals (event_cost.h)
//
// The two lengths alternate, and so do runs with profiling off and on within a turn. Threads and
// pinning: as in the model's runs.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "measure/runs.h"
#include "runtime/options.h"
#include "runtime/runtime.h"

namespace ridge::measure {

/// Environment errors: the runtime reports no layers (RIDGE-MEAS-0009), or refuses or fuses a chain
/// of Relu as well (0007).
Result<EventCost> calibrate(const runtime::Options& options);

/// Operator of a chain. Its first input is the previous operator's output; further inputs are the
/// model's input.
struct ChainNode {
  std::string_view op_type;
  int inputs = 1;
  std::array<std::int64_t, 4> dims = {};
};

/// Operator with two chain lengths.
struct ChainKind {
  ChainNode node;
  int brief = 0, lengthy = 0;
  bool may_be_fused = false;  ///< then each run is checked for an event of each node
};

/// The streaming chain of a runtime.
ChainKind streaming_chain(const runtime::RuntimeInfo& info);
/// Chain of the same kernels on tensors of 32 KiB, which leave the profiler's code and data in the
/// near caches, as the smallest layers do.
ChainKind near_chain(const runtime::RuntimeInfo& info);
/// Bytes that a kernel of a chain reads and writes, each tensor once.
std::int64_t bytes_of(const ChainNode& node);

/// Loads a model without weights and sets its only input, "x" of float32.
Result<runtime::SessionId> load_with_input(runtime::Runtime& runtime, std::string_view model,
                                           std::vector<std::int64_t> dims);

/// Loads a chain and sets its input.
Result<runtime::SessionId> load_chain(runtime::Runtime& runtime, const ChainNode& node,
                                      int kernels);

/// Returns the chain as a serialized ONNX model: input "x", output "y", float32.
Result<std::string> chain_model(const ChainNode& node, int kernels);

}  // namespace ridge::measure
