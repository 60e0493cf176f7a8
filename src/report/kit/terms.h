// SPDX-License-Identifier: Apache-2.0
// Terms of the report's tables: a legend that links to them, and the section that explains them.
//
//   std::string body = legend({"layer", "bound"}) + table;
//   body += terms_section(body);
//
// Meanings are the rows of docs/glossary.md, embedded at build time. Pure.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::report {

struct Term {
  std::string_view word, meaning;  ///< `meaning` is Markdown
};

/// Rows of the tables "| word | meaning |" of a Markdown page, in their order, without the heads.
std::vector<Term> terms_of(std::string_view page);

/// "Terms: layer, bound", each word a link to its row in terms_section(). A word that the glossary
/// lacks has no row; a test checks the legends of all pages.
std::string legend(std::initializer_list<std::string_view> words);

/// Collapsible table of the terms that legends in `markup` link to, in the order of the glossary;
/// "" without a legend.
std::string terms_section(std::string_view markup);

}  // namespace ridge::report
