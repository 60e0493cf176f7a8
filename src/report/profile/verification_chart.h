// SPDX-License-Identifier: Apache-2.0
// Layer times verified against measured parts of the model: a curve of the layer times, and a mark
// per cut.
//
// x = layers in order of execution, each as wide as its time; y = time since the start of a run.
// The curve adds up the corrected layers and the time outside layers. Each cut has a dot at the
// measured time of its part and a bar over the 95 % interval. A hollow mark shows a second
// measurement of the part, in which each run follows a run of the whole model, so that the caches
// contain what they contain in the model. "" where no verification was requested. Names are escaped
// here.
#pragma once

#include <string>

#include "profile/profile.h"

namespace ridge::report {

std::string verification_section(const profile::Profile& profile);

}  // namespace ridge::report
