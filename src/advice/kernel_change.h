// Difference between the kernels of two models, as a text for people.
//
//   kernel_change({"Exp", "Neg", "Conv"}, {"Conv", "QuickGelu"})
//       // "1 QuickGelu runs instead of 1 Exp, 1 Neg"
//
// Thread rule: pure. Cost: O(n log n).
#pragma once

#include <string>
#include <vector>

namespace ridge::advice {

/// "" if both have the same kernels in any order.
std::string kernel_change(std::vector<std::string> before, std::vector<std::string> after);

}  // namespace ridge::advice
