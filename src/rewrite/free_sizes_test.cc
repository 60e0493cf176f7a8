// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "rewrite/rewritten.h"
#include "rewrite/testing.h"

namespace ridge::rewrite {
namespace {

const Rule& free_size_rule() { return rule_named("free_sizes"); }

std::string shapes(std::span<const onnx::ValueInfo> infos) {
  std::string out;
  for (const onnx::ValueInfo& info : infos) {
    std::vector<std::string> dims;
    for (const onnx::Dimension& d : info.type.shape)
      dims.push_back(d.param.empty() ? fmt::format("{}", d.value) : std::string(d.param));
    out += fmt::format("{}[{}] ", info.name, fmt::join(dims, ","));
  }
  return out;
}

constexpr char kFree[] = R"(graph main
    input x[batch,3,width] y[batch,3,?] w[3]
    declare a[batch,3,other]
    Add(x, y) -> a
    Mul(a, w) -> b
    Relu(b) -> c
    output b c)";

analysis::Resolved bound() {
  return analysis::testing::resolved(
      kFree,
      {.sizes = {{"batch", {2, false}}, {"width", {3, false}}}, .shapes = {{"y", {2, 3, 3}}}});
}

TEST(FreeSizes, AreWrittenWhereverTheyAreMentioned) {
  const analysis::Resolved model = bound();
  const std::vector<Site> sites = free_size_rule().find(model);
  ASSERT_EQ(sites.size(), 2U);  // w has no free size
  EXPECT_EQ(sites[0].nodes, std::vector<graph::NodeId>{0});
  const Rewritten after = apply(free_size_rule(), model, sites);
  EXPECT_EQ(shapes(after.document->model.graph.inputs), "x[2,3,3] y[2,3,3] w[3] ");
  EXPECT_EQ(shapes(after.document->model.graph.value_info), "a[2,3,other] ");
  EXPECT_EQ(after.stands_for.size(), 3U);
  Result<analysis::Resolved> again = resolved_as(model, after.document);
  ASSERT_TRUE(again.ok()) << again.error().text();
  EXPECT_TRUE(free_size_rule().find(*again).empty());
  EXPECT_TRUE(again->bindings().empty());
}

TEST(FreeSizes, OfOneInputAlone) {
  const analysis::Resolved model = bound();
  const std::vector<Site> sites = free_size_rule().find(model);
  const Rewritten after = apply(free_size_rule(), model, {sites.data(), 1});
  EXPECT_EQ(shapes(after.document->model.graph.inputs), "x[2,3,3] y[2,3,?] w[3] ");
}

TEST(FreeSizes, OutputsThatMentionThemAreWrittenToo) {
  const auto document = graph::Sketch::document(
      "graph main\ninput x[n,3]\nRelu(x) -> y\nSin(y) -> z\noutput y[n,3] z[m,3]");
  Result<graph::Model> model = graph::Model::build(document);
  ASSERT_TRUE(model.ok());
  Result<analysis::Resolved> before =
      analysis::resolve(std::make_shared<const graph::Model>(std::move(*model)),
                        {.sizes = {{"n", {4, false}}}, .shapes = {}});
  ASSERT_TRUE(before.ok()) << before.error().text();
  const Rewritten after = apply(free_size_rule(), *before, free_size_rule().find(*before));
  EXPECT_EQ(shapes(after.document->model.graph.outputs), "y[4,3] z[m,3] ");
}

}  // namespace
}  // namespace ridge::rewrite
