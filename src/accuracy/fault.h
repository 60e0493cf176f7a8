// SPDX-License-Identifier: Apache-2.0
// Errors of the metrics' inputs, all of the input class: one function per cause, so that every
// metric words the same cause alike.
//
//   if (labels.size() != rows) return sizes_differ("F1", labels.size(), "labels", rows, "rows");
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace ridge::accuracy {

/// Two inputs that belong together have different sizes (RIDGE-ACCU-0001).
Error sizes_differ(std::string_view metric, std::uint64_t first, std::string_view first_name,
                   std::uint64_t second, std::string_view second_name);

/// A label, a class or an image number is not in [0, count) (RIDGE-ACCU-0002). `what` names it and
/// its place: "label of sample 3".
Error out_of_range(std::string_view metric, std::string_view what, std::int64_t value,
                   std::uint64_t count);

/// A score or a coordinate is NaN or infinite (RIDGE-ACCU-0003).
Error not_finite(std::string_view metric, std::string_view what, double value);

/// The work would exceed a bound (RIDGE-ACCU-0004).
Error too_large(std::string_view metric, std::string_view what, std::string hint);

/// A parameter that no metric can be computed with (RIDGE-ACCU-0005).
Error bad_parameter(std::string_view metric, std::string_view what, std::string hint);

}  // namespace ridge::accuracy
