// From what measured processes sent to rows that statistics can take: pairs of runs, and one list
// of kernels for all processes.
//
// The names of a runtime's kernels may differ between processes of one model: ONNX Runtime numbers
// the nodes it inserts ("..._token_17") in an order that depends on addresses. Structure does not
// differ. So kernels are matched by name first, then the rest by order of first execution where
// operator type and name without numbers agree. A process that does not match is left out and named
// in `notes`; its place stays, empty, as that of a process that measured nothing: partners of other
// measurements are found by place.
#pragma once

#include <string>
#include <vector>

#include "measure/runs.h"
#include "runtime/measurement.h"

namespace ridge::measure {

struct Collected {
  std::vector<runtime::KernelInfo>
      kernels;  ///< of the first process that has any; Event::kernel refers to it
  std::vector<std::uint32_t> order;  ///< kernels by first execution
  std::vector<std::uint32_t>
      first_run;  ///< kernels of the events of one run, in the order in which they ended
  std::vector<ProcessRuns> processes;  ///< empty where one was left out
  /// For each process its own kernels in terms of `kernels`; empty where it was left out.
  std::vector<std::vector<std::uint32_t>> same_kernel;
  std::vector<std::string> notes;
};

struct ProcessMeasurement {
  std::int64_t load_ns = 0;
  runtime::Measurement measurement;
};

Collected collect(const std::vector<ProcessMeasurement>& processes);

/// `name` with every run of digits after "_token_" left out.
std::string without_numbers(std::string_view name);

}  // namespace ridge::measure
