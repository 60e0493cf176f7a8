// Whether this is built with sanitizers, which need much of the address space and bring a heap of
// their own.
#pragma once

namespace ridge {

#ifdef RIDGE_SANITIZED
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace ridge
