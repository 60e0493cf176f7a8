// SPDX-License-Identifier: Apache-2.0
// Texts for the result of a verification of layer times, shared by the terminal and the report.
#pragma once

#include <string>

#include "profile/profile.h"

namespace ridge::exports {

/// "layer times verified at 5 cuts: median difference 0.8 % of the latency, largest +1.2 % up to
/// conv3/Conv", or the reason why not; "" where no verification was requested.
std::string verification_text(const profile::Profile& profile);

/// Name of the node after which the model is cut.
std::string cut_name(const profile::Profile& profile, const profile::VerifiedCut& cut);
/// Description of one cut in a line.
std::string cut_text(const profile::Profile& profile, const profile::VerifiedCut& cut);

}  // namespace ridge::exports
