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
  std::map<std::string, std::string> inputs;  ///< input name to .npy file
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

struct Turn {
  const analysis::Resolved* resolved = nullptr;
  Request request;
};

/// Several, whose processes take turns: the first process of each, then the second of each in
/// reverse order, and so on, so that what changes on the machine meanwhile hits all alike. One that
/// fails does not hold up the others.
std::vector<Result<profile::Profile>> profile_in_turns(std::span<const Turn> turns);

}  // namespace ridge::measure
