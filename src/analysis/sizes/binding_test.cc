// SPDX-License-Identifier: Apache-2.0
#include "analysis/sizes/binding.h"

#include <gtest/gtest.h>

#include "analysis/testing.h"

namespace ridge::analysis {
namespace {

using testing::resolve_error;
using testing::resolved;
using testing::type_of;

constexpr std::string_view kTwoInputs = R"(
  graph main
    input ids[batch,sequence] mask[batch,sequence]
    add: Add(ids, mask) -> y
    output y
)";

Bindings named_sizes(std::map<std::string, Binding> values) {
  return {std::move(values), {}, FreeSizes::kAsk};
}
Bindings shapes(std::map<std::string, std::vector<std::int64_t>> values) {
  return {{}, std::move(values), FreeSizes::kAsk};
}

std::string shown_binding(const Resolved& r) {
  std::string text;
  for (const auto& [name, b] : r.bindings())
    text += fmt::format("{}={}{} ", name, b.value, b.assumed ? "?" : "");
  return text;
}

TEST(Binding, OneNameBindsEveryInputThatHasIt) {
  const Resolved r =
      resolved(kTwoInputs, named_sizes({{"batch", {2, false}}, {"sequence", {128, false}}}));
  EXPECT_EQ(type_of(r, "y"), "float32[2,128]");
  EXPECT_EQ(shown_binding(r), "batch=2 sequence=128 ");
  EXPECT_TRUE(r.notes().empty());
}

TEST(Binding, AShapeBindsItsNamesForTheOtherInputs) {
  const Resolved r = resolved(kTwoInputs, shapes({{"mask", {2, 128}}}));
  EXPECT_EQ(type_of(r, "ids"), "float32[2,128]");
  EXPECT_EQ(shown_binding(r), "batch=2 sequence=128 ");
}

TEST(Binding, AFreeLeadingDimensionIsOneAndSaysSo) {
  const Resolved r = resolved(kTwoInputs, named_sizes({{"sequence", {128, false}}}));
  EXPECT_EQ(type_of(r, "y"), "float32[1,128]");
  EXPECT_EQ(shown_binding(r), "batch=1? sequence=128 ");
  ASSERT_EQ(r.notes().size(), 1U);
  EXPECT_EQ(r.notes()[0],
            "'batch', the leading dimension of input 'ids', is free and defaults to 1; set it with "
            "--bind batch=N");
}

TEST(Binding, FreeLeadingSizesHaveTheNamesThatBindThem) {
  const auto names = [](std::string_view sketch) { return free_sizes(*testing::model(sketch), 0); };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names(kTwoInputs), Names{"batch"});
  EXPECT_EQ(names("graph main\n input x[3,n]\n Relu(x) -> y\n output y"), Names());
  EXPECT_EQ(names("graph main\n input x[?,4]\n input z[n,4]\n Add(x, z) -> y\n output y"),
            (Names{"x[0]", "n"}));
}

TEST(Binding, DefaultsOfTheNetworkGoBeforeThatRule) {
  const Resolved r = resolved(kTwoInputs, {}, {{"sequence", 128}, {"batch", 4}});
  EXPECT_EQ(shown_binding(r), "batch=4? sequence=128? ");
}

TEST(Binding, AnyOtherFreeSizeIsAskedForWithItsFlag) {
  EXPECT_EQ(
      resolve_error(kTwoInputs),
      R"(error: sketch: a size is free: 'sequence' (dimension 1 of input 'ids', [batch, sequence])
  hint: set it with --bind sequence=N
  [RIDGE-ANA-0101]
)");
}

TEST(Binding, SeveralFreeSizesAreAskedForTogether) {
  EXPECT_EQ(
      resolve_error("graph main\n input a[n,h,w] b[1,3,?]\n add: Add(a, a) -> y\n output y"),
      R"(error: sketch: 3 sizes are free: 'h' (dimension 1 of input 'a', [n, h, w]); 'w' (dimension 2 of input 'a', [n, h, w]); dimension 2 of input 'b', [1, 3, ?]
  hint: set them with --bind h=N,w=N --shape b=1x3xN
  [RIDGE-ANA-0101]
)");
}

TEST(Binding, ArraysAreOfferedWhereTheyAreTaken) {
  const auto hint = [](std::string_view sketch) {
    return analysis::resolve(testing::model(sketch), {.takes_arrays = true}).error().hint();
  };
  EXPECT_EQ(hint(kTwoInputs),
            "set it with --bind sequence=N, or pass an array with its sizes: --input ids=FILE.npy");
  EXPECT_EQ(
      hint("graph main\n input a[n,h] b[1,w] c[1,?] d[1,h] e\n add: Add(a, b) -> y\n output y"),
      "set them with --bind h=N,w=N --shape c=1xN --shape e=NxNxN, or pass arrays with their "
      "sizes: --input a=FILE.npy --input b=FILE.npy --input c=FILE.npy …");
}

