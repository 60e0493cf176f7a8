// SPDX-License-Identifier: Apache-2.0
// Command lines with which an agent asks its own ridge for the points of a request and for one of
// them, and the answer.
//
//   start(plan_command("bench", "request.toml", "plan.json"));
//   Plan plan = TRY(read_plan(status, "plan.json", what_it_printed));
//   start(point_command("bench", "request.toml", plan.points[0].key, "1.db", folder));
//
// Errors: RIDGE-LAB-0106 (environment class), where the host's ridge refused the request; the
// evidence is what it said. Thread rule: pure, apart from the file.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/agent/messages.h"

namespace ridge::lab {

/// Verbs whose requests have points.
std::span<const std::string_view> submitted_verbs();

std::vector<std::string> plan_command(const std::string& verb, const std::string& request,
                                      const std::string& plan);
/// `folder`: where its document goes.
std::vector<std::string> point_command(const std::string& verb, const std::string& request,
                                       const std::string& key, const std::string& store,
                                       const std::string& folder);

/// `status`, `words`: how it ended and what it printed.
Result<Plan> read_plan(int status, const std::string& path, const std::string& words);

}  // namespace ridge::lab
