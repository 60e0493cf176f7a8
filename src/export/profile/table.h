// SPDX-License-Identifier: Apache-2.0
// A profile for human readers: a page for the terminal, and its tables as CSV and Markdown.
#pragma once

#include <cstddef>
#include <string>

#include "export/table.h"
#include "profile/profile.h"
#include "profile/sweep.h"

namespace ridge::exports {

/// Page for the terminal: the measurement, number of nodes with and without a layer, slowest
/// layers, sums by operator type and by module, notes, and the largest optimization potential last.
/// `top` = 0: all layers.
std::string profile_text(const profile::Profile& profile, std::size_t top);
/// Page as a Markdown document.
std::string profile_markdown(const profile::Profile& profile, std::size_t top);
/// One row per layer, every column, plain numbers.
std::string profile_csv(const profile::Profile& profile);

/// "the parts add up to 98 % of the latency": corrected layers plus the time outside layers.
std::string parts_text(const profile::Profiling& profiling);

/// Latency and throughput of each point, and the findings per axis.
std::string sweep_text(const profile::Sweep& sweep);
std::string sweep_markdown(const profile::Sweep& sweep);

/// Names of the members that a layer executes: "conv1/Conv + relu/Relu", "… + 3 more" beyond four.
/// QuantizeLinear and DequantizeLinear around other operators are only counted: "conv1/Conv + 4
/// Q/DQ".
std::string member_names(const profile::Profile& profile, const profile::Layer& layer);

}  // namespace ridge::exports
