// SPDX-License-Identifier: Apache-2.0
// Subject of all steps of a piece of advice (advice.h): the model at one point, as it is asked
// about. The steps are functions, each of which returns what it found:
//
//   measure_model(subject)                                   the run, the bounds, other ways
//   find_changes(subject, measured)                          edited copies
//   price_changes(subject, measured, changes)                findings with their predicted gains
//   check_findings(subject, measured, changes, priced)       findings with their checks
//
// Ownership: borrows everything. Thread rule: one thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "advice/record/request.h"
#include "advice/run/budget.h"
#include "analysis/resolved.h"
#include "bricks/loader.h"
#include "bricks/run/point.h"
#include "session/run_recorder.h"
#include "session/workbench.h"

namespace ridge::advice {

struct AdviceSubject {
  const AdviceRequest& request;
  const session::Workbench& bench;
  const session::Point& point;
  const analysis::Resolved& resolved;
  const bricks::BricksPoint& bricks;
  const AdviceBudget& budget;
  bricks::Loader& loader;
  session::RunRecorder* recorder = nullptr;  ///< nullptr without a store

  const session::Environment& environment() const { return bench.environment; }
  std::uint32_t processors() const {
    return static_cast<std::uint32_t>(environment().host.allowed.size());
  }
  /// By --check, and not only by "all".
  bool is_named(std::string_view id) const {
    return std::ranges::find(request.checks, id) != request.checks.end();
  }
  /// A finding that can be applied.
  bool asks_for(std::string_view id) const { return is_named(id) || is_named("all"); }
};

}  // namespace ridge::advice
