// SPDX-License-Identifier: Apache-2.0
#include "report/kit/markup.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace ridge::report {

std::string number_cell(std::optional<double> value, std::string_view text) {
  return fmt::format("<td class=\"n\" data-v=\"{}\">{}</td>",
                     value ? fmt::format("{:.9g}", *value) : "", html_escape(text));
}

std::string text_cell(std::string_view text) {
  std::string escaped = html_escape(text);
  // Break lines of a path after a slash rather than inside a word.
  for (std::size_t at = 0; (at = escaped.find('/', at)) != std::string::npos;)
    escaped.insert(++at, "<wbr>");
  return fmt::format("<td class=\"name\">{}</td>", escaped);
}

std::string bar(double share, double pixels) {
  return fmt::format("<span class=\"bar\" style=\"width:{:.0f}px\"></span>",
                     std::clamp(share, 0.0, 1.0) * pixels);
}

std::string column(std::string_view title, bool number) {
  return number ? fmt::format("<th class=\"n\" data-sort=\"number\">{}</th>", html_escape(title))
                : fmt::format("<th data-sort=\"text\">{}</th>", html_escape(title));
}

std::string tile(std::string_view figure, std::string_view what) {
  return fmt::format("<div class=\"tile\"><b>{}</b><span>{}</span></div>\n", html_escape(figure),
                     html_escape(what));
}

std::string entry(std::string_view term, std::string_view text) {
  return fmt::format("<dt>{}</dt><dd>{}</dd>\n", html_escape(term), html_escape(text));
}

std::string tree(const std::vector<TreeRow>& rows, std::string_view classes) {
  std::string out = fmt::format("<ul class=\"tree{}{}\">\n", classes.empty() ? "" : " ", classes);
  std::size_t open = 0;  // open lists of children
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const TreeRow& row = rows[i];
    for (; open > row.depth; --open) out += "</ul></details></li>\n";
    const bool parent = i + 1 < rows.size() && rows[i + 1].depth > row.depth;
    out += fmt::format("<li{}>", row.attributes);
    if (!parent && row.inside.empty()) {
      out += "<div class=\"leaf\">" + row.line + "</div></li>\n";
      continue;
    }
    out += fmt::format("<details{}><summary>{}</summary>", row.open ? " open" : "", row.line);
    out += row.inside;
    out += parent ? "<ul>\n" : "</details></li>\n";
    open += parent ? 1 : 0;
  }
  for (; open > 0; --open) out += "</ul></details></li>\n";
  return out + "</ul>\n";
}

std::string figure(std::string_view caption, std::string_view markup, Folded folded) {
  return fmt::format("<details class=\"figure\"{}><summary>{}</summary>{}</details>\n",
                     folded == Folded::kOpen ? " open" : "", html_escape(caption), markup);
}

std::string scrolled(std::string_view markup) {
  return fmt::format("<div class=\"scroll\">{}</div>\n", markup);
}

std::string section(std::string_view heading, std::string_view markup) {
  return fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", html_escape(heading), markup);
}

}  // namespace ridge::report
