// SPDX-License-Identifier: Apache-2.0
// Order of the modules of a profile: descendants follow their parent and precede its siblings,
// numbers compare by value (layer.2 before layer.10).
#pragma once

#include <string_view>

namespace ridge::profile {

struct ModuleOrder {
  bool operator()(std::string_view left, std::string_view right) const;
};

}  // namespace ridge::profile
