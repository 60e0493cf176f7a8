#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <tuple>

#include "ops/operator.h"

namespace ridge::ops {
namespace {

TEST(Registry, IsSortedAndNamesEachRowOnce) {
  const auto rows = all();
  for (std::size_t i = 1; i < rows.size(); ++i)
    EXPECT_LT(std::tie(rows[i - 1]->domain, rows[i - 1]->name, rows[i - 1]->since),
              std::tie(rows[i]->domain, rows[i]->name, rows[i]->since))
        << rows[i]->name;
}

TEST(Registry, EveryRowHasARuleAndAFormula) {
  for (const Operator* row : all()) {
    EXPECT_NE(row->infer, nullptr) << row->name;
    EXPECT_FALSE(row->formula.empty()) << row->name;
    EXPECT_GE(row->since, 1) << row->name;
    EXPECT_EQ(find(row->domain, row->name, row->since), row) << row->name;
  }
}

TEST(Registry, FindsTheRowInForce) {
  ASSERT_NE(find("", "Add", 7), nullptr);
  EXPECT_EQ(find("", "Where", 9), find("", "Where", 22));
  EXPECT_EQ(find("", "Where", 8), nullptr);
  EXPECT_NE(find("", "Cast", 5), find("", "Cast", 6));
  EXPECT_EQ(find("", "Add", 0), nullptr);
  EXPECT_EQ(find("", "add", 13), nullptr);
  EXPECT_EQ(find("ai.onnx.ml", "Add", 13), nullptr);
  EXPECT_NE(find("com.microsoft", "Gelu", 1), find("", "Gelu", 20));
  EXPECT_EQ(find("", "", 13), nullptr);
}

// tests/ops/onnx_operators.txt: what the onnx package defines, made by the script beside it.
TEST(Registry, KnowsEveryOperatorOfOnnxAtEveryVersion) {
  const char* source = std::getenv("RIDGE_SOURCE");
  if (source == nullptr) GTEST_SKIP() << "RIDGE_SOURCE names the repository";
  std::ifstream file(std::string(source) + "/tests/ops/onnx_operators.txt");
  int operators = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    std::istringstream words(line);
    std::string domain, name;
    words >> domain >> name;
    ++operators;
    for (std::int32_t version = 0; words >> version;)
      EXPECT_NE(ops::find(domain == "ai.onnx" ? "" : domain, name, version), nullptr)
          << domain << " " << name << " " << version;
  }
  EXPECT_GT(operators, 200);
}

// tests/ops/microsoft_operators.txt: what the pinned ONNX Runtime defines, made by the script beside
// it.
TEST(Registry, KnowsEveryOperatorOfTheRuntime) {
  EXPECT_NE(find("com.microsoft", "SimplifiedLayerNormalization", 1), nullptr);
  EXPECT_NE(find("", "SimplifiedLayerNormalization", 13), nullptr);
  const char* source = std::getenv("RIDGE_SOURCE");
  if (source == nullptr) GTEST_SKIP() << "RIDGE_SOURCE names the repository";
  std::ifstream file(std::string(source) + "/tests/ops/microsoft_operators.txt");
  int operators = 0;
  for (std::string name; std::getline(file, name);) {
    if (name.starts_with("#")) continue;
    ++operators;
    EXPECT_NE(find("com.microsoft", name, 1), nullptr) << name;
  }
  EXPECT_GT(operators, 130);
}

}  // namespace
}  // namespace ridge::ops
