// SPDX-License-Identifier: Apache-2.0
#include "accuracy/fault.h"

#include <fmt/format.h>

namespace ridge::accuracy {

Error sizes_differ(std::string_view metric, std::uint64_t first, std::string_view first_name,
                   std::uint64_t second, std::string_view second_name) {
  return input_error("RIDGE-ACCU-0001", fmt::format("{}: {} {}, but {} {}", metric, first,
                                                    first_name, second, second_name))
      .hint("both must come from the same samples in the same order");
}

Error out_of_range(std::string_view metric, std::string_view what, std::int64_t value,
                   std::uint64_t count) {
  return input_error("RIDGE-ACCU-0002", fmt::format("{}: {} is {}, not in 0 to {}", metric, what,
                                                    value, static_cast<std::int64_t>(count) - 1))
      .hint(
          "classes and images are counted from 0; check that labels and outputs have the same "
          "ones");
}

Error not_finite(std::string_view metric, std::string_view what, double value) {
  return input_error("RIDGE-ACCU-0003", fmt::format("{}: {} is {}", metric, what, value))
      .hint("the model may have overflowed; compare its outputs with those of another runtime");
}

Error too_large(std::string_view metric, std::string_view what, std::string hint) {
  return input_error("RIDGE-ACCU-0004", fmt::format("{}: {}", metric, what)).hint(std::move(hint));
}

Error bad_parameter(std::string_view metric, std::string_view what, std::string hint) {
  return input_error("RIDGE-ACCU-0005", fmt::format("{}: {}", metric, what)).hint(std::move(hint));
}

}  // namespace ridge::accuracy
