// SPDX-License-Identifier: Apache-2.0
// Checks on pages that several tests share.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "report/kit/terms.h"

namespace ridge::report {

extern const std::string_view kGlossary;  // embedded from docs/glossary.md

namespace testing {

/// Words that legends of the page link to, and that have no row in its terms.
inline std::vector<std::string> dangling_terms(const std::string& page) {
  constexpr std::string_view kLink = "href=\"#term-";
  std::vector<std::string> out;
  for (std::size_t at = page.find(kLink); at != std::string::npos; at = page.find(kLink, at)) {
    at += kLink.size();
    const std::string word = page.substr(at, page.find('"', at) - at);
    if (page.find("<tr id=\"term-" + word + "\">") == std::string::npos) out.push_back(word);
  }
  return out;
}

/// Words of the glossary that head a column of the page and that no legend explains.
inline std::vector<std::string> unexplained_headings(const std::string& page) {
  std::vector<std::string> out;
  for (const Term& term : terms_of(kGlossary)) {
    const std::string word(term.word);
    const bool explained = page.find("<td>" + word + "</td><td>") != std::string::npos;
    if (page.find(">" + word + "</th>") != std::string::npos && !explained) out.push_back(word);
  }
  return out;
}

/// A name that does harm on a page and on a terminal that do not escape it.
inline constexpr const char* kHostile = "</script><script>alert(1)</script>\x1b[31m\"'&<img src=x>";

inline std::size_t count(const std::string& text, std::string_view part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

/// Text between the first `from` at or after `at` and the next `to`.
inline std::string between(const std::string& text, std::string_view from, std::string_view to,
                           std::size_t at = 0) {
  const std::size_t begin = text.find(from, at);
  if (begin == std::string::npos) return "(none)";
  const std::size_t start = begin + from.size();
  return text.substr(start, text.find(to, start) - start);
}

inline std::vector<std::string> all_between(const std::string& text, std::string_view from,
                                            std::string_view to) {
  std::vector<std::string> out;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + 1))
    out.push_back(between(text, from, to, at));
  return out;
}

/// First tag that is not closed in order, or ""; errors that browsers repair are reported as well.
inline std::string unbalanced(const std::string& page) {
  static const std::set<std::string> kVoid = {"meta", "input", "br", "wbr"};
  std::vector<std::string> open;
  for (std::size_t at = page.find('<'); at != std::string::npos; at = page.find('<', at + 1)) {
    const std::size_t end = page.find('>', at);
    std::string tag = page.substr(at + 1, page.find_first_of(" >/\n", at + 2) - at - 1);
    if (tag.starts_with("!") || kVoid.count(tag) > 0 || page[end - 1] == '/') continue;
    if (tag.starts_with("/")) {
      if (open.empty() || open.back() != tag.substr(1)) return tag + " at " + std::to_string(at);
      open.pop_back();
      continue;
    }
    if (tag == "script" || tag == "style") at = page.find("</" + tag, end) - 1;
    open.push_back(std::move(tag));
  }
  return open.empty() ? "" : open.back() + " stays open";
}

}  // namespace testing
}  // namespace ridge::report
