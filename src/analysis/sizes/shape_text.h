// SPDX-License-Identifier: Apache-2.0
// Sizes of a whole input as users write them.
//
//   shape_from("1x3x224x224", wrong)      // {1, 3, 224, 224}; also 1X3 and 1,3
//   shape_from("", wrong)                 // a scalar
//
// Sizes are whole numbers of at least 0. `wrong` makes the caller's error, with its own code, from
// what is wrong with a part. Thread rule: pure function.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ridge::analysis {

Result<std::vector<std::int64_t>> shape_from(std::string_view text,
                                             const std::function<Error(std::string)>& wrong);

}  // namespace ridge::analysis
