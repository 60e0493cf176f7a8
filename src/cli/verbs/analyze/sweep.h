// SPDX-License-Identifier: Apache-2.0
// ridge analyze for several values of a size: a row, or in JSON an analysis, per point. The model
// is read once.
#pragma once

#include <optional>
#include <string>

#include "analysis/convention.h"
#include "analysis/resolved.h"
#include "base/result.h"
#include "cli/console.h"
#include "cli/flags/sizes.h"
#include "cli/flags/traffic_flags.h"
#include "cli/verbs/analyze/options.h"

namespace ridge::cli {

/// Figures of another tool's convention; nullopt if `name` is unknown or empty.
std::optional<analysis::ConventionCount> convention_count(const std::string& name,
                                                          const analysis::Resolved& resolved);

/// Prints the document and each warning once; returns the exit status. If a point fails, nothing is
/// printed.
Result<int> analyze_sweep(const AnalyzeOptions& options, const SizeFlags& flags,
                          const std::optional<TrafficRequest>& traffic, Console& console);

}  // namespace ridge::cli
