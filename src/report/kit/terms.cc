// SPDX-License-Identifier: Apache-2.0
#include "report/kit/terms.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "report/kit/markup.h"

namespace ridge::report {

extern const std::string_view kGlossary;  // embedded from docs/glossary.md

namespace {

constexpr std::string_view kLink = "<a href=\"#term-";

/// Anchor of a word: "roof-share" for "roof share".
std::string anchor(std::string_view word) {
  std::string out(word);
  std::replace(out.begin(), out.end(), ' ', '-');
  return out;
}

/// Removes and returns the text before `end`, or all of it; `end` is removed, too.
std::string_view take_until(std::string_view& text, std::string_view end) {
  const std::string_view out = text.substr(0, text.find(end));
  text.remove_prefix(std::min(text.size(), out.size() + end.size()));
  return out;
}

/// HTML of a Markdown cell. `code` becomes <code>; [a link](to/a/page.md) becomes <cite>, because
/// the report has no other page.
std::string cell_html(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::string_view plain = text.substr(0, text.find_first_of("`["));
    out += html_escape(plain);
    text.remove_prefix(plain.size());
    if (text.starts_with('`')) {
      text.remove_prefix(1);
      out += "<code>" + html_escape(take_until(text, "`")) + "</code>";
    } else if (text.starts_with('[')) {
      text.remove_prefix(1);
      out += "<cite>" + html_escape(take_until(text, "](")) + "</cite>";
      take_until(text, ")");
    }
  }
  return out;
}

/// Anchors that legends in `markup` link to.
std::set<std::string_view> linked(std::string_view markup) {
  std::set<std::string_view> out;
  for (std::size_t at = markup.find(kLink); at != std::string_view::npos;
       at = markup.find(kLink, at)) {
    at += kLink.size();
    out.insert(markup.substr(at, markup.find('"', at) - at));
  }
  return out;
}

}  // namespace

std::vector<Term> terms_of(std::string_view page) {
  std::vector<Term> out;
  while (!page.empty()) {
    std::string_view line = take_until(page, "\n");
    if (line.size() < 5 || !line.starts_with("| ") || !line.ends_with(" |")) continue;
    line = line.substr(2, line.size() - 4);
    const std::string_view word = take_until(line, " | ");
    if (word != "word" && word != "---") out.push_back({word, line});
  }
  return out;
}

std::string legend(std::initializer_list<std::string_view> words) {
  std::string links;
  for (const std::string_view word : words)
    links += fmt::format("{}{}{}\">{}</a>", links.empty() ? "" : ", ", kLink, anchor(word),
                         html_escape(word));
  return fmt::format("<p class=\"legend\"><a href=\"#terms\">Terms</a>: {}</p>\n", links);
}

std::string terms_section(std::string_view markup) {
  const std::set<std::string_view> used = linked(markup);
  std::string rows;
  for (const Term& term : terms_of(kGlossary))
    if (const std::string id = anchor(term.word); used.contains(id))
      rows += fmt::format("<tr id=\"term-{}\"><td>{}</td><td>{}</td></tr>\n", id,
                          html_escape(term.word), cell_html(term.meaning));
  if (rows.empty()) return "";
  // Browsers reveal a closed <details> when a link leads to an element inside it, so the id is on
  // the table.
  return "<details class=\"terms\"><summary>Terms</summary>\n" +
         scrolled(
             "<table id=\"terms\"><thead><tr><th>term</th><th>meaning</th></tr></thead>"
             "<tbody>\n" +
             rows + "</tbody></table>") +
         "</details>\n";
}

}  // namespace ridge::report
