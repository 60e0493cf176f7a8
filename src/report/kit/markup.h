// SPDX-License-Identifier: Apache-2.0
// Small pieces of HTML that the report's sections share. Text parameters are escaped here; `markup`
// parameters are trusted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::report {

/// Table cell that shows `text` and sorts by `value`; nullopt sorts as the smallest value.
std::string number_cell(std::optional<double> value, std::string_view text);
std::string text_cell(std::string_view text);
/// Bar with a width of `share` times `pixels`; the share is clamped to 0..1.
std::string bar(double share, double pixels);
/// Head of a table's column, which a click sorts by; the numbers' head stands at the right.
std::string column(std::string_view title, bool number);
/// Tile with a figure and its description below.
std::string tile(std::string_view figure, std::string_view what);
/// Term and text of a <dl>.
std::string entry(std::string_view term, std::string_view text);

/// Row of a collapsible tree. All members are trusted markup.
struct TreeRow {
  std::size_t depth = 0;   ///< at most one more than in the previous row
  std::string line;        ///< <span>s, the first one of class "path"
  std::string inside;      ///< shown in the expanded row before its children
  std::string attributes;  ///< attributes of its <li>: ` id="group-7"`
  bool open = false;
};
/// Rows in preorder as nested lists: <ul class="tree …">. Collapsible without scripts. Iterative:
/// an untrusted name may nest thousands of levels deep.
std::string tree(const std::vector<TreeRow>& rows, std::string_view classes = "");

enum class Folded : std::uint8_t { kOpen, kClosed };
/// Chart with a caption that folds it away.
std::string figure(std::string_view caption, std::string_view markup, Folded folded);

/// Box that scrolls where its content is wider than the page.
std::string scrolled(std::string_view markup);
/// <section> with a heading.
std::string section(std::string_view heading, std::string_view markup);

}  // namespace ridge::report
