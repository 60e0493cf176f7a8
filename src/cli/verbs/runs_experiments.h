// SPDX-License-Identifier: Apache-2.0
// ridge runs experiments: lists the experiments of a run database, or shows one.
#pragma once

#include <string>

#include "base/result.h"
#include "cli/console.h"

namespace ridge::cli {

struct RunsExperimentsOptions {
  std::string store;
  std::string which;  ///< number or name; "": all are listed
  std::string format, output;
};

Result<void> show_experiments(const RunsExperimentsOptions& options, Console& console);

}  // namespace ridge::cli
