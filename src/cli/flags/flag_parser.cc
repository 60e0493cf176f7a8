// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/flag_parser.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>

#include "base/number.h"
#include "base/text.h"

namespace ridge::cli {
namespace {

/// Reason why a number is refused; "" for a positive one. CLI11's own names the largest double.
std::string not_positive(const std::string& text) {
  const auto number = finite_number(text);
  return number && *number > 0 ? "" : fmt::format("'{}' is not a number above 0", printable(text));
}

/// Reason why a number of 64 bits is refused: CLI11 takes the largest there is for a larger one,
/// and documents have signed numbers.
std::string too_large(const std::string& text) {
  const std::size_t digits = text.find_first_not_of("0123456789", text.starts_with('-') ? 1 : 0);
  if (digits != std::string::npos || text.size() < 2 || whole_number<std::int64_t>(text)) return "";
  return fmt::format("'{}' does not fit into 64 bits", shorten(printable(text), 40));
}

bool has_64_bits(const Flag::Target& target) {
  return std::holds_alternative<std::int64_t*>(target) ||
         std::holds_alternative<std::uint64_t*>(target) ||
         std::holds_alternative<std::optional<std::uint64_t>*>(target);
}

CLI::Option* option_of(CLI::App& app, Flag& row) {
  return std::visit(
      [&](auto& target) -> CLI::Option* {
        using T = std::remove_cvref_t<decltype(target)>;
        if constexpr (std::is_same_v<T, bool*>)
          return app.add_flag(row.names, *target, row.help);
        else if constexpr (std::is_same_v<T, std::function<void()>>)
          return app.add_flag_callback(row.names, target, row.help);
        else if constexpr (std::is_same_v<T, std::function<void(const std::string&)>>)
          return app.add_option_function<std::string>(row.names, target, row.help);
        else
          return app.add_option(row.names, *target, row.help);
      },
      row.target);
}

void add_option(CLI::App& app, Flag& row) {
  CLI::Option* option = option_of(app, row);
  if (!row.heading.empty()) option->group(row.heading);
  if (row.is_required) option->required();
  if (row.times) option->expected(row.times->first, row.times->second);
  if (!row.fallback.empty()) option->default_str(row.fallback);
  if (row.takes_one) option->allow_extra_args(false);
  if (row.delimiter != '\0') option->delimiter(row.delimiter);
  if (!row.values.empty()) option->check(CLI::IsMember(row.values));
  if (row.bounds) option->check(CLI::Range(row.bounds->first, row.bounds->second));
  if (has_64_bits(row.target)) option->check(CLI::Validator(too_large, ""));
  if (row.is_positive) option->check(CLI::Validator(not_positive, "POSITIVE"));
  if (row.check) option->transform(CLI::Validator(row.check, row.check_name));
  if (!row.shown.empty()) option->option_text(row.shown);
}

std::vector<CLI::Option*> add_all(CLI::App& app, Flags& flags) {
  for (Flag& row : flags.rows()) add_option(app, row);
  return app.get_options({});
}

}  // namespace

Parsed parse(Flags& flags, std::vector<std::string> arguments) {
  CLI::App app;
  const std::vector<CLI::Option*> options = add_all(app, flags);
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 expects
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::CallForHelp&) {
    return {.wants_help = true};
  } catch (const CLI::ParseError& error) {
    return {.error = error.what()};
  }
  // The help flag is the first option.
  for (std::size_t i = 0; i < flags.rows().size(); ++i)
    flags.rows()[i].given = options[i + 1]->count();
  flags.run_after();
  return {};
}

std::string help_text(Flags& flags, const std::string& command) {
  CLI::App app{"", command};
  add_all(app, flags);
  return app.help();
}

}  // namespace ridge::cli
