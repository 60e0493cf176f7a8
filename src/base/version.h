// SPDX-License-Identifier: Apache-2.0
// Version of ridge, set by the build.
#pragma once

#include <string_view>

namespace ridge {

/// "0.1.0"; static storage.
std::string_view version();

}  // namespace ridge
