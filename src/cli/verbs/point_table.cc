// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/point_table.h"

#include "base/text.h"

namespace ridge::cli {

std::string point_table(const std::string& shared, const exports::Table& table,
                        const std::vector<std::string>& notes, TableForm form) {
  const bool markdown = form == TableForm::kMarkdown;
  std::string out = (shared.empty() ? "" : "all points: " + shared + "\n\n") +
                    (markdown ? table.markdown() : table.text());
  if (markdown && !notes.empty()) out += "\n";
  for (const std::string& note : notes)
    out += (markdown ? "- note: " : "note: ") + printable(note) + "\n";
  return out;
}

}  // namespace ridge::cli
