// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "base/text.h"
#include "lab/grid/figures.h"
#include "lab/grid/text.h"

namespace ridge::lab {
namespace {

std::string_view escaped_ascii(char c) {
  switch (c) {
    case '\\':
      return "\\textbackslash{}";
    case '{':
      return "\\{";
    case '}':
      return "\\}";
    case '$':
      return "\\$";
    case '&':
      return "\\&";
    case '#':
      return "\\#";
    case '_':
      return "\\_";
    case '%':
      return "\\%";
    case '^':
      return "\\textasciicircum{}";
    case '~':
      return "\\textasciitilde{}";
    case '<':
      return "\\textless{}";
    case '>':
      return "\\textgreater{}";
    case '|':
      return "\\textbar{}";
    case '"':
      return "\\char34{}";
    case '\'':
      return "\\textquotesingle{}";
    case '`':
      return "\\textasciigrave{}";
    case '-':  // two of them would be a dash
      return "-{}";
    case '[':  // at the beginning of a row it would be an argument of the \\ before it
      return "{[}";
    case ']':
      return "{]}";
    case '*':
      return "{*}";
    default:
      return {};
  }
}

/// Bytes of the UTF-8 character that begins so.
std::size_t length_of(unsigned char first) {
  return first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

std::uint32_t code_point(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return first;
  std::uint32_t out = first & (0xffU >> (character.size() + 1));
  for (const char c : character.substr(1)) out = out << 6 | (static_cast<unsigned char>(c) & 0x3fU);
  return out;
}

/// Letters of Latin-1 that the default encoding of LaTeX has.
bool has_glyph(std::uint32_t code) {
  return code >= 0xc0 && code <= 0xff && code != 0xd0 && code != 0xde && code != 0xf0 &&
         code != 0xfe && code != 0xd7 && code != 0xf7;
}

/// The value, and below it, smaller, its interval and what stands behind it.
std::string latex_cell(const GridFigure& figure, const GridCell* cell) {
  std::string out = latex_escape(value_text(figure, cell));
  if (out == kNotKnown) return out;
  for (const std::string& line : {interval_text(figure, cell), figure.detail(*cell)})
    if (!line.empty()) out += " \\\\ {\\footnotesize " + latex_escape(line) + "}";
  return "\\shortstack[r]{" + out + "}";
}

std::string latex_head(std::string_view title, std::string_view columns) {
  return fmt::format(
      "\\begin{{table}}[htbp]\n\\centering\n\\caption{{{}}}\n\\begin{{tabular}}{{{}}}\n\\toprule\n",
      title, columns);
}

constexpr std::string_view kFoot = "\\bottomrule\n\\end{tabular}\n\\end{table}\n\n";

std::string latex_figure(const Grid& grid, const GridFigure& figure) {
  std::string title = fmt::format("{}: {}", figure.title, figure.meaning);
  if (figure.estimate == &GridCell::speed_up) title += fmt::format("; base: {}", grid.base);
  std::string out = latex_head(latex_escape(title), "l" + std::string(grid.columns.size(), 'r'));
  for (const std::string& column : grid.columns) out += " & " + latex_escape(column);
  out += " \\\\\n\\midrule\n";
  for (std::size_t row = 0; row < grid.rows.size(); ++row) {
    out += latex_escape(grid.rows[row]);
    for (std::size_t column = 0; column < grid.columns.size(); ++column)
      out += " & " + latex_cell(figure, grid.at(row, column));
    out += " \\\\\n\\addlinespace\n";
  }
  return out + std::string(kFoot);
}

std::string latex_measured(const Grid& grid) {
  std::string out = latex_head("what was measured", "llll");
  out += " & & setting & measured \\\\\n\\midrule\n";
  for (const GridCell& cell : grid.cells)
    out += fmt::format("{} & {} & {} & {} \\\\\n", latex_escape(grid.rows[cell.row]),
                       latex_escape(grid.columns[cell.column]), latex_escape(cell.setting),
                       latex_escape(counts_text(cell)));
  return out + std::string(kFoot);
}

}  // namespace

std::string latex_escape(std::string_view text) {
  const std::string safe = printable(text);
  std::string out;
  for (std::size_t at = 0; at < safe.size();) {
    const std::size_t length = length_of(static_cast<unsigned char>(safe[at]));
    const std::string_view character = std::string_view(safe).substr(at, length);
    at += length;
    const std::uint32_t code = code_point(character);
    if (character == "µ" || character == "μ")
      out += "\\textmu{}";
    else if (code >= 0x80 && !has_glyph(code))
      out += fmt::format("U+{:04X}", code);
    else if (const std::string_view escaped = escaped_ascii(character[0]); !escaped.empty())
      out += escaped;
    else
      out += character;
  }
  return out;
}

std::string grid_latex(const Grid& grid) {
  std::string out =
      "% Made by ridge report. \\usepackage{booktabs,textcomp} in the preamble, then \\input this "
      "file.\n";
  for (const std::string_view rule : grid_rules()) out += fmt::format("% {}\n", rule);
  for (const GridFigure& figure : grid_figures())
    if (is_known(grid, figure)) out += latex_figure(grid, figure);
  return out + latex_measured(grid);
}

}  // namespace ridge::lab
