#include "cli/flag_table.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <utility>
#include <vector>

#include "export/table.h"

namespace ridge::cli {
namespace {

/// Names of an option: "-o, --output".
std::string names_of(const CLI::Option& option) {
  std::string out;
  for (const std::string& name : option.get_snames()) out += fmt::format("-{}, ", name);
  for (const std::string& name : option.get_lnames()) out += fmt::format("--{}, ", name);
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
    CLI::App app;
    const Run run = verb.setup(app);
    for (const CLI::Option* option : app.get_options({})) {
      if (option->get_lnames().empty() || option->get_lnames().front() == "help") continue;
      Row& row = rows[{option->get_lnames().front(), option->get_description()}];
      row.names = names_of(*option);
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
