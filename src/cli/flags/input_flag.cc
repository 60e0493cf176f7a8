// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/input_flag.h"

#include <fmt/format.h>

#include "cli/flags/name_value.h"
#include "runtime/inputs/literal.h"

namespace ridge::cli {

void add_input_flag(Flags& flags, std::vector<std::string>& inputs) {
  flags
      .add("--input", inputs,
           "data of an input: name=FILE, a .npy or .pb, or name=VALUE: 5, 1,2,3 or [[1,2],[3,4]]; "
           "repeatable")
      .single();
}

Result<std::map<std::string, std::string>> input_sources(const std::vector<std::string>& inputs) {
  std::map<std::string, std::string> out;
  for (const std::string& text : inputs) {
    auto [name, source] = TRY(name_and_value(text, "--input"));
    const auto wrong = [&, &name = name](std::string_view why) {
      return usage_error("RIDGE-CLI-0106", fmt::format("--input {}: {}", text, why))
          .hint(fmt::format("write --input {0}=FILE.npy, or --input {0}=5", name));
    };
    if (source.empty()) return wrong("a file or a value is missing");
    TRY_IN(fmt::format("input '{}'", name), runtime::parse_literal(source));
    if (!out.try_emplace(name, source).second) return wrong("this input is given twice");
  }
  return out;
}

}  // namespace ridge::cli
