// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/point_option.h"

namespace ridge::cli {

void add_point_option(Flags& flags, std::vector<std::string>& keys) {
  flags
      .add("--point", keys,
           "only the points of these keys, which --dry-run lists; all else as in the whole request")
      .separator(',')
      .shown_as("KEY");
}

}  // namespace ridge::cli
