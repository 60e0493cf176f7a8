// SPDX-License-Identifier: Apache-2.0
// Points of a request by their keys, so that each can be measured by itself, also on another
// machine than the one that listed them.
//
//   for (const PlannedPoint& p : plan) keys.push_back(point_key(what_it_depends_on));
//   for (const std::size_t i : TRY(select_points(keys, wanted))) ...     // ascending
//
// A key is made of what the key of the point's result in a store is made of, without what only the
// machine decides: its identity, the processors, and the versions of runtime and ridge. So a
// request has the same keys everywhere, and a store is still asked with the whole key.
// Thread rule: pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ridge::session {

/// Treatment of points that the store has. Their documents lack queries and spans: where these
/// are asked for, points are measured again.
enum class Stored : std::uint8_t { kSkip, kRepeat };

/// 16 digits of the SHA-256 of all that a point depends on.
std::string point_key(std::string_view dependencies);

/// Removes what an option says of the processors of a machine, which may have too few to pin.
void forget_processors(std::map<std::string, std::string>& options);

/// Positions in `keys` of the wanted points, ascending and each once; all of them if none is named.
/// Points of equal keys are wanted together. A point that cannot be measured has the key "".
/// Errors: input class, RIDGE-WB-0393, for a key that no point has.
Result<std::vector<std::size_t>> select_points(std::span<const std::string> keys,
                                               std::span<const std::string> wanted);

}  // namespace ridge::session
