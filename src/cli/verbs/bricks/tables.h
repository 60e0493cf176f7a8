// SPDX-License-Identifier: Apache-2.0
// Tables and summaries of ridge bricks. Thread rule: pure functions.
#pragma once

#include <string>
#include <vector>

#include "bricks/check.h"
#include "bricks/estimate_document.h"
#include "bricks/run/plan.h"
#include "bricks/run/suite.h"
#include "bricks/suite_goal.h"
#include "export/table.h"

namespace ridge::cli {

/// `exact`: numbers for programs instead of people.
exports::Table table_of(const bricks::PlannedBricks& done, bool exact);
exports::Table table_of(const std::vector<bricks::ModelProgress>& models, bool exact);
exports::Table table_of(const bricks::EstimateDocument& estimates, bool exact);
exports::Table table_of(const bricks::Check& check, bool exact);

/// Lines below a table, for standard error.
std::string summary_text(const bricks::PlannedBricks& done, const std::string& folder);
std::string summary_text(const bricks::BricksSuite& suite, double width);
std::string summary_text(const bricks::EstimateDocument& estimates);
/// `too_wide`: models whose estimate did not reach the width.
std::string summary_text(const bricks::Check& check, const std::vector<std::string>& too_wide);

}  // namespace ridge::cli
