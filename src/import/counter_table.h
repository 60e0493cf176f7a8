// SPDX-License-Identifier: Apache-2.0
// Tables of OpenVINO's performance counters: columns, units and separators by their header.
//
//   layerName;execStatus;layerType;execType;numaId;realTime (ms);cpuTime (ms)
//
// Columns may stand in any order, beside others. Cells are separated by ';', ',' or tabs, and may
// be quoted as in RFC 4180. Where ',' does not separate cells it may be the decimal mark, as
// spreadsheets of many countries write it.
//
//   const CounterColumns columns = TRY(counter_columns(header));
//   const std::optional<CounterCells> cells = columns.cells(line, store);
//   columns.nanos((*cells)[kReal])
//
// Thread rule: plain functions. Errors (input class): RIDGE-IMP-0024.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ridge::imports {

enum CounterColumn : std::uint8_t { kName, kStatus, kType, kKernel, kReal, kCounterColumns };

/// Cells of one layer's row.
using CounterCells = std::array<std::string_view, kCounterColumns>;

class CounterColumns {
 public:
  /// Cells of a row; nullopt if it has other cells than the header. Cells of which quotes were
  /// removed point into `store`.
  std::optional<CounterCells> cells(std::string_view line, std::deque<std::string>& store) const;
  /// A time in the unit of the header; nullopt if it is no number.
  std::optional<std::int64_t> nanos(std::string_view cell) const;

 private:
  friend Result<CounterColumns> counter_columns(std::string_view header);

  char separator_ = ';';
  std::size_t width_ = 0;
  std::array<std::size_t, kCounterColumns> at_{};
  std::int64_t nanos_per_unit_ = 0;
};

/// True if one of the line's cells is "layerName".
bool is_counter_header(std::string_view line);

Result<CounterColumns> counter_columns(std::string_view header);

}  // namespace ridge::imports
