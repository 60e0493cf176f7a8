// SPDX-License-Identifier: Apache-2.0
// ridge report: what a run database has measured, rows by columns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/console.h"
#include "cli/verb.h"
#include "store/run_filter.h"

namespace ridge::cli {

struct ReportOptions {
  std::string store;
  std::string rows = "model", columns = "host";  ///< keys (lab/grid/keys.h)
  std::string base;                              ///< name of a column
  std::vector<std::string> prices;               ///< HOST=PER_HOUR
  std::string price_file;
  store::RunFilter only;
  std::string format = "table";
  std::string output;
};

int report_grid(const ReportOptions& options, Console& console);

inline constexpr std::string_view kReportExamples =
    "ridge report runs.db                            # models by machines\n"
    "ridge report runs.db --rows model --columns host -o grid.html\n"
    "ridge report runs.db --columns threads --base 1 # speed-ups over one thread\n"
    "ridge report runs.db --price b2=0.50 --price b3=1.20   # cost of a million inferences\n"
    "ridge report runs.db --rows model,runtime --host b2 --format latex -o grid.tex\n"
    "ridge report 'postgresql://?service=lab' --format csv  # a line for each cell\n";

Run setup_report(Flags& flags);

}  // namespace ridge::cli
