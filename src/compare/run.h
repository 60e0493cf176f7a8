// One column of a comparison: a profile and what it is called.
#pragma once

#include <string>

#include "profile/profile.h"

namespace ridge::compare {

struct Run {
  std::string label;
  profile::Profile profile;
  std::string source = {};  ///< the file it came from; "" where the label says it
};

}  // namespace ridge::compare
