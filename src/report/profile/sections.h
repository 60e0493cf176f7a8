// SPDX-License-Identifier: Apache-2.0
// Sections of a profile's page, each a piece of HTML. See report/profile/page.h.
#pragma once

#include <string>
#include <string_view>

#include "profile/profile.h"

namespace ridge::report {

/// Heading with model, runtime, threads and sizes, then figures_section().
std::string summary_section(const profile::Profile& profile);
std::string figures_section(const profile::Profile& profile);
/// Table of layers. `point` is a prefix of the row ids, for pages with several tables.
std::string layer_section(const profile::Profile& profile, std::string_view point = "");
std::string type_section(const profile::Profile& profile);
std::string module_section(const profile::Profile& profile);
std::string unplaced_section(const profile::Profile& profile);
std::string roof_section(const profile::Profile& profile);
std::string method_section(const profile::Profile& profile);

}  // namespace ridge::report
