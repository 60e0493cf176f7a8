// Checks on pages that several tests share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/terms.h"

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

}  // namespace testing
}  // namespace ridge::report