TEST(Binding, AnInputWithoutAShapeIsAskedFor) {
  EXPECT_EQ(resolve_error("graph main\n input x\n r: Relu(x) -> y\n output y"),
            R"(error: sketch: a size is free: the shape of input 'x'
  hint: set it with --shape x=NxNxN
  [RIDGE-ANA-0101]
)");
  const Resolved r =
      resolved("graph main\n input x\n r: Relu(x) -> y\n output y", shapes({{"x", {2, 3}}}));
  EXPECT_EQ(type_of(r, "y"), "float32[2,3]");
}

TEST(Binding, ANameThatNoInputHasIsRefusedWithTheNearOnes) {
  EXPECT_EQ(resolve_error(kTwoInputs, named_sizes({{"bacth", {2, false}}})),
            R"(error: sketch: --bind refers to the unknown size 'bacth'
  hint: did you mean 'batch'?
  [RIDGE-ANA-0103]
)");
  EXPECT_EQ(resolve_error(kTwoInputs, shapes({{"tokens", {2}}})),
            R"(error: sketch: --shape refers to the unknown input 'tokens'
  hint: the model has the inputs 'ids', 'mask'
  [RIDGE-ANA-0104]
)");
}

TEST(Binding, TwoValuesOfOneNameContradict) {
  EXPECT_EQ(
      resolve_error(kTwoInputs, shapes({{"ids", {2, 8}}, {"mask", {2, 9}}})),
      R"(error: sketch: input 'mask': size 'sequence' is set to 8 by --shape ids=2x8, but to 9 by --shape mask=2x9
  hint: a size name has one value for all inputs; use the same value in both
  [RIDGE-ANA-0107]
)");
}

TEST(Binding, TheFilesOwnSizesStand) {
  constexpr std::string_view kFixed = "graph main\n input x[1,3,n]\n r: Relu(x) -> y\n output y";
  EXPECT_EQ(
      resolve_error(kFixed, shapes({{"x", {2, 3, 4}}})),
      R"(error: sketch: input 'x': --shape x=2x3x4 has 2 as dimension 0, the file fixes it at 1: [1, 3, n]
  hint: export the model with this dimension free, or keep the file's size
  [RIDGE-ANA-0106]
)");
  EXPECT_EQ(
      resolve_error(kFixed, shapes({{"x", {1, 3}}})),
      "error: sketch: input 'x': --shape x=1x3 has 2 dimensions, the file declares 3: [1, 3, n]\n"
      "  hint: give one number per dimension\n  [RIDGE-ANA-0105]\n");
}

TEST(Binding, NamesThatExportersWriteForUnknownAreNoNames) {
  const Resolved r =
      resolved("graph main\n input a[?,2] b[-1,2]\n cat: Concat(a, b) {axis=0} -> y\n output y",
               named_sizes({{"a[0]", {3, false}}}));
  EXPECT_EQ(shown_binding(r), "a[0]=3 b[0]=1? ");
  EXPECT_EQ(type_of(r, "y"), "float32[4,2]");
}

TEST(Binding, AnEmptyInputIsLegalAndSaysSo) {
  const Resolved r = resolved("graph main\n input x[0,3]\n r: Relu(x) -> y\n output y");
  EXPECT_EQ(type_of(r, "y"), "float32[0,3]");
  ASSERT_EQ(r.notes().size(), 1U);
  EXPECT_EQ(
      r.notes()[0],
      "input 'x' has no elements: the file declares [0, 3]; set its shape with --shape x=NxN");
  EXPECT_EQ(
      resolved("graph main\n input x[0,3]\n r: Relu(x) -> y\n output y", shapes({{"x", {5, 3}}}))
          .totals()
          .flops.value(),
      15);
}

TEST(Binding, SymbolicSizesStayExpressions) {
  Bindings free;
  free.free = FreeSizes::kSymbolic;
  const Resolved r = resolved(
      "graph main\n input x[batch,64]\n constant w[64,32]\n mm: MatMul(x, w) -> y\n output y",
      free);
  EXPECT_EQ(testing::shown(r, "mm"),
            "float32[batch,32] macs 2048*batch bytes 256*batch + 8192+128*batch params 2048");
}

TEST(Binding, CountsAreTheSymbolicOnesEvaluated) {
  // Oracle: the same model with bound sizes.
  Bindings free;
  free.free = FreeSizes::kSymbolic;
  const Resolved symbolic = resolved(kTwoInputs, free);
  for (const std::int64_t batch : {1, 3}) {
    for (const std::int64_t sequence : {1, 7, 128}) {
      const Resolved fixed = resolved(
          kTwoInputs, named_sizes({{"batch", {batch, false}}, {"sequence", {sequence, false}}}));
      const auto size = [&](std::string_view name) -> std::optional<std::int64_t> {
        return name == "batch" ? batch : sequence;
      };
      EXPECT_EQ(symbolic.dims().evaluate(symbolic.totals().flops, size),
                fixed.totals().flops.value());
      EXPECT_EQ(symbolic.dims().evaluate(symbolic.totals().bytes_read, size),
                fixed.totals().bytes_read.value());
    }
  }
}

}  // namespace
}  // namespace ridge::analysis
