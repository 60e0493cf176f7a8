// One column of a comparison: a profile and what it is called.
#pragma once

#include <string>

#include "profile/profile.h"

namespace ridge::compare {

struct Run {
  std::string label;
  profile::Profile profile;
};

}  // namespace ridge::compare
