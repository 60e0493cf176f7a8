// Small pieces of HTML that the report's sections share. Text parameters are escaped here; `markup`
// ones are trusted.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::report {

/// A cell that sorts by `value` (nothing: sorts last) and shows `text`.
std::string number_cell(std::optional<double> value, std::string_view text);
std::string text_cell(std::string_view text);
/// A bar as wide as `share` of `pixels`.
std::string bar(double share, double pixels);
/// A figure with what it means below.
std::string tile(std::string_view figure, std::string_view what);
/// A term of a <dl>.
std::string entry(std::string_view term, std::string_view text);

/// A row of a tree that folds: what stands in its line, and what opens below it before its
/// children. Markup is trusted.
struct TreeRow {
  std::size_t depth = 0;  ///< at most one more than that of the row before
  std::string line;       ///< <span>s, the first of class "path"
  std::string inside;
  std::string attributes;  ///< of its <li>: ` id="group-7"`
  bool open = false;
};
/// Rows in preorder as nested lists: <ul class="tree …">. Folds without scripts. Iterative: a
/// hostile name may nest thousands deep.
std::string tree(const std::vector<TreeRow>& rows, std::string_view classes = "");

/// A box of its own, which scrolls where its content is wider than the page.
std::string scrolled(std::string_view markup);
/// <section> with a heading.
std::string section(std::string_view heading, std::string_view markup);
/// The frame of a page: head, style, the given body, script.
std::string page(std::string_view title, std::string_view markup);

/// What every page ends with.
inline constexpr std::string_view kFooter =
    "<footer>Times are measured, roofs are measured, counts follow from the model's shapes. Made "
    "by ridge.</footer>\n";

}  // namespace ridge::report
