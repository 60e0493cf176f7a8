// SPDX-License-Identifier: Apache-2.0
// Expected counts by hand: a step of the loop multiplies [2,4] by [4,4], 32 MACs.
#include <gtest/gtest.h>

#include <cstring>

#include "analysis/testing.h"

namespace ridge::analysis {
namespace {

using testing::node;
using testing::resolved;
using testing::shown;
using testing::type_of;
using testing::value;

constexpr std::string_view kLoop = R"(
  graph main
    input x[2,4] m:int64[]
    loop: Loop(m, _, x) {body=graph:body} -> last, all
    output last all
  graph body
    input i[] go[] h[2,4]
    constant w[4,4]
    step: MatMul(h, w) -> next
    keep: Identity(go) -> still
    output still next next
)";

template <typename T>
InputValue given(onnx::DataType type, const std::vector<T>& elements,
                 std::optional<std::vector<std::int64_t>> dims = std::nullopt) {
  const std::span<const std::byte> bytes = std::as_bytes(std::span(elements));
  return {type, std::move(dims), {bytes.begin(), bytes.end()}, "given"};
}

InputValue integers(const std::vector<std::int64_t>& elements,
                    std::optional<std::vector<std::int64_t>> dims = std::nullopt) {
  return given(onnx::DataType::kInt64, elements, std::move(dims));
}

Bindings with(std::map<std::string, InputValue> values) {
  Bindings bindings;
  bindings.values = std::move(values);
  return bindings;
}

TEST(GivenValues, ALoopRunsAsOftenAsItsInputSays) {
  EXPECT_TRUE(resolved(kLoop).counts(node(resolved(kLoop), "step")).macs.unknown());
  const Resolved r = resolved(kLoop, with({{"m", integers({5}, std::vector<std::int64_t>{})}}));
  EXPECT_EQ(r.totals().macs.value(), 5 * 32);
  EXPECT_EQ(type_of(r, "all"), "float32[5,2,4]");
  EXPECT_EQ(r.given_values().at("m"), "given");
  EXPECT_EQ(resolved(kLoop, with({{"m", integers({0})}})).totals().macs.value(), 0);
}

TEST(GivenValues, AShapeMayBeAnInput) {
  const std::string_view sketch =
      "graph main\n input x[2,6] s:int64[2]\n shape: Reshape(x, s) -> y\n output y";
  EXPECT_EQ(type_of(resolved(sketch, with({{"s", integers({4, 3})}})), "y"), "float32[4,3]");
  EXPECT_EQ(type_of(resolved(sketch, with({{"s", integers({3, -1})}})), "y"), "float32[3,4]");
}

TEST(GivenValues, AKnownConditionSelectsItsBranch) {
  const std::string_view sketch = R"(
    graph main
      input x[2,4] c:bool[]
      which: If(c) {then_branch=graph:yes else_branch=graph:no} -> y
      output y
    graph yes
      constant w[4,4]
      dear: MatMul(x, w) -> a
      output a
    graph no
      cheap: Relu(x) -> b
      output b
  )";
  const auto macs = [&](std::uint8_t c) {
    return resolved(sketch, with({{"c", given<std::uint8_t>(onnx::DataType::kBool, {c})}}))
        .totals()
        .macs.value();
  };
  EXPECT_EQ(macs(1), 32);
  EXPECT_EQ(macs(0), 0);
}

TEST(GivenValues, AreNoConstantsOfTheModel) {
  const std::string_view sketch = R"(
    graph main
      input x[6] n:int64[1]
      integers one[1]=1
      more: Add(n, one) -> m
      shape: Reshape(x, m) -> y
      output y
  )";
  const Resolved r = resolved(sketch, with({{"n", integers({5})}}));
  EXPECT_EQ(type_of(r, "y"), "float32[6]");
  EXPECT_EQ(r.value(value(r, "m")), nullptr);
  ASSERT_NE(r.any_value(value(r, "m")), nullptr);
  EXPECT_EQ(r.any_value(value(r, "m"))->ints[0].value(), 6);
  EXPECT_NE(r.value(value(r, "one")), nullptr);
  EXPECT_FALSE(r.constant(value(r, "m")));
}

TEST(GivenValues, OneNumberIsTheValueOfEveryElement) {
  const std::string_view sketch =
      "graph main\n input s:int64[n] x[1]\n grow: Expand(x, s) -> y\n output y";
  Bindings bindings = with({{"s", integers({3})}});
  bindings.sizes["n"] = {2, false};
  EXPECT_EQ(type_of(resolved(sketch, bindings), "y"), "float32[3,3]");
}

TEST(GivenValues, AnotherNumberOfElementsIsRefused) {
  EXPECT_EQ(testing::resolve_error("graph main\n input s:int64[3] x[1]\n grow: Expand(x, s) -> y\n"
                                   " output y",
                                   with({{"s", integers({3, 4})}})),
            "error: sketch: graph 'main' > input 's': 16 bytes of int64 are given, its shape needs "
            "24\n"
            "  hint: give one number for all elements, or as many as there are\n"
            "  [RIDGE-ANA-0112]\n");
}

}  // namespace
}  // namespace ridge::analysis
