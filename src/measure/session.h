// Measures one model in one runtime: several processes, one after the other, each with the same
// copy, weights and inputs.
//
//   Request request{.runtime = {.threads = 2}};
//   Result<profile::Profile> p = measure::profile_model(resolved, request);
//   roofline::place(*p, roofs);
//
// The result has times, members, work and notes; roofs and bounds are added above. A process that
// dies is named in the notes and the rest counts; an error only where nothing could be measured.
// Ctrl-C (Options::interrupted) keeps what there is and says so.
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
  runtime::Plan plan;  ///< of each process
  std::uint32_t processes = 3;
  bool weights_as_is = false;                 ///< keep weights that are given as constants
  std::map<std::string, std::string> inputs;  ///< input name to .npy or .pb file
  std::uint64_t seed = 1;
  std::uint32_t recorded_runs = 1;  ///< of each process, whole in Profile::timeline
  int processors = 1;               ///< that this process may use
  std::int32_t channel_block =
      0;  ///< channels in a block of the runtime's blocked layouts; 0: unknown
  Progress* progress = nullptr;
  std::string label;  ///< what progress calls it; "" where there is one
};

/// What a profile says of the runtime's options: threads, optimization, pinning and the user's own.
std::map<std::string, std::string> options_of(const Request& request);

Result<profile::Profile> profile_model(const analysis::Resolved& resolved, const Request& request);

struct Column {
  const analysis::Resolved* resolved = nullptr;
  Request request;
};

/// "42 runs, at least 10": how far a process is, which goes on for as long as its budget.
std::string rounds_text(const runtime::Progress& progress);

enum class Turns : std::uint8_t {
  kRuns,       ///< all processes of a number alive at once, a run of each in turn
  kProcesses,  ///< the first process of each, then the second of each in reverse order, ...
};

/// Several that take turns, so that what changes on the machine meanwhile hits all alike. They have
/// one plan and as many processes each. In turns by run the i-th process of each has its place in
/// Latency::processes (empty where it gave nothing), and its i-th run is the partner of every
/// other's i-th run. One that fails does not hold up the others.
std::vector<Result<profile::Profile>> profile_in_turns(std::span<const Column> columns,
                                                       Turns turns);

}  // namespace ridge::measure
