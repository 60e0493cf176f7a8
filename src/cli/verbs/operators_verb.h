// SPDX-License-Identifier: Apache-2.0
// ridge operators: lists the operators with their counting rules.
#pragma once

#include <string>
#include <string_view>

#include "cli/console.h"
#include "cli/verb.h"

namespace ridge::cli {

struct OperatorsOptions {
  std::string format = "table";  ///< table, csv or md
  std::string output = {};       ///< a file; empty: standard output
};

int operators(const OperatorsOptions& options, Console& console);

inline constexpr std::string_view kOperatorsExamples =
    "ridge operators                        # every operator: versions, work, shapes\n"
    "ridge operators --format csv --output operators.csv\n"
    "ridge explain Conv                     # one of them in detail\n";

Run setup_operators(Flags& flags);

}  // namespace ridge::cli
