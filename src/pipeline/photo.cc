// SPDX-License-Identifier: Apache-2.0
#include "pipeline/photo.h"

#include <fmt/format.h>

#include <utility>

namespace ridge::pipeline {

Error ended_early(std::string_view format, std::string evidence) {
  return input_error("RIDGE-PIPE-0003",
                     fmt::format("the {} file ends before its image does", format))
      .evidence(std::move(evidence))
      .hint("fetch or export the file again");
}

Error too_short_for(std::string_view format, std::size_t bytes, std::uint64_t width,
                    std::uint64_t height) {
  return ended_early(format,
                     fmt::format("{} bytes cannot hold {} x {} pixels", bytes, width, height));
}

}  // namespace ridge::pipeline
