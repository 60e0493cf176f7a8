// SPDX-License-Identifier: Apache-2.0
#include "attribution/optimized.h"

#include <gtest/gtest.h>

#include "graph/sketch.h"

namespace ridge::attribution {
namespace {

OptimizedGraph dump(std::string_view text) {
  Result<OptimizedGraph> graph = make_optimized(graph::Sketch::document(text));
  if (!graph.ok()) throw std::runtime_error(graph.error().text());
  return std::move(graph).value();
}

constexpr std::string_view kExpanded = R"(graph main
  input x[4]
  a: Relu(x) -> t
  Mul(t, t) -> u
  Add(u, t) -> v
  Mul(v, t) -> w
  com.microsoft.Gelu(w) -> y
  output y)";

TEST(Events, FindNamedKernelsByNameAndUnnamedOnesByTheirOrder) {
  const OptimizedGraph graph = dump(kExpanded);
  // Two runs, the second truncated: generated names identify the same kernels again.
  const KernelEvent events[] = {{"a", "Relu"},    {"Mul_7", "Mul"},    {"Add_3", "Add"},
                                {"Mul_2", "Mul"}, {"Gelu_11", "Gelu"}, {"a", "Relu"},
                                {"Mul_7", "Mul"}, {"Mul_2", "Mul"}};
  EXPECT_EQ(join_events(graph, events), (std::vector<graph::NodeId>{0, 1, 2, 3, 4, 0, 1, 3}));
}

TEST(Events, OfNoKernelAreSaidToBe) {
  const OptimizedGraph graph = dump(kExpanded);
  const KernelEvent events[] = {
      {"b", "Relu"}, {"Sub_1", "Sub"}, {"Add_x", "Add"}, {"Add_1", "Add"}, {"Add_2", "Add"}};
  EXPECT_EQ(
      join_events(graph, events),
      (std::vector<graph::NodeId>{graph::kNone, graph::kNone, graph::kNone, 2, graph::kNone}));
}

TEST(Events, TellTheSizesOfOutputs) {
  OptimizedGraph graph =
      dump("graph main\n input x[4]\n s: Split(x) -> a, b\n t: Relu(a) -> y\n output y");
  const KernelEvent events[] = {{"s", "Split", R"([{"float":[1,2,8]},{"int64":[]}])"},
                                {"t", "Relu", R"([{"bfloat":[2]}])"}};
  size_tensors(graph, events);
  const auto bytes = [&](std::string_view name) -> std::optional<std::int64_t> {
    for (graph::ValueId v = 0; v < graph.model->values().size(); ++v)
      if (graph.model->value(v).name == name) return graph.bytes[v];
    throw std::runtime_error("no such tensor");
  };
  EXPECT_EQ(bytes("a"), 64);
  EXPECT_EQ(bytes("b"), 8);
  EXPECT_EQ(bytes("y"), std::nullopt) << "a type that we do not know";
  EXPECT_EQ(bytes("x"), std::nullopt);
}

TEST(Dumps, ThatAreNoModelAreRefused) {
  const Result<OptimizedGraph> graph = read_optimized("not a model");
  ASSERT_FALSE(graph.ok());
  EXPECT_EQ(graph.error().file(), "the runtime's optimised graph");
}

}  // namespace
}  // namespace ridge::attribution
