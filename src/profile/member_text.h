// SPDX-License-Identifier: Apache-2.0
// Text about a layer's members for spans and tables.
#pragma once

#include <string>

#include "profile/profile.h"

namespace ridge::profile {

/// Node indices of the layer's members, separated by blanks: "0 1 7".
std::string node_list(const Layer& layer);

}  // namespace ridge::profile
