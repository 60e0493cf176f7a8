// What a verification of layer times comes to, in words that the terminal and the report share.
#pragma once

#include <string>

#include "profile/profile.h"

namespace ridge::exports {

/// "verified at 5 cuts: median difference 0.8 % of the latency, largest +1.2 % (up to conv3/Conv)",
/// or why it was not; "" where nobody asked.
std::string verification_text(const profile::Profile& profile);

/// The node that a cut ends with.
std::string cut_name(const profile::Profile& profile, const profile::VerifiedCut& cut);
/// One cut in a line.
std::string cut_text(const profile::Profile& profile, const profile::VerifiedCut& cut);

}  // namespace ridge::exports
