// SPDX-License-Identifier: Apache-2.0
// How a bundle is sealed. Plain data.
#pragma once

#include "base/whole_file.h"

namespace ridge::lab {

struct SealOptions {
  bool by_reference = false;
  HashWatch watch;
};

}  // namespace ridge::lab
