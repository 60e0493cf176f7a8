// SPDX-License-Identifier: Apache-2.0
// Which policy decides what leaves a level of the cache. Plain data; policy/policy.h acts on it.
#pragma once

#include <array>
#include <cstdint>

#include "base/words.h"

namespace ridge::sharing {

enum class PolicyKind : std::uint8_t {
  kNever,  ///< nothing leaves; nothing gets in once memory is full
  kLru,    ///< the one whose last lease ended longest ago
};

struct PolicySpec {
  PolicyKind kind = PolicyKind::kLru;
};

}  // namespace ridge::sharing

namespace ridge {

template <>
struct Words<sharing::PolicyKind> {
  using Kind = sharing::PolicyKind;
  static constexpr std::array list{Word{Kind::kNever, "never", "what is in stays"},
                                   Word{Kind::kLru, "lru", "the one unused for longest leaves"}};
};

}  // namespace ridge
