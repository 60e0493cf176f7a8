// ridge analyze over several values of a size: a row or an analysis per point. The file is read
// once.
#pragma once

#include <optional>
#include <string>

#include "analysis/convention.h"
#include "cli/analyze_verb.h"
#include "cli/sizes.h"
#include "cli/traffic_flags.h"

namespace ridge::cli {

/// Another tool's figures; nothing where no convention of that name is known. (analyze_verb.cc)
std::optional<analysis::ConventionCount> counted_by(const std::string& name,
                                                    const analysis::Resolved& resolved);

/// Prints the document, warnings once each; returns the exit status. Nothing is printed where one
/// of the points is an error.
Result<int> analyze_sweep(const AnalyzeOptions& options, const SizeFlags& flags,
                          const std::optional<TrafficAsked>& traffic, Console& console);

}  // namespace ridge::cli
