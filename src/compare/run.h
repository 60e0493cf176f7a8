// SPDX-License-Identifier: Apache-2.0
// One column of a comparison: a profile and its label.
#pragma once

#include <string>

#include "profile/profile.h"

namespace ridge::compare {

struct Run {
  std::string label;
  profile::Profile profile;
  std::string source = {};  ///< file of the profile; "" if the label identifies it
};

}  // namespace ridge::compare
