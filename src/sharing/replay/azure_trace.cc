// SPDX-License-Identifier: Apache-2.0
#include "sharing/replay/azure_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/csv.h"
#include "base/lines.h"
#include "base/number.h"
#include "base/text.h"
#include "base/trim.h"
#include "scenario/csv_field.h"

namespace ridge::sharing {
namespace {

constexpr std::size_t kLongestAzureLine = std::size_t{64} << 10, kLongestFunction = 1024;
constexpr std::size_t kNamesOfMinutes = 4;  ///< columns before those of the minutes
constexpr std::size_t kMinutesOfDay = 1440;
constexpr std::int64_t kNanosOfMinute = 60'000'000'000;
constexpr std::uint32_t kMostInvocations = 100'000'000;  ///< limit of a function in a minute
constexpr int kDecimalsOfSeconds = 9;
constexpr std::int64_t kLongestRun = 1'000'000'000'000'000;  // 10^6 s

Error azure_fault(std::size_t line, std::size_t column, std::string message) {
  const std::string place =
      column == 0 ? fmt::format("line {}", line) : fmt::format("line {}, column {}", line, column);
  return input_error("RIDGE-SHARE-0201", std::move(message)).in(place);
}

std::string quoted(std::string_view field) {
  return fmt::format("'{}'", shorten(printable(field), 40));
}

Error too_large(std::size_t line, std::string message) {
  return input_error("RIDGE-SHARE-0202", std::move(message))
      .in(fmt::format("line {}", line))
      .hint("replay a share of the functions: --share 5%");
}

/// Number from 0 to 1, the same for a name in every file and on every machine: its hash (Fowler,
/// Noll and Vo; 64 bits), mixed by one step of a generator.
double place_of_name(std::string_view name, std::uint64_t seed) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return stats::Random(hash ^ seed).uniform();
}

}  // namespace

Result<void> AzureTraceReader::add(std::string_view text) {
  if (std::cmp_greater(text.size(), kMostTraceBytes))
    return azure_fault(
        1, 0, fmt::format("the trace has {} bytes, the limit is {}", text.size(), kMostTraceBytes));
  first_minute_ += static_cast<std::int64_t>(minutes_);
  minutes_ = 0;
  bool begun = false;
  for (Lines lines(text); lines.next();) {
    const Line line{trimmed(lines.line()), lines.number()};
    if (lines.line().size() > kLongestAzureLine)
      return azure_fault(line.number, 0,
                         fmt::format("the line has {} bytes, the limit is {}", lines.line().size(),
                                     kLongestAzureLine));
    if (line.text.empty()) continue;
    if (!begun) {
      TRY(read_header(line));
      begun = true;
    } else if (form_ == Form::kMinutes) {
      TRY(read_minutes(line));
    } else {
      TRY(read_invocation(line));
    }
  }
  return {};
}

Result<void> AzureTraceReader::read_header(const Line& line) {
  const std::vector<std::string_view> names = csv_fields(line.text);
  const bool minutes = names.size() > kNamesOfMinutes && names[0] == "HashOwner" &&
                       names[1] == "HashApp" && names[2] == "HashFunction" && names[3] == "Trigger";
  const bool invocations = names.size() == 4 && names[0] == "app" && names[1] == "func" &&
                           names[2] == "end_timestamp" && names[3] == "duration";
  if (!minutes && !invocations)
    return azure_fault(line.number, 1, fmt::format("{} begins no known header", quoted(names[0])))
        .hint(
            "the traces of Azure Functions begin with HashOwner,HashApp,HashFunction,Trigger,1,... "
            "(2019) or app,func,end_timestamp,duration (2021)");
  const Form form = minutes ? Form::kMinutes : Form::kInvocations;
  if (form_ && *form_ != form)
    return azure_fault(line.number, 1, "the files before have the other form of these traces")
        .hint("replay them apart");
  form_ = form;
  if (invocations) return {};
  minutes_ = names.size() - kNamesOfMinutes;
  if (minutes_ > kMinutesOfDay)
    return azure_fault(line.number, names.size(),
                       fmt::format("{} minutes, a day has {}", minutes_, kMinutesOfDay));
  for (std::size_t i = 0; i < minutes_; ++i)
    if (const std::string_view name = names[kNamesOfMinutes + i];
        whole_number<std::size_t>(name) != i + 1)
      return azure_fault(line.number, kNamesOfMinutes + i + 1,
                         fmt::format("{} is not minute {}", quoted(name), i + 1));
  return {};
}

