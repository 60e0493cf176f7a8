// SPDX-License-Identifier: Apache-2.0
#include "report/kit/terms.h"

#include <gtest/gtest.h>

namespace ridge::report {
namespace {

TEST(Terms, AreTheRowsOfAPage) {
  const std::vector<Term> terms = terms_of(
      "# Glossary\n\nWords.\n\n| word | meaning |\n| --- | --- |\n| layer | what runs | or not |\n"
      "| roof share | bound by time |\n\nMore text.");
  ASSERT_EQ(terms.size(), 2U);
  EXPECT_EQ(terms[0].word, "layer");
  EXPECT_EQ(terms[0].meaning, "what runs | or not");
  EXPECT_EQ(terms[1].word, "roof share");
  EXPECT_EQ(terms[1].meaning, "bound by time");
}

TEST(Terms, OfNoPageAreNone) {
  for (const char* page : {"", "\n", "|", "| |", "| word | meaning |", "text"})
    EXPECT_TRUE(terms_of(page).empty()) << page;
}

TEST(Legend, LinksItsWords) {
  EXPECT_EQ(legend({"layer", "roof share"}),
            "<p class=\"legend\"><a href=\"#terms\">Terms</a>: <a href=\"#term-layer\">layer</a>, "
            "<a href=\"#term-roof-share\">roof share</a></p>\n");
}

TEST(TermsSection, ExplainsTheLinkedWordsOnceInTheOrderOfTheGlossary) {
  const std::string section =
      terms_section(legend({"roof share", "evidence"}) + legend({"evidence"}));
  EXPECT_EQ(section.find("term-layer"), std::string::npos);
  const std::size_t evidence = section.find("<tr id=\"term-evidence\"><td>evidence</td><td>");
  const std::size_t share = section.find(
      "<tr id=\"term-roof-share\"><td>roof share</td><td>bound divided by time, <code>of its "
      "bound</code> in tables: 100 % is at the roof</td></tr>\n");
  ASSERT_NE(evidence, std::string::npos);
  ASSERT_NE(share, std::string::npos);
  EXPECT_LT(evidence, share);
  EXPECT_EQ(section.find("term-evidence", evidence + 20), std::string::npos);
}

TEST(TermsSection, ShowsCodeAndTitlesOfOtherPagesAsSuch) {
  const std::string section = terms_section(legend({"evidence"}));
  EXPECT_NE(section.find("(<code>same_tensor</code>)"), std::string::npos);
  EXPECT_NE(section.find("<cite>How layers are mapped to nodes</cite> lists all"),
            std::string::npos);
  EXPECT_EQ(section.find(".md"), std::string::npos);
}

TEST(TermsSection, IsAbsentWithoutALegend) {
  EXPECT_EQ(terms_section(""), "");
  EXPECT_EQ(terms_section("<p>layer</p>"), "");
  EXPECT_EQ(terms_section("<a href=\"#term-"), "");
}

}  // namespace
}  // namespace ridge::report
