// SPDX-License-Identifier: Apache-2.0
// Converts the data sent by measured processes into rows for statistics: pairs of runs, and one
// list of kernels for all processes.
//
// Kernel names may differ between processes of one model: ONNX Runtime numbers the nodes it inserts
// ("..._token_17") in an order that depends on addresses. The structure is the same. Kernels are
// therefore matched by order of first execution if operator type and name without numbers agree
// throughout, else by exact name. A process with a kernel that has no match is dropped and reported
// in `notes`; it keeps an empty entry, like a process that measured nothing, because other
// measurements refer to processes by index.
#pragma once

#include <string>
#include <vector>

#include "measure/runs.h"
#include "runtime/measurement.h"

namespace ridge::measure {

struct Collected {
  /// Kernels of the first process that has any; Event::kernel indexes them.
  std::vector<runtime::KernelInfo> kernels;
  std::vector<std::uint32_t> order;  ///< kernels by first execution
  /// Kernels of the events of one run, in the order in which they ended.
  std::vector<std::uint32_t> first_run;
  std::vector<ProcessRuns> processes;  ///< empty entries for dropped processes
  /// For each process, its own kernels as indices into `kernels`; empty if it was dropped.
  std::vector<std::vector<std::uint32_t>> same_kernel;
  std::vector<std::string> notes;
};

struct ProcessMeasurement {
  std::int64_t load_ns = 0;
  runtime::Measurement measurement;
};

Collected collect(const std::vector<ProcessMeasurement>& processes);

/// Returns `name` without the digits that follow each "_token_".
std::string without_numbers(std::string_view name);

}  // namespace ridge::measure
