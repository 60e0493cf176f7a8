// A profile for people: what the terminal shows, and the same tables as CSV and Markdown.
#pragma once

#include <cstddef>
#include <string>

#include "export/table.h"
#include "profile/profile.h"
#include "profile/sweep.h"

namespace ridge::exports {

/// The terminal's page: what was measured, top layers, by operator type, by module, what has no
/// layer, notes, and the biggest lever last. `top` = 0: all layers.
std::string profile_text(const profile::Profile& profile, std::size_t top);
/// The same as a Markdown document.
std::string profile_markdown(const profile::Profile& profile, std::size_t top);
/// One row per layer, every column, plain numbers.
std::string profile_csv(const profile::Profile& profile);

/// "the parts add up to 98 % of the latency": corrected layers and what lies outside them.
std::string parts_text(const profile::Profiling& profiling);

/// Latency and throughput of each point, and what each axis did.
std::string sweep_text(const profile::Sweep& sweep);
std::string sweep_markdown(const profile::Sweep& sweep);

/// "conv1/Conv + relu/Relu" for a layer's members that it executes, "… + 3 more" past four.
std::string member_names(const profile::Profile& profile, const profile::Layer& layer);

}  // namespace ridge::exports
