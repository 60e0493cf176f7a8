// SPDX-License-Identifier: Apache-2.0
// Difference between the kernels of two models, as a text for people.
//
//   kernel_change({"Exp", "Neg", "Conv"}, {"Conv", "QuickGelu"})
//       // "1 QuickGelu runs instead of 1 Exp, 1 Neg"
//   more_kernels({"Exp", "Neg", "Conv"}, {"Conv", "QuickGelu", "Reshape"})     // -1
//
// Thread rule: pure. Cost: O(n log n).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ridge::advice {

/// "" if both have the same kernels in any order.
std::string kernel_change(std::vector<std::string> before, std::vector<std::string> after);

/// Kernels of `after` less kernels of `before`; negative if fewer. Two kinds do not count:
/// views (Reshape, Squeeze and others that only name a tensor's elements anew), which take no time,
/// and reorders to and from a blocked layout, which come with faster kernels.
std::int64_t more_kernels(const std::vector<std::string>& before,
                          const std::vector<std::string>& after);

}  // namespace ridge::advice
