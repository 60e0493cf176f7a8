// SPDX-License-Identifier: Apache-2.0
#include "ops/defaults_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "base/number.h"

namespace ridge::ops {
namespace {

// Counted with the onnx package 1.23.2 itself, independently of the script that writes the table:
//   s = onnx.defs.get_all_schemas_with_history()
//   collections.Counter(x.domain for x in s)
//   sum(a.default_value.type != 0 for x in s for a in x.attributes.values())
TEST(DefaultsTable, HasEveryVersionAndDefault) {
  const std::map<std::string_view, int> expected = {
      {"", 629}, {"ai.onnx.ml", 25}, {"ai.onnx.preview", 1}, {"ai.onnx.preview.training", 4}};
  std::map<std::string_view, int> versions;
  std::ptrdiff_t defaults = 0;
  for (const OperatorVersion& v : defaults_table().versions()) {
    ++versions[v.domain];
    defaults += std::ranges::count(v.defaults, '=');
  }
  EXPECT_EQ(versions, expected);
  EXPECT_EQ(defaults, 637);
  EXPECT_TRUE(kOperatorDefaults.ends_with("\nai.onnx.preview.training Momentum 1\n"));
}

// tests/ops/onnx_operators.txt lacks the versions that deprecate their operator.
TEST(DefaultsTable, HasTheVersionsThatTestsOfOperatorsUse) {
  const char* source = std::getenv("RIDGE_SOURCE");
  if (source == nullptr) GTEST_SKIP() << "RIDGE_SOURCE names the repository";
  std::set<std::tuple<std::string, std::string, std::int32_t>> missing;
  for (const OperatorVersion& v : defaults_table().versions())
    missing.emplace(v.domain, v.op_type, v.since);
  std::ifstream file(std::string(source) + "/tests/ops/onnx_operators.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    std::istringstream words(line);
    std::string domain, name;
    words >> domain >> name;
    for (std::int32_t version = 0; words >> version;)
      EXPECT_EQ(missing.erase({domain == "ai.onnx" ? "" : domain, name, version}), 1U)
          << line << ": " << version;
  }
  const std::set<std::tuple<std::string, std::string, std::int32_t>> deprecated = {
      {"", "GroupNormalization", 18},
      {"", "Scatter", 11},
      {"", "Upsample", 10},
      {"ai.onnx.ml", "TreeEnsembleClassifier", 5},
      {"ai.onnx.ml", "TreeEnsembleRegressor", 5}};
  EXPECT_EQ(missing, deprecated);
}

TEST(DefaultsTable, IsSorted) {
  const auto versions = defaults_table().versions();
  for (std::size_t i = 1; i < versions.size(); ++i)
    EXPECT_LT(std::tie(versions[i - 1].domain, versions[i - 1].op_type, versions[i - 1].since),
              std::tie(versions[i].domain, versions[i].op_type, versions[i].since));
}

TEST(DefaultsTable, EveryDefaultIsReadable) {
  for (const OperatorVersion& v : defaults_table().versions()) {
    std::istringstream words{std::string(v.defaults)};
    for (std::string word; words >> word;) {
      const std::size_t equals = word.find('=');
      ASSERT_TRUE(equals != 0 && equals + 2 < word.size() && word[equals + 2] == ':') << word;
      const std::string value = word.substr(equals + 3);
      switch (word[equals + 1]) {
        case 'f':
          EXPECT_TRUE(finite_number(value)) << word;
          break;
        case 'i':
          EXPECT_TRUE(whole_number(value)) << word;
          break;
        default:
          EXPECT_NE(std::string_view("sFIS").find(word[equals + 1]), std::string_view::npos)
              << word;
      }
    }
  }
}

TEST(DefaultsTable, ReadsLines) {
  const DefaultsTable table(
      "# a comment\n"
      "ai.onnx Add 1\n"
      "ai.onnx Add 7 x=I: y=I:1,-2 z=S:a,b\n"
      "not a line\n"
      "local Add 3 w=F:0.5,2\n"
      "other Sub 9");
  ASSERT_EQ(table.versions().size(), 4U);
  EXPECT_EQ(table.find("", "Add", 0), nullptr);
  EXPECT_EQ(table.find("", "Add", 6), &table.versions()[0]);
  EXPECT_EQ(table.find("", "Add", 7), &table.versions()[1]);
  EXPECT_EQ(table.find("", "Add", 8), nullptr);
  EXPECT_EQ(table.find("local", "Add", 3), &table.versions()[2]);
  EXPECT_EQ(table.find("other", "Add", 3), nullptr);
  EXPECT_EQ(table.find("unknown", "Add", 3), nullptr);
  EXPECT_EQ(table.versions()[0].default_of("x"), std::nullopt);
  EXPECT_EQ(table.versions()[1].default_of("x"), "I:");
  EXPECT_EQ(table.versions()[1].default_of("z"), "S:a,b");
  EXPECT_EQ(table.versions()[2].default_of("w"), "F:0.5,2");
  EXPECT_EQ(table.versions()[2].default_of("0"), std::nullopt);
  EXPECT_TRUE(DefaultsTable("").versions().empty());
}

TEST(DefaultsTable, ComparesLists) {
  onnx::Attribute a;
  a.type = onnx::AttributeType::kInts;
  EXPECT_TRUE(has_value(a, "I:"));
  EXPECT_FALSE(has_value(a, "I:1"));
  EXPECT_FALSE(has_value(a, "F:"));
  const std::vector<std::int64_t> ints = {1, -2};
  a.ints = ints;
  EXPECT_TRUE(has_value(a, "I:1,-2"));
  EXPECT_FALSE(has_value(a, "I:1"));
  EXPECT_FALSE(has_value(a, "I:1,-2,3"));
  EXPECT_FALSE(has_value(a, "I:1,2"));
  EXPECT_FALSE(has_value(a, "I:"));
  const std::vector<float> floats = {0.5F, 2};
  a.type = onnx::AttributeType::kFloats;
  a.floats = floats;
  EXPECT_TRUE(has_value(a, "F:0.5,2"));
  EXPECT_FALSE(has_value(a, "F:0.5,-2"));
  const std::vector<std::string_view> strings = {"a", "b"};
  a.type = onnx::AttributeType::kStrings;
  a.strings = strings;
  EXPECT_TRUE(has_value(a, "S:a,b"));
  EXPECT_FALSE(has_value(a, "S:a,c"));
  a.type = onnx::AttributeType::kUndefined;
  EXPECT_FALSE(has_value(a, "S:a,b"));
}

}  // namespace
}  // namespace ridge::ops
