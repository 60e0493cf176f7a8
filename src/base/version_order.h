// The order of names with versions in them: "libonnxruntime.so.1.10" after "libonnxruntime.so.1.9".
#pragma once

#include <string>

namespace ridge {

/// Whether `a` comes before `b`; runs of digits are compared as numbers (strverscmp of the C
/// library).
bool version_before(const std::string& a, const std::string& b);

}  // namespace ridge
