// SPDX-License-Identifier: Apache-2.0
#include "record/json_tree.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <random>

namespace ridge::record {
namespace {

std::string tree_error(std::string_view text, const Limits& limits = {}) {
  const Result<JsonTree> tree = JsonTree::parse(text, limits);
  return tree.ok() ? "" : tree.error().text();
}

TEST(JsonTree, NodesStandInTheOrderOfTheText) {
  constexpr std::string_view kText = R"({"a":[1,{}],"\u0062":"\ud83d\ude00\n/"})";
  const Result<JsonTree> tree = JsonTree::parse(kText, {});
  ASSERT_TRUE(tree.ok()) << tree.error().text();
  ASSERT_EQ(tree->size(), 7U);
  EXPECT_EQ((*tree)[0].end, 7U);
  EXPECT_EQ(tree->raw(2), "[1,{}]");
  EXPECT_EQ((*tree)[2].end, 5U);
  EXPECT_TRUE(tree->is(5, "b"));
  EXPECT_EQ(tree->text(6), "\xF0\x9F\x98\x80\n/");
}

TEST(JsonTree, NamesThePlaceOfWhatIsWrong) {
  EXPECT_EQ(tree_error("{\n \"a\" 1}"),
            "error: line 2, column 6: invalid JSON\n  expected ':'\n  [RIDGE-REC-0001]\n");
  EXPECT_NE(tree_error("[1,]").find("expected a value"), std::string::npos);
  EXPECT_NE(tree_error("[1] 2").find("expected end of the text"), std::string::npos);
}

TEST(JsonTree, HasLimits) {
  const auto line = [](const std::string& error) { return error.substr(0, error.find('\n')); };
  EXPECT_EQ(line(tree_error(std::string(65, '['))),
            "error: brackets are nested more than 64 levels deep");
  EXPECT_EQ(line(tree_error("[1,2]", {.bytes = 4})),
            "error: the document has 5 bytes, the limit is 4");
  EXPECT_EQ(line(tree_error("[1,2]", {.nodes = 2})), "error: the document has more than 2 values");
  EXPECT_EQ(line(tree_error("\"abc\"", {.text = 2})), "error: a text has 3 bytes, the limit is 2");
}

/// nullopt for a number beyond a double, which is an error of reading the value here.
std::optional<bool> accepts(const std::string& text) {
  try {
    return !nlohmann::json::parse(text).is_discarded();
  } catch (const nlohmann::json::out_of_range&) {
    return std::nullopt;
  } catch (const nlohmann::json::parse_error&) {
    return false;
  }
}

/// The JSON library as the oracle of what is JSON, and of what it says.
TEST(JsonTree, AcceptsWhatTheJsonLibraryAccepts) {
  const std::string seed =
      R"({"a":[-0.5e+3,10,0,true,false,null,""],"b\n\u00e9":{"c":"\ud83d\ude00é\/"}, "d" : [[],{}]})";
  std::mt19937 random(7);
  int accepted = 0;
  for (int i = 0; i < 40'000; ++i) {
    std::string text = seed;
    for (auto changes = random() % 3; changes > 0; --changes)
      text[random() % text.size()] = "\"\\{}[]:,-+.eE019ntu \n\xC3\x01"[random() % 22];
    if (random() % 4 == 0) text.resize(random() % text.size());
    if (random() % 8 == 0) text.insert(0, "\xEF\xBB\xBF");
    const Result<JsonTree> tree = JsonTree::parse(text, {});
    const std::optional<bool> right = accepts(text);
    ASSERT_EQ(tree.ok(), right.value_or(tree.ok())) << text;
    if (!tree.ok()) continue;
    ++accepted;
    for (std::uint32_t node = 0; node < tree->size(); ++node) {
      if ((*tree)[node].kind == JsonNode::Kind::kText) {
        const auto whole = '"' + std::string(tree->raw(node)) + '"';
        ASSERT_EQ(tree->text(node), nlohmann::json::parse(whole).get<std::string>()) << text;
      }
    }
  }
  EXPECT_GT(accepted, 1000);
}

}  // namespace
}  // namespace ridge::record
