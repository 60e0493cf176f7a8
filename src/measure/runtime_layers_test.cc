#include "measure/runtime_layers.h"

#include <gtest/gtest.h>

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

TEST(RuntimeLayers, ADumpIsReadWhereThereAreNoLayers) {
  EXPECT_FALSE(optimized_of({}).ok());
  runtime::RuntimeGraph graph;
  graph.layers = {{"k", "Eltwise", "jit", "f32", "abcd", {"r0.0"}, {"x", "0:0"}, {"1:0"}}};
  graph.inputs = {{"x", onnx::DataType::kFloat, {4}}};
  graph.tensors = {{"0:0", onnx::DataType::kFloat, {2, 3}}, {"1:0", onnx::DataType::kFloat, {4}}};
  const auto listed = optimized_of(graph);
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
