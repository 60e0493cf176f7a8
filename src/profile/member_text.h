// What a span or a table says of a layer's members.
#pragma once

#include <string>

#include "profile/profile.h"

namespace ridge::profile {

/// The indices of its nodes with blanks between: "0 1 7".
std::string node_list(const Layer& layer);

}  // namespace ridge::profile
