// SPDX-License-Identifier: Apache-2.0
// Request to measure one model in one runtime, and to measure several in turns. Plain data;
// session.h carries it out.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "analysis/resolved.h"
#include "attribution/canonical.h"
#include "base/progress.h"
#include "runtime/measurement.h"
#include "runtime/options.h"
#include "runtime/types.h"

namespace ridge::measure {

struct Request {
  runtime::Options runtime;
  runtime::Plan plan;  ///< for each process
  std::uint32_t processes = 3;
  /// Shapes of the inputs, for what is measured without profiling; profile_model tries both.
  attribution::CanonicalOptions::Sizes sizes = attribution::CanonicalOptions::Sizes::kStatic;
  bool weights_as_is = false;                 ///< keep weights that are stored as constants
  std::map<std::string, std::string> inputs;  ///< input name to .npy or .pb file
  std::uint64_t seed = 1;
  std::uint32_t recorded_runs = 1;  ///< per process, with all levels in Profile::timeline
  int processors = 1;               ///< available to this process
  /// Channels per block of the runtime's blocked layouts; 0: unknown.
  std::int32_t channel_block = 0;
  Progress* progress = nullptr;
  /// Prefix of progress messages; "" for a single column.
  std::string label;
  bool check_values = false;  ///< decide by values what names do not (value_check.h)
};

/// Runtime options as listed in a profile: threads, optimization, pinning and the user's own.
std::map<std::string, std::string> options_of(const Request& request);

struct Column {
  const analysis::Resolved* resolved = nullptr;
  Request request;
};

enum class Turns : std::uint8_t {
  kRuns,       ///< the n-th processes of all are alive together and run in turn
  kProcesses,  ///< the first process of each, then the second of each in reverse order, ...
};

/// Progress text "42 runs, at least 10"; a process continues until its budget is spent.
std::string rounds_text(const runtime::Progress& progress);

}  // namespace ridge::measure
