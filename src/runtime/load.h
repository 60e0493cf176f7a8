// SPDX-License-Identifier: Apache-2.0
// A load on a runtime from ridge's side: its samples, and its end. Plain data.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "ipc/descriptor.h"
#include "runtime/inputs/inputs.h"
#include "runtime/types.h"

namespace ridge::runtime {

/// Sets of inputs for the queries of loads, in memory that the child maps.
struct Samples {
  std::vector<std::vector<InputTensor>> sets;
  ipc::SharedMemory memory;
  std::vector<std::string> notes;  ///< as in Inputs
};

/// Outputs of a run of a load (scenario::Scenario::kept).
struct KeptOutputs {
  std::uint64_t run = 0;
  Outputs outputs;
};

/// A loaded session of the same model whose inputs hold `size` samples.
struct BatchModel {
  std::uint32_t size = 0;
  SessionId session = 0;
  std::vector<InputTensor> inputs;  ///< shapes, and places within the memory of a batch
};

struct LoadResult {
  std::int64_t begun_ns = 0, ended_ns = 0;  ///< first moment of the schedule, last query done
  std::int64_t measured_ns = 0;             ///< end of the warm-up, or the first moment
  std::uint64_t abandoned = 0;              ///< queries that were due before the end and not issued
  bool canceled = false;                    ///< by Ctrl-C
  bool log_full = false;                    ///< no room for further queries
  std::optional<Error> failure;             ///< reason for an early end
  std::vector<KeptOutputs> kept;            ///< in the order in which they were done
};

/// Queries done so far; about ten times a second.
using OnLoadProgress = std::function<void(std::uint64_t done)>;

}  // namespace ridge::runtime