Result<std::optional<std::uint32_t>> AzureTraceReader::model_of(const Line& line,
                                                                std::string name) {
  if (name.size() > kLongestFunction)
    return azure_fault(
        line.number, 1,
        fmt::format("the names have {} bytes, the limit is {}", name.size(), kLongestFunction));
  if (options_.share < 1 && place_of_name(name, options_.seed) >= options_.share)
    return std::optional<std::uint32_t>();
  const auto [at, fresh] =
      numbers_.try_emplace(std::move(name), static_cast<std::uint32_t>(trace_.models.size()));
  if (!fresh) return std::optional(at->second);
  if (trace_.models.size() == kMostModels)
    return too_large(line.number, fmt::format("more than {} functions", kMostModels));
  trace_.models.push_back(at->first);
  return std::optional(at->second);
}

Error AzureTraceReader::too_many(const Line& line) const {
  return too_large(line.number, fmt::format("more than {} requests", options_.most_requests));
}

Result<void> AzureTraceReader::add_requests(const Line& line, std::int64_t minute,
                                            std::uint32_t count, std::uint32_t model) {
  if (count > options_.most_requests - trace_.requests.size()) return too_many(line);
  for (std::uint32_t i = 0; i < count; ++i) {
    const double within = random_.uniform() * static_cast<double>(kNanosOfMinute);
    trace_.requests.push_back(
        {.at_ns = minute * kNanosOfMinute + static_cast<std::int64_t>(within), .model = model});
  }
  return {};
}

Result<void> AzureTraceReader::read_minutes(const Line& line) {
  const std::vector<std::string_view> fields = csv_fields(line.text);
  if (fields.size() != kNamesOfMinutes + minutes_)
    return azure_fault(line.number, std::min(fields.size(), kNamesOfMinutes + minutes_ + 1),
                       fmt::format("the line has {} fields, its header {}", fields.size(),
                                   kNamesOfMinutes + minutes_));
  const auto model = TRY(model_of(line, fmt::format("{}/{}/{}", fields[0], fields[1], fields[2])));
  for (std::size_t i = 0; i < minutes_; ++i) {
    const std::string_view field = fields[kNamesOfMinutes + i];
    const auto count = whole_number<std::uint32_t>(field);
    if (!count || *count > kMostInvocations)
      return azure_fault(line.number, kNamesOfMinutes + i + 1,
                         fmt::format("{} is no number of invocations from 0 to {}", quoted(field),
                                     kMostInvocations));
    if (model && *count > 0)
      TRY(add_requests(line, first_minute_ + static_cast<std::int64_t>(i), *count, *model));
  }
  return {};
}

Result<void> AzureTraceReader::read_invocation(const Line& line) {
  const std::vector<std::string_view> fields = csv_fields(line.text);
  if (fields.size() != 4)
    return azure_fault(line.number, std::min<std::size_t>(fields.size(), 5),
                       fmt::format("the line has {} fields, its header 4", fields.size()));
  const auto end = scenario::scaled_time(fields[2], kDecimalsOfSeconds);
  if (!end)
    return azure_fault(line.number, 3,
                       fmt::format("{} is no time from 0 to 10^9 seconds", quoted(fields[2])));
  const auto duration = scenario::scaled_time(fields[3], kDecimalsOfSeconds);
  if (!duration || *duration > kLongestRun)
    return azure_fault(line.number, 4,
                       fmt::format("{} is no duration from 0 to 10^6 seconds", quoted(fields[3])));
  const auto model = TRY(model_of(line, fmt::format("{}/{}", fields[0], fields[1])));
  if (!model) return {};
  if (trace_.requests.size() == options_.most_requests) return too_many(line);
  trace_.requests.push_back({.at_ns = *end - *duration, .run_ns = *duration, .model = *model});
  return {};
}

Result<Trace> AzureTraceReader::finish() && {
  if (trace_.requests.empty()) {
    Error none = input_error("RIDGE-SHARE-0201", "the trace has no invocation");
    if (options_.share < 1) return std::move(none).hint("replay a larger share of its functions");
    return std::move(none).hint("give a file with its header and a line for each function");
  }
  std::ranges::sort(trace_.requests, [](const Request& a, const Request& b) {
    return std::tie(a.at_ns, a.model, a.run_ns) < std::tie(b.at_ns, b.model, b.run_ns);
  });
  const std::int64_t first = trace_.requests.front().at_ns;
  for (Request& request : trace_.requests) request.at_ns -= first;
  return std::move(trace_);
}

}  // namespace ridge::sharing
