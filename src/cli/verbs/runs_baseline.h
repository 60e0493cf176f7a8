// SPDX-License-Identifier: Apache-2.0
// ridge runs baseline: what equal machines do, and which of them lie outside.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/console.h"
#include "lab/baseline/baseline.h"
#include "store/run_filter.h"

namespace ridge::cli {

struct RunsBaselineOptions {
  std::string store;
  std::string rows = "model";    ///< model, roof
  std::string columns = "host";  ///< host
  std::string threshold;         ///< --threshold; "": default
  store::RunFilter only;         ///< runtimes by title
  std::string format = "table", output, report;
};

Result<void> make_baseline(const RunsBaselineOptions& options, Console& console);

/// Text about machines outside: a table of findings, or one line; then what was left out.
std::string findings_text(const std::vector<lab::OffFinding>& findings,
                          const std::vector<lab::LeftOut>& left_out);

}  // namespace ridge::cli
