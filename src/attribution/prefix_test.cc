// SPDX-License-Identifier: Apache-2.0
#include "attribution/prefix.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "analysis/cut.h"
#include "attribution/testing.h"
#include "attribution/value_match.h"
#include "attribution/with_outputs.h"
#include "onnx/reader.h"
#include "stats/random.h"
#include "zoo/zoo.h"

namespace ridge::attribution {
namespace {

using analysis::testing::resolved;
using analysis::testing::value;
using testing::must;

std::string shown_prefix(const Canonical& part) {
  std::string out;
  for (const onnx::Node& n : part.document->model.graph.nodes)
    out += (out.empty() ? "" : " ") + std::string(n.name);
  out += " |";
  for (const onnx::Tensor& t : part.document->model.graph.initializers)
    out += " " + std::string(t.name);
  out += " |";
  for (const WeightSource& w : part.weights) out += " " + std::string(w.name);
  return out;
}

TEST(Prefix, KeepsWhatTheTensorNeeds) {
  const analysis::Resolved r = resolved(R"(graph main
    input x[2,4] late[2,4]
    constant w[4,4] v[4,4]
    MatMul(x, w) -> a
    Relu(a) -> b
    MatMul(b, v) -> c
    Add(c, late) -> y
    output y)");
  const Canonical copy = must(canonicalise(r));
  const Canonical part = must(prefix(copy, r, value(r, "b")));
  EXPECT_EQ(shown_prefix(part), "r0 r1 | w2 | w2");
  EXPECT_EQ(part.inputs.size(), 2U) << "one set of inputs serves whole and part";
  ASSERT_EQ(part.outputs.size(), 1U);
  EXPECT_EQ(part.outputs[0].name, "r1.0");
  const onnx::Document read = must(onnx::read_bytes(part.bytes, "part"));
  EXPECT_EQ(read.model.graph.nodes.size(), 2U);
  EXPECT_EQ(read.model.graph.outputs[0].type.elem_type, onnx::DataType::kFloat);
}

TEST(Prefix, KeepsWhatABodyCaptures) {
  const analysis::Resolved r = resolved(R"(graph main
    input x[2,2]
    flags c[]=1
    Relu(x) -> a
    If(c) {then_branch=graph:yes else_branch=graph:no} -> d
    Relu(d) -> y
    output y
  graph yes
    constant w[2,2]
    MatMul(a, w) -> s
    output s
  graph no
    Relu(a) -> t
    output t)");
  const Canonical copy = must(canonicalise(r));
  const Canonical part = must(prefix(copy, r, value(r, "d")));
  EXPECT_TRUE(shown_prefix(part).starts_with("r0 r1 |")) << shown_prefix(part);
  EXPECT_EQ(part.weights.size(), 1U);
}

TEST(Prefix, OfATensorThatNoNodeMakesIsABug) {
  const analysis::Resolved r = resolved("graph main\n input x[2]\n Relu(x) -> y\n output y");
  const Canonical copy = must(canonicalise(r));
  EXPECT_EQ(prefix(copy, r, value(r, "x")).error().error_class(), ErrorClass::kBug);
}

/// Returns the outputs that the runtime computes at optimization level `level`.
std::vector<runtime::OutputTensor> outputs_of(const std::string& bytes, const Canonical& copy,
                                              const runtime::Inputs& inputs,
                                              std::shared_ptr<const ipc::Mapping>& kept,
                                              testing::Optimization level) {
  runtime::Runtime runtime = must(runtime::Runtime::spawn(testing::options(level)));
  const std::vector<runtime::Weight> weights = testing::weights_of(copy);
  const runtime::Loaded loaded =
      must(runtime.load({.model = bytes, .weights = weights, .dump = runtime::Dump::kNothing}));
  must(runtime.set_inputs(loaded.session, inputs));
  runtime::Outputs out = must(runtime.outputs(loaded.session));
  kept = std::move(out.memory);
  return std::move(out.tensors);
}

class PrefixSlow : public ::testing::TestWithParam<const char*> {};

TEST_P(PrefixSlow, ComputesTheTensorOfTheWholeModel) {
  if (!testing::runtime_installed()) GTEST_SKIP() << "no ONNX Runtime installed";
  const auto model = std::make_shared<const graph::Model>(
      must(graph::Model::build(std::make_shared<onnx::Document>(must(zoo::make(GetParam()))))));
  const analysis::Resolved r = must(analysis::resolve(model, {}, {{"batch", 1}, {"sequence", 16}}));
  const Canonical copy = must(canonicalise(r, {.seed = 3}));
  const runtime::Inputs inputs =
      must(runtime::Inputs::make(must(measure::input_specs(r, copy, {}, 1))));
  const std::vector<analysis::Cut> cuts = analysis::cuts(r);
  ASSERT_GE(cuts.size(), 2U);
  for (const std::size_t at : {cuts.size() / 4, cuts.size() / 2}) {
    const std::string_view name = copy.value_name[cuts[at].tensor];
    const Canonical part = must(prefix(copy, r, cuts[at].tensor));
    std::shared_ptr<const ipc::Mapping> here, there;
    const auto level = testing::Optimization::kBasic;
    const auto of_part = outputs_of(part.bytes, part, inputs, here, level);
    // The part must reproduce the value that the tensor has in the whole copy.
    const std::string whole =
        must(with_outputs(*copy.document, {{name}}, onnx::Weights::kDetached));
    const auto of_whole = outputs_of(whole, copy, inputs, there, level);
    ASSERT_EQ(of_part.size(), 1U);
    const runtime::OutputTensor& wanted = of_whole.back();
    EXPECT_EQ(of_part[0].type.dims, wanted.type.dims);
    const auto error =
        min_difference({wanted.type.type, wanted.type.dims, wanted.bytes},
                       {of_part[0].type.type, of_part[0].type.dims, of_part[0].bytes});
    ASSERT_TRUE(error.has_value());
    EXPECT_LT(*error, 1e-5) << GetParam() << " up to " << name;
    ASSERT_FALSE(wanted.bytes.empty());
    const std::set<std::byte> distinct(wanted.bytes.begin(), wanted.bytes.end());
    EXPECT_GT(distinct.size(), 10U) << "the tensor holds something";
  }
}

INSTANTIATE_TEST_SUITE_P(Zoo, PrefixSlow, ::testing::Values("squeezenet1_0", "mobilenet_v2"));

}  // namespace
}  // namespace ridge::attribution
