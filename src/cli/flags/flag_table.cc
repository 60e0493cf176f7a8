// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/flag_table.h"

#include <fmt/format.h>

#include <map>
#include <utility>
#include <vector>

#include "export/table.h"

namespace ridge::cli {
namespace {

/// Names of an option: "-o, --output".
std::string flag_names(const Flag& flag) {
  std::string out;
  for (const std::string& name : flag.short_names()) out += fmt::format("-{}, ", name);
  for (const std::string& name : flag.long_names()) out += fmt::format("--{}, ", name);
  out.resize(out.size() - 2);
  return out;
}

}  // namespace

std::string flag_table(std::span<const Verb> verbs) {
  using Key = std::pair<std::string, std::string>;  ///< long name, description
  struct Row {
    std::string names, verbs;
  };
  std::map<Key, Row> rows;
  for (const Verb& verb : verbs) {
    Flags flags;
    const Run run = set_up(verb, flags);
    for (const Flag& flag : flags.rows()) {
      const std::vector<std::string> names = flag.long_names();
      if (names.empty()) continue;
      Row& row = rows[{names.front(), flag.help}];
      row.names = flag_names(flag);
      row.verbs += (row.verbs.empty() ? "" : ", ") + std::string(verb.name);
    }
  }
  exports::Table table({{"flag"}, {"meaning"}, {"verbs"}});
  for (const auto& [key, row] : rows) table.add({row.names, key.second, row.verbs});
  return "# Flags\n\n<!-- Made by `ridge help flags` from src/cli; change that. -->\n\n"
         "What a flag means in which verb. Flags of one name and one meaning share a row.\n\n" +
         table.markdown();
}

}  // namespace ridge::cli
