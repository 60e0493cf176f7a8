// SPDX-License-Identifier: Apache-2.0
// A recorded trace of arrivals as CSV: one query a line.
//
//   timestamp_s,sample          or     1200
//   0.0,17                             450300
//   0.0125,4                           980000
//
// The first line may be a header. Its column of moments (csv_field.h: "time_ms", "arrival_s", or a
// first column with a unit) ends in "_ns", "_us", "_ms" or "_s", which gives the unit (seconds for
// "time" or "timestamp"); a column "sample" or "index" gives the
// sample of each query, other columns are ignored. Without a header the time is first: seconds if
// the time of the first line has a decimal point or an exponent, else nanoseconds, all whole
// numbers, and a second column is the sample. Times are ascending and become nanoseconds by decimal
// arithmetic, digits below 1 ns cut. Blank lines and lines that start with '#' are skipped.
//
// Hostile text is safe: at most 256 MiB, 10^7 queries, lines of 4 KiB, times up to 10^9 s. Errors:
// input class, RIDGE-SCEN-0010, with the line. Thread rule: pure. Cost: linear; 12 bytes a query.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ridge::scenario {

struct Trace {
  std::vector<std::int64_t> times_ns;
  std::vector<std::uint32_t> samples;  ///< one per query; empty if the file has none
};

Result<Trace> read_trace(std::string_view text);

}  // namespace ridge::scenario
