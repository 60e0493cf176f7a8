// Layer times against the model's parts: one curve, and how far each cut is off.
//
// x = layers in order of execution, each as wide as its time; y = time since the start of a run.
// The line adds up the corrected layers with what lies outside them; each cut has the part's time
// as a bar over its 95 % interval, and a hollow mark where the part was measured again with the
// caches of the whole model. "" where nothing was verified. Names are escaped here.
#pragma once

#include <string>

#include "profile/profile.h"

namespace ridge::report {

std::string verification_section(const profile::Profile& profile);

}  // namespace ridge::report
