// SPDX-License-Identifier: Apache-2.0
// Constants of a piece by name (origin()). Thread rule: plain data.
#pragma once

#include <string_view>
#include <unordered_map>

#include "bricks/form/constant.h"

namespace ridge::bricks {

using Constants = std::unordered_map<std::string_view, Constant>;

}  // namespace ridge::bricks
