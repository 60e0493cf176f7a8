// SPDX-License-Identifier: Apache-2.0
// --point of the verbs that measure several points: only points with these keys of --dry-run
// (session/point_choice.h).
#pragma once

#include <string>
#include <vector>

#include "cli/flags/flags.h"

namespace ridge::cli {

void add_point_option(Flags& flags, std::vector<std::string>& keys);

}  // namespace ridge::cli
