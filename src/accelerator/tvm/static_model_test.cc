// SPDX-License-Identifier: Apache-2.0
#include "accelerator/tvm/static_model.h"

#include <gtest/gtest.h>

#include "analysis/testing.h"
#include "onnx/reader.h"

namespace ridge::accelerator {
namespace {

using analysis::testing::resolved;

/// Nodes, inputs and initializers of the static model, by name.
std::string shown_static_model(std::string_view model) {
  const auto made = static_model(resolved(model));
  if (!made.ok()) return made.error().text();
  const auto document = onnx::read_bytes(made->bytes, "static");
  if (!document.ok()) return document.error().text();
  const onnx::Graph& g = document->model.graph;
  std::string out;
  for (const onnx::Node& n : g.nodes)
    out += fmt::format("{} {}\n", n.name.view(), n.op_type.view());
  out += "inputs";
  for (const onnx::ValueInfo& v : g.inputs) out += fmt::format(" {}", v.name);
  out += "\ninitializers";
  for (const onnx::Tensor& t : g.initializers) out += fmt::format(" {}:{}", t.name, t.elements);
  return out + "\n";
}

TEST(StaticModel, HasNoShapeArithmetic) {
  EXPECT_EQ(shown_static_model(R"(
    graph main
      input x[2,3,4]
      integers rest[1]=-1 axis=0
      Shape(x) -> s
      Gather(s, axis) -> n
      Unsqueeze(n, rest) -> m
      Concat(m, rest) {axis=0} -> t
      Reshape(x, t) -> flat
      Relu(flat) -> y
      output y
  )"),
            "4 Reshape\n5 Relu\ninputs v0\ninitializers v6:2\n");
}

TEST(StaticModel, LeavesLargeWeightsOut) {
  EXPECT_EQ(shown_static_model(R"(
    graph main
      input x[2,64]
      constant w[64,64] b[64]
      Gemm(x, w, b) -> y
      output y
  )"),
            "0 Gemm\ninputs v0 v1\ninitializers v2:64\n");
}

TEST(StaticModel, TakesNoBodies) {
  EXPECT_EQ(shown_static_model(analysis::testing::looped("      output c h")),
            "error: the model has control-flow bodies or functions, which the compiler's front end "
            "does not support\n"
            "  hint: profile with nest or closed-form\n"
            "  [RIDGE-ACC-0311]\n");
}

TEST(StaticModel, NamesAreNumbers) {
  EXPECT_EQ(static_value("v12"), 12U);
  EXPECT_EQ(static_value("12"), graph::kNone);
  EXPECT_EQ(static_value("v99999999999999999999"), graph::kNone);
}

}  // namespace
}  // namespace ridge::accelerator
