// SPDX-License-Identifier: Apache-2.0
// Other ways to run the model of a piece of advice: other runtimes, and the runtime without blocked
// layouts (a level below `all`).
//
//   const std::vector<AdviceWay> ways = TRY(measure_ways(bench, resolved, runtimes, roofs, notes));
//   for (AdviceSetting& s : findings_of(ways, run, spec, model)) ...
//
// Each is measured like the run itself, after it; what is faster is checked in turns (--check). A
// runtime that is missing or refuses the model is a note. Thread rule: one thread.
#pragma once

#include <string>
#include <vector>

#include "advice/cover.h"
#include "advice/run/setting.h"
#include "session/finish.h"
#include "session/workbench.h"

namespace ridge::advice {

struct AdviceWay {
  std::string name;           ///< "OpenVINO"
  session::MeasureSpec spec;  ///< the run's, changed
  profile::Profile run;
};

/// A way is faster if it takes this part of the latency less.
inline constexpr double kMinFaster = 0.05;

/// Measures the model in each of the runtimes other than the spec's.
std::vector<AdviceWay> measure_ways(const session::Workbench& bench,
                                    const analysis::Resolved& resolved,
                                    const std::vector<std::string>& runtimes,
                                    session::RoofSource& roofs, std::vector<std::string>& notes);

/// Findings on ways that are faster as a whole (Q3, kind "runtime"), and on pieces of a cover.
std::vector<AdviceSetting> findings_of(const std::vector<AdviceWay>& ways,
                                       const profile::Profile& run, const std::string& model);
std::optional<Finding> finding_of(const Cover& cover, const profile::Profile& run,
                                  const std::string& model);

}  // namespace ridge::advice
