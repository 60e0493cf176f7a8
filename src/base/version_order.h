// SPDX-License-Identifier: Apache-2.0
// Ordering of names that contain versions: "libonnxruntime.so.1.10" after "libonnxruntime.so.1.9".
#pragma once

#include <string>

namespace ridge {

/// True if `a` comes before `b`; runs of digits compare as numbers (strverscmp of the C library).
bool version_before(const std::string& a, const std::string& b);

}  // namespace ridge
