// SPDX-License-Identifier: Apache-2.0
// "Did you mean": known names close to one that does not exist.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ridge {

/// Returns up to `most` of `candidates` that a user may have meant by `name`, nearest first: edit
/// distance of at most two or a third of the candidate's length, whichever is larger, and less than
/// the longer of the two names. Names over 64 bytes never match. Cost: O(candidates).
std::vector<std::string> near_names(std::string_view name,
                                    const std::vector<std::string>& candidates,
                                    std::size_t most = 3);

}  // namespace ridge
