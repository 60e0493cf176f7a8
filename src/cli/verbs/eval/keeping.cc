// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/eval/keeping.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/file.h"
#include "base/lines.h"
#include "base/toml.h"
#include "cli/flags/point_option.h"
#include "session/request_code.h"

namespace ridge::cli {
namespace {

/// Flags beside a lock: where things lie, and where results go.
constexpr std::array<std::string_view, 18> kBesideLock = {"lock",         "allow-differences",
                                                          "store",        "data",
                                                          "labels",       "runtime-library",
                                                          "format",       "output",
                                                          "report",       "queries",
                                                          "trace",        "trace-layers",
                                                          "mlperf-logs",  "save-outputs",
                                                          "show-answers", "registry",
                                                          "dry-run",      "point"};

/// Whether all its values name code, which a lock does not decide: --runtime ./mine.so.
bool names_code(const Flag& row) {
  const auto* values = std::get_if<std::vector<std::string>*>(&row.target);
  const std::vector<std::string> names = row.long_names();
  return values != nullptr && !names.empty() &&
         std::ranges::all_of(**values, [&](const std::string& value) {
           return session::names_code(names.front(), value);
         });
}

}  // namespace

void add_keeping_options(Flags& flags, KeepingOptions& options) {
  flags
      .add("--store", options.store,
           "run database: stored evaluations are skipped, new ones are added")
      .writes(Writes::kStore);
  flags.add("--dry-run", options.dry_run,
            "list the points with their keys and which are already stored; evaluate nothing");
  add_point_option(flags, options.points);
  flags
      .add("--lock", options.lock,
           "file with everything that the evaluation depends on: written where it does not exist, "
           "else repeated from")
      .writes(Writes::kNewFile)
      .shown_as("FILE");
  flags.add("--allow-differences", options.allow_differences,
            "evaluate although model, data, labels, steps, runtime or options are not those of "
            "--lock");
}

std::string stated_flag(const Flags& flags) {
  for (const Flag& row : flags.rows()) {
    const std::vector<std::string> names = row.long_names();
    if (row.given == 0 || names.empty()) continue;
    const bool beside = std::ranges::any_of(
        names, [](const std::string& name) { return std::ranges::count(kBesideLock, name) > 0; });
    if (!beside && !names_code(row)) return "--" + names.front();
  }
  return "";
}

Result<std::optional<manifest::Lock>> existing_lock(const KeepingOptions& options) {
  if (options.lock.empty() || !file_exists(options.lock)) return std::optional<manifest::Lock>();
  const std::string text = TRY(read_text_file(options.lock, kMaxTomlBytes));
  Result<manifest::Lock> lock = manifest::read_lock(text);
  if (!lock.ok()) return std::move(lock).error().in_file(options.lock);
  return std::optional(std::move(*lock));
}

Result<std::optional<Output>> new_lock(const KeepingOptions& options, Console& console) {
  if (options.lock.empty() || file_exists(options.lock)) return std::optional<Output>();
  return std::optional(TRY(Output::open(options.lock, console)));
}

}  // namespace ridge::cli
