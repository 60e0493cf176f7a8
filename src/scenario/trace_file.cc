// SPDX-License-Identifier: Apache-2.0
#include "scenario/trace_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/csv.h"
#include "base/lines.h"
#include "base/number.h"
#include "base/text.h"
#include "base/trim.h"
#include "scenario/csv_field.h"

namespace ridge::scenario {
namespace {

constexpr std::size_t kMaxTraceBytes = std::size_t{256} << 20, kLongestTraceLine = 4096;
constexpr std::size_t kMaxQueries = 10'000'000;
constexpr std::size_t kNoTraceColumn = static_cast<std::size_t>(-1);

/// How the lines are to be read.
struct TraceColumns {
  int decimals = 9;  ///< digits of a time down to a nanosecond: 9 for seconds
  std::size_t time = 0;
  std::size_t sample = kNoTraceColumn;
  bool named = false;  ///< by a header
};

Error fault_in_trace(std::size_t line, std::string message) {
  return input_error("RIDGE-SCEN-0010", std::move(message)).in(fmt::format("line {}", line));
}

Result<TraceColumns> read_trace_header(std::string_view line, std::size_t number) {
  TraceColumns columns;
  const std::optional<TimeColumn> time = time_column(line);
  if (!time)
    return fault_in_trace(
               number, fmt::format("'{}' names no column of times", shorten(printable(line), 40)))
        .hint("name it time_s, time_ms, time_us or time_ns");
  columns.decimals = time->decimals;
  columns.time = time->index;
  columns.named = true;
  const auto count = static_cast<std::size_t>(std::count(line.begin(), line.end(), ',')) + 1;
  for (std::size_t i = 0; i < count && columns.sample == kNoTraceColumn; ++i)
    if (const std::string_view name = csv_text(line, i); name == "sample" || name == "index")
      columns.sample = i;
  return columns;
}

TraceColumns without_header(std::string_view line) {
  const bool fraction = csv_text(line, 0).find_first_of(".eE") != std::string_view::npos;
  const bool second = line.find(',') != std::string_view::npos;
  return {.decimals = fraction ? 9 : 0, .sample = second ? 1 : kNoTraceColumn};
}

Result<void> read_query(std::string_view line, std::size_t number, const TraceColumns& columns,
                        Trace& trace) {
  if (trace.times_ns.size() == kMaxQueries)
    return fault_in_trace(number, fmt::format("more than {} queries", kMaxQueries));
  const std::string_view time = csv_text(line, columns.time);
  if (!columns.named && columns.decimals == 0 &&
      time.find_first_of(".eE") != std::string_view::npos)
    return fault_in_trace(
               number, fmt::format("'{}' is no whole number, but the times above are nanoseconds",
                                   shorten(printable(time), 40)))
        .hint("begin with a line that names the unit: time_s, time_ms, time_us or time_ns");
  const std::optional<std::int64_t> ns = scaled_time(time, columns.decimals);
  if (!ns)
    return fault_in_trace(number, fmt::format("'{}' is no time from 0 to 10^9 seconds",
                                              shorten(printable(time), 40)));
  if (!trace.times_ns.empty() && *ns < trace.times_ns.back())
    return fault_in_trace(number, "the time is before that of the query above")
        .hint("sort the lines");
  trace.times_ns.push_back(*ns);
  if (columns.sample == kNoTraceColumn) return {};
  const std::string_view sample = csv_text(line, columns.sample);
  std::uint32_t index = 0;
  const auto [end, problem] = std::from_chars(sample.data(), sample.data() + sample.size(), index);
  if (sample.empty() || problem != std::errc() || end != sample.data() + sample.size())
    return fault_in_trace(
        number, fmt::format("'{}' is no index of a sample", shorten(printable(sample), 40)));
  trace.samples.push_back(index);
  return {};
}

}  // namespace

Result<Trace> read_trace(std::string_view text) {
  if (text.size() > kMaxTraceBytes)
    return input_error("RIDGE-SCEN-0010", fmt::format("the trace has {} bytes, the limit is {}",
                                                      text.size(), kMaxTraceBytes));
  Trace trace;
  std::optional<TraceColumns> columns;
  for (Lines lines(text); lines.next();) {
    const std::string_view line = trimmed(lines.line());
    const std::size_t number = lines.number(), bytes = lines.line().size();
    if (bytes > kLongestTraceLine)
      return fault_in_trace(
          number, fmt::format("the line has {} bytes, the limit is {}", bytes, kLongestTraceLine));
    if (line.empty() || line.front() == '#') continue;
    if (!columns) {
      const std::string_view first = csv_text(line, 0);
      if (!first.empty() && !is_digit(first.front()) && first.front() != '.') {
        columns = TRY(read_trace_header(line, number));
        continue;
      }
      columns = without_header(line);
    }
    TRY(read_query(line, number, *columns, trace));
  }
  if (trace.times_ns.empty())
    return input_error("RIDGE-SCEN-0010", "the trace has no queries")
        .hint("give one line per query, its time in seconds first");
  return trace;
}

}  // namespace ridge::scenario
