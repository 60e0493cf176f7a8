// SPDX-License-Identifier: Apache-2.0
// Flags of ridge share replay as text, and the plan that they make. Errors: usage class,
// RIDGE-CLI-0301 to 0305, and those of policy_flag.h, with the correct form as hint.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "sharing/replay/replay.h"

namespace ridge::cli {

struct ShareReplayOptions {
  std::vector<std::string> traces;
  std::string generate;  ///< "zipf:1.1,uniform"
  std::string policies = "lru,gdsf";
  std::string memory = "1G";
  std::string disk;
  std::uint32_t models = 50;
  std::uint64_t requests = 100'000;
  std::string arrivals = "poisson";
  double rate = 10;
  std::string clients;  ///< "1,2,4"; "": at the times of the trace
  std::string share = "100%";
  std::string costs;
  std::string admission = "all";
  std::uint64_t seed = 1;
  std::string format = "table", output, report;
};

Result<sharing::ReplayPlan> replay_plan(const ShareReplayOptions& options);

}  // namespace ridge::cli
