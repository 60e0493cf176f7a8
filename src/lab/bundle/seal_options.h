// SPDX-License-Identifier: Apache-2.0
// Options of sealing a bundle. Plain data.
#pragma once

#include "base/whole_file.h"

namespace ridge::lab {

struct SealOptions {
  bool by_reference = false;
  HashWatch watch;
};

}  // namespace ridge::lab
