// SPDX-License-Identifier: Apache-2.0
// The table of layers that trtexec --dumpProfile prints, as people paste it from a console:
//
//   [07/10/2023-17:19:31] [I] === Profile (10 iterations ) ===
//   [07/10/2023-17:19:31] [I]    Time(ms)     Avg.(ms)   Median(ms)   Time(%)   Layer
//   [07/10/2023-17:19:31] [I]        0.10       0.0100       0.0100       5.0   conv1 + relu1
//   [07/10/2023-17:19:31] [I]        2.00       0.2000       0.2000     100.0   Total
//
// Versions before 8.6 print the layer first and other titles: columns are found by their titles.
// The beginnings of lines (date, severity) may be missing. Of several tables the last is read.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ridge::imports {

struct ConsoleRow {
  std::string_view name;
  std::optional<std::int64_t> median_ns, mean_ns, sum_ns;  ///< as far as the table has them
};

struct ConsoleTable {
  std::vector<ConsoleRow> rows;
  std::int64_t runs = 0;  ///< iterations; 0: not pasted
  std::int64_t tables = 0, unreadable = 0;
  bool ended = false;  ///< it has its row "Total"
};

/// True for the beginning of a log of trtexec, or of a table out of it.
bool is_console_log(std::string_view beginning);

/// No rows: the log has no table of layers.
ConsoleTable read_console(std::string_view text);

}  // namespace ridge::imports
