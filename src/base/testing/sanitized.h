// SPDX-License-Identifier: Apache-2.0
// True in builds with sanitizers, which reserve much of the address space and use their own heap.
#pragma once

namespace ridge {

#ifdef RIDGE_SANITIZED
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace ridge
