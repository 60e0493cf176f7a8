// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/run_filter_flags.h"

#include <fmt/format.h>

#include <chrono>

#include "base/number.h"
#include "cli/flags/document_options.h"
#include "runtime/paths.h"

namespace ridge::cli {
namespace {

/// Parses a date such as 2026-11-01 (UTC) to seconds since 1970. Throws InvalidOption.
std::int64_t day_of(const std::string& text) {
  const auto year = whole_number<int>(text.substr(0, 4));
  const bool dashes = text.size() == 10 && text[4] == '-' && text[7] == '-';
  const auto month = dashes ? whole_number<unsigned>(text.substr(5, 2)) : std::nullopt;
  const auto day = dashes ? whole_number<unsigned>(text.substr(8, 2)) : std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(year.value_or(0)),
                                         std::chrono::month(month.value_or(0)),
                                         std::chrono::day(day.value_or(0))};
  if (!date.ok())
    throw InvalidOption(usage_error("RIDGE-CLI-0035", fmt::format("invalid date '{}'", text))
                            .hint("write the date as 2026-11-01"));
  return std::chrono::seconds(std::chrono::sys_days(date).time_since_epoch()).count();
}

}  // namespace

void add_run_filter(Flags& flags, store::RunFilter& only, std::string_view prefix) {
  constexpr std::int64_t kDay = 86'400;
  const auto help = [&](std::string_view text) { return fmt::format("{}{}", prefix, text); };
  flags.add("--model", only.model, help("only runs of models with this in their path"));
  flags.add("--runtime,--runtimes", only.runtimes, help("only runs in these runtimes: ort"))
      .separator(',');
  flags.add("--threads", only.threads, help("only runs with these thread counts: 1,2"))
      .separator(',');
  flags.add("--host", only.host, help("only runs of hosts with this in their name"));
  flags.add_function(
      "--since", [&only](const std::string& text) { only.since_s = day_of(text); },
      help("only runs of that day (UTC) and later: 2026-11-01"));
  flags.add_function(
      "--until", [&only](const std::string& text) { only.before_s = day_of(text) + kDay; },
      help("only runs of that day (UTC) and earlier"));
}

std::string runtime_title(const std::string& name) {
  const runtime::KnownRuntime* known = runtime::known_runtime(name);
  return known ? std::string(known->title) : name;
}

store::RunFilter with_runtime_titles(store::RunFilter only) {
  const std::vector<std::string> names = only.runtimes;
  for (const std::string& name : names) only.runtimes.push_back(runtime_title(name));
  return only;
}

}  // namespace ridge::cli
