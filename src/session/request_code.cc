// SPDX-License-Identifier: Apache-2.0
#include "session/request_code.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/list.h"
#include "base/text.h"
#include "runtime/paths.h"
#include "runtime/read_options.h"

namespace ridge::session {
namespace {

struct CodeField {
  std::string_view name;
  bool (*is_code)(std::string_view value);
};

/// "runtimes" is another spelling of "runtime".
constexpr CodeField kCodeFields[] = {
    {"runtime", runtime::is_plugin_path},
    {"runtimes", runtime::is_plugin_path},
    {"runtime-library", [](std::string_view) { return true; }},
};
constexpr std::string_view kOptions = "runtime-option";

std::string as_flag(std::string_view field) {
  std::string out(field);
  std::ranges::replace(out, '_', '-');
  return out;
}

}  // namespace

bool names_code(std::string_view field, std::string_view value) {
  const auto* const known = std::ranges::find(kCodeFields, as_flag(field), &CodeField::name);
  return known != std::end(kCodeFields) && known->is_code(value);
}

Result<void> refuse_code(std::string_view field, std::span<const std::string> values) {
  for (const std::string& value : values)
    for (const std::string_view part : split(value, ","))
      if (names_code(field, part))
        return input_error("RIDGE-WB-0395",
                           fmt::format("no request decides '{}': it says which code is loaded",
                                       printable(field)))
            .hint("leave it out, and state it on the command line");
  if (as_flag(field) != kOptions) return {};
  for (const std::string& option : values)
    TRY(runtime::check_read_option(std::string_view(option).substr(0, option.find('='))));
  return {};
}

}  // namespace ridge::session
