#include "cli/point_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "profile/summary.h"

namespace ridge::cli {

void add_input_notes(const std::string& source, const profile::Profile& profile,
                     std::vector<std::string>& notes) {
  for (const std::string& note : profile::input_notes(profile))
    if (std::string text = fmt::format("{}: {}", source, note); !std::ranges::count(notes, text))
      notes.push_back(std::move(text));
}

std::string point_table(const std::string& shared, const exports::Table& table,
                        const std::vector<std::string>& notes, std::string_view format) {
  const bool markdown = format == "md";
  std::string out = (shared.empty() ? "" : "all points: " + shared + "\n\n") +
                    (markdown ? table.markdown() : table.text());
  if (markdown && !notes.empty()) out += "\n";
  for (const std::string& note : notes)
    out += (markdown ? "- note: " : "note: ") + printable(note) + "\n";
  return out;
}

}  // namespace ridge::cli
