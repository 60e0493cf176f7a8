// SPDX-License-Identifier: Apache-2.0
// What is asked of advice on a model (advice.h), and what it returns. Plain data.
#pragma once

#include <string>
#include <vector>

#include "advice/record/advice.h"
#include "profile/profile.h"
#include "roofline/roofs.h"
#include "session/measure_spec.h"

namespace ridge::advice {

struct AdviceRequest {
  std::string model;
  /// One runtime, one thread count, one set of sizes. A budget in total is for the run, the bricks
  /// and the checks together.
  session::MeasureSpec spec;
  std::vector<std::string> runtimes;  ///< to compare with, measured too
  std::string store;                  ///< run database with runs, bricks and checks; "": none
  bool measure_bricks = false;        ///< if the store, which it requires, lacks them
  bool lossless = false;              ///< no finding that changes outputs
  std::vector<std::string> checks;    ///< ids of findings to check, or "all"
};

struct Advised {
  Advice advice;
  profile::Profile run;
  roofline::Roofs roofs;  ///< for the threads of the run; empty if they are unknown
};

}  // namespace ridge::advice
