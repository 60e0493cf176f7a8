// SPDX-License-Identifier: Apache-2.0
#include "base/version_order.h"

#include <cstring>

namespace ridge {

bool version_before(const std::string& a, const std::string& b) {
  return ::strverscmp(a.c_str(), b.c_str()) < 0;
}

}  // namespace ridge
