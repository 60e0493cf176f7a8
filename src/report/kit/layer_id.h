// SPDX-License-Identifier: Apache-2.0
// Ids that link a layer's row in a table with its bubble and its bars in charts.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "profile/profile.h"

namespace ridge::report {

/// `point` is a prefix for pages with several tables.
inline std::string layer_id(const profile::Layer& layer, std::string_view point = "") {
  return fmt::format("{}layer-{}", point, layer.index);
}

}  // namespace ridge::report
