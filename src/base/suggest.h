// "Did you mean": names that are near to one that does not exist.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ridge {

/// Up to `most` of `candidates` that a person may have meant by `name`, nearest first: edit
/// distance of at most two, or a third of the candidate's length. Names over 64 bytes are never
/// near. Cost: O(candidates).
std::vector<std::string> near_names(std::string_view name,
                                    const std::vector<std::string>& candidates,
                                    std::size_t most = 3);

}  // namespace ridge
