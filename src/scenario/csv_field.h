// SPDX-License-Identifier: Apache-2.0
// Columns of traces in CSV (base/csv.h) by their names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ridge::scenario {

/// A column's name in small letters, without spaces and underscores: "prompttokens" for
/// "Prompt_Tokens".
std::string csv_name(std::string_view name);

/// Digits of a column's times down to a nanosecond: 9 for "time", "arrival" or "sent_s", 6 for
/// "sent_ms", 0 for "ns"; nullopt for a column that is not of times.
std::optional<int> time_decimals(std::string_view name);

/// The column of a header that has the due times of queries, and its digits down to a nanosecond.
struct TimeColumn {
  std::size_t index = 0;
  int decimals = 9;
};

/// The first that is named as moments are (time, timestamp, arrival, sent, start, scheduled or
/// moment, with or without a unit); else the first column, if its name ends in a unit of time.
/// Others with a unit are durations. nullopt: none.
std::optional<TimeColumn> time_column(std::string_view header);

/// `text` x 10^decimals: the nanoseconds of a time, digits below 1 ns cut. nullopt if that is no
/// number from 0 to 10^9 s. Forms: "12", "12.5", "1.25e-3".
std::optional<std::int64_t> scaled_time(std::string_view text, int decimals);

}  // namespace ridge::scenario
