// SPDX-License-Identifier: Apache-2.0
#include "base/version.h"

namespace ridge {

std::string_view version() { return RIDGE_VERSION; }

}  // namespace ridge
