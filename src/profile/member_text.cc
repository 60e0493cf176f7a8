// SPDX-License-Identifier: Apache-2.0
#include "profile/member_text.h"

#include <fmt/format.h>

namespace ridge::profile {

std::string node_list(const Layer& layer) {
  std::string out;
  for (const Member& m : layer.members) out += fmt::format("{}{}", out.empty() ? "" : " ", m.node);
  return out;
}

}  // namespace ridge::profile
