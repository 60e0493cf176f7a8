// Measures one model in one runtime: several processes, one after the other, each with the same
// copy, weights and inputs.
//
//   Request request{.runtime = {.threads = 2}};
//   Result<profile::Profile> p = measure::profile_model(resolved, request);
//   roofline::place(*p, roofs);
//
// The result has times, members, work and notes; the caller adds roofs and bounds. A process that
// crashes is reported in the notes and the others count; it is an error only if nothing could be
// measured. Ctrl-C (Options::interrupted) keeps the results so far and adds a note.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "base/progress.h"
#include "base/result.h"
#include "profile/profile.h"
#include "runtime/runtime.h"

namespace ridge::measure {

struct Request {
  runtime::Options runtime;
  runtime::Plan plan;  ///< for each process
  std::uint32_t processes = 3;
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
};

/// Runtime options as listed in a profile: threads, optimization, pinning and the user's own.
std::map<std::string, std::string> options_of(const Request& request);

Result<profile::Profile> profile_model(const analysis::Resolved& resolved, const Request& request);

struct Column {
  const analysis::Resolved* resolved = nullptr;
  Request request;
};

/// Progress text "42 runs, at least 10"; a process continues until its budget is spent.
std::string rounds_text(const runtime::Progress& progress);

enum class Turns : std::uint8_t {
  kRuns,       ///< the n-th processes of all are alive together and run in turn
  kProcesses,  ///< the first process of each, then the second of each in reverse order, ...
};

/// Measures several columns in turns, so that changes of the machine affect all alike. They must
/// have the same plan and number of processes. With kRuns, Latency::processes has an entry for each
/// process (empty if it produced no samples), and the i-th runs of all columns are partners. A
/// column that fails does not stop the others.
std::vector<Result<profile::Profile>> profile_in_turns(std::span<const Column> columns,
                                                       Turns turns);

}  // namespace ridge::measure
