// The rules against the onnx package's own shape inference, reference operators and function
// bodies: tests/ops/onnx_table.txt, made by the script beside it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "ops/testing.h"

namespace ridge::ops {
namespace {

TEST(OnnxTable, EveryNodeIsAsOnnxSays) {
  const char* source = std::getenv("RIDGE_SOURCE");
  if (source == nullptr) GTEST_SKIP() << "RIDGE_SOURCE names the repository";
  std::ifstream file(std::string(source) + "/tests/ops/onnx_table.txt");
  ASSERT_TRUE(file.is_open());
  int cases = 0;
  for (std::string line; std::getline(file, line);) {
    const std::size_t arrow = line.rfind(" -> ");
    if (line.starts_with("#") || arrow == std::string::npos) continue;
    ++cases;
    const std::string node = line.substr(0, arrow), wanted = line.substr(arrow + 4);
    const std::size_t split = wanted.find("; ");
    const std::string shapes = testing::shapes(node);
    EXPECT_EQ(shapes.starts_with("error:") ? "rejected" : shapes, wanted.substr(0, split))
        << node << "\n"
        << shapes;
    if (split == std::string::npos) continue;
    EXPECT_EQ(testing::work(node), wanted.substr(split + 2)) << node;
  }
  EXPECT_GT(cases, 200);
}

}  // namespace
}  // namespace ridge::ops
