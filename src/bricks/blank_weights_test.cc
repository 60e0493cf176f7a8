// SPDX-License-Identifier: Apache-2.0
// Weights without their elements: sizes, values that differ, and what happens without room.
#include "bricks/blank_weights.h"

#include <gtest/gtest.h>

#include <cstring>
#include <variant>

#include "bricks/testing.h"

namespace ridge::bricks {
namespace {

using testing::must;
using testing::resolved;

/// Two products of 64 x 32 floats (8 KiB each), and a bias of 32.
attribution::Canonical two_products() {
  return must(attribution::canonicalise(resolved(
      "graph main\n input x[1,64]\n constant w[64,32]\n constant v[64,32]\n constant b[32]\n"
      " m: MatMul(x, w) -> y\n n: MatMul(x, v) -> z\n a: Add(y, b) -> s\n c: Add(s, z) -> t\n"
      " output t\n")));
}

std::vector<float> elements(const onnx::WeightRange& range) {
  std::vector<float> out(static_cast<std::size_t>(range.length) / sizeof(float));
  EXPECT_TRUE(range.file->read_at(range.offset, std::as_writable_bytes(std::span(out))).ok());
  return out;
}

TEST(BlankWeights, LargeOnesShareAFileAndDiffer) {
  const attribution::Canonical copy = two_products();
  BlankWeights blank("/dev/shm");
  const std::vector<runtime::Weight> weights = must(blank.of(copy));
  ASSERT_EQ(weights.size(), copy.weights.size());
  std::vector<onnx::WeightRange> large;
  for (const runtime::Weight& w : weights)
    if (const auto* range = std::get_if<onnx::WeightRange>(&w.elements)) large.push_back(*range);
  if (large.empty()) GTEST_SKIP() << "/dev/shm has no room";
  ASSERT_EQ(large.size(), 2U);
  EXPECT_EQ(large[0].file, large[1].file);
  for (const onnx::WeightRange& range : large) {
    EXPECT_EQ(range.length, 64 * 32 * 4);
    EXPECT_EQ(range.offset % 64, 0);  // or the runtime copies it
    for (const float element : elements(range)) {
      ASSERT_GT(element, 0.005F);
      ASSERT_LT(element, 0.1F);
    }
  }
  EXPECT_NE(elements(large[0]), elements(large[1]));
}

TEST(BlankWeights, AreGeneratedWhereTheFolderIsOnDisk) {
  const attribution::Canonical copy = two_products();
  BlankWeights blank("/proc");
  std::vector<float> means;
  for (const runtime::Weight& w : must(blank.of(copy)))
    if (const auto* recipe = std::get_if<SeededTensor>(&w.elements); recipe && w.dims.size() == 2) {
      EXPECT_EQ(recipe->scale, 0);
      means.push_back(recipe->mean);
    }
  EXPECT_EQ(means, (std::vector<float>{1, 2}));
}

TEST(BlankWeights, TheFileGrowsAndIsRemoved) {
  std::string path;
  {
    BlankWeights blank("/dev/shm");
    const auto file_of = [&](const std::string& text) {
      const attribution::Canonical copy = must(attribution::canonicalise(resolved(text)));
      const std::vector<runtime::Weight> weights = must(blank.of(copy));
      const auto* range = std::get_if<onnx::WeightRange>(&weights.at(0).elements);
      return range == nullptr ? nullptr : range->file;
    };
    const std::string small =
        "graph main\n input x[1,64]\n constant w[64,32]\n m: MatMul(x, w) -> y\n output y\n";
    const auto first = file_of(small), again = file_of(small);
    if (first == nullptr) GTEST_SKIP() << "/dev/shm has no room";
    EXPECT_EQ(first, again);
    // 8192 x 1024 floats: 32 MiB.
    const auto large = file_of(
        "graph main\n input x[1,8192]\n constant w[8192,1024]\n m: MatMul(x, w) -> y\n"
        " output y\n");
    ASSERT_NE(large, nullptr);
    EXPECT_NE(large, first);
    EXPECT_GE(large->size(), 8192 * 1024 * 4);
    path = large->path();
    EXPECT_TRUE(file_exists(path));
  }
  EXPECT_FALSE(file_exists(path));
}

}  // namespace
}  // namespace ridge::bricks
