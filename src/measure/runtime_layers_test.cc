// SPDX-License-Identifier: Apache-2.0
#include "measure/runtime_layers.h"

#include <gtest/gtest.h>

#include "runtime/abi.h"

namespace ridge::measure {
namespace {

TEST(RuntimeLayers, LayoutsAreNamedByWhereTheChannelsLie) {
  EXPECT_EQ(layout_word("abcd"), "plain");
  EXPECT_EQ(layout_word("a"), "plain");
  EXPECT_EQ(layout_word(""), "plain");
  EXPECT_EQ(layout_word("acdb"), "channels_last");
  EXPECT_EQ(layout_word("acdeb"), "channels_last");
  EXPECT_EQ(layout_word("aBcd16b"), "blocked:16");
  EXPECT_EQ(layout_word("aBcd8b"), "blocked:8");
  EXPECT_EQ(layout_word("undef"), "undef");
}

runtime::RuntimeInfo dumps() { return {}; }
runtime::RuntimeInfo lists() { return {.capabilities = RIDGE_HAS_LAYERS}; }

TEST(RuntimeLayers, ADumpIsReadOfARuntimeThatListsNoLayers) {
  EXPECT_FALSE(optimized_of({}, dumps()).ok());
}

TEST(RuntimeLayers, AModelComputedAtLoadTimeHasAnEmptyList) {
  runtime::RuntimeGraph graph;
  graph.outputs = {{"y", onnx::DataType::kInt64, {0}}};
  const auto listed = optimized_of(graph, lists());
  ASSERT_TRUE(listed.ok()) << listed.error().text();
  EXPECT_TRUE(listed->listed.empty());
  EXPECT_EQ(listed->model->nodes().size(), 0U);
}

TEST(RuntimeLayers, AListBecomesAGraph) {
  runtime::RuntimeGraph graph;
  graph.layers = {{"k", "Eltwise", "jit", "f32", "abcd", {"r0.0"}, {"x", "0:0"}, {"1:0"}}};
  graph.inputs = {{"x", onnx::DataType::kFloat, {4}}};
  graph.tensors = {{"0:0", onnx::DataType::kFloat, {2, 3}}, {"1:0", onnx::DataType::kFloat, {4}}};
  const auto listed = optimized_of(graph, lists());
  ASSERT_TRUE(listed.ok());
  ASSERT_EQ(listed->listed.size(), 1U);
  EXPECT_EQ(listed->listed[0].precision, "float32");
  std::int64_t constants = 0;
  for (graph::ValueId v = 0; v < listed->bytes.size(); ++v) {
    if (!listed->is_constant(v)) continue;
    ++constants;
    EXPECT_EQ(listed->bytes[v], 24);
  }
  EXPECT_EQ(constants, 1);
}

}  // namespace
}  // namespace ridge::measure
