// SPDX-License-Identifier: Apache-2.0
// Sizes that are expressions of others, from the file to the bound shapes.
#include "analysis/sizes/size_equations.h"

#include <gtest/gtest.h>

#include "analysis/sizes/binding.h"
#include "analysis/sizes/size_names.h"
#include "analysis/sizes/symbolic_totals.h"
#include "analysis/testing.h"

namespace ridge::analysis {
namespace {

using testing::type_of;

/// A decoder's mask as optimum declares it. Names with blanks cannot stand in a sketch, so the
/// dimensions are written over.
std::shared_ptr<const graph::Model> decoder(std::string_view mask = "past + sequence") {
  auto document = graph::Sketch::document(R"(
    graph main
      input ids[batch,sequence,4] past_key[batch,past,4] mask[batch,total]
      keys: Concat(past_key, ids) {axis=1} -> all
      turned: Transpose(all) {perm=[0,2,1]} -> columns
      scores: MatMul(ids, columns) -> qk
      output qk mask
  )");
  std::vector<onnx::ValueInfo> inputs(document->model.graph.inputs.begin(),
                                      document->model.graph.inputs.end());
  onnx::TypeInfo& type = inputs[2].type;
  std::vector<onnx::Dimension> dims(type.shape.begin(), type.shape.end());
  dims[1].param = document->arena.copy(mask);
  type.shape = document->arena.copy(dims);
  document->model.graph.inputs = document->arena.copy(inputs);
  Result<graph::Model> built = graph::Model::build(document);
  if (!built.ok()) throw std::runtime_error(built.error().text());
  return std::make_shared<const graph::Model>(std::move(built).value());
}

Bindings integer_sizes(std::map<std::string, std::int64_t> values) {
  Bindings out;
  for (const auto& [name, value] : values) out.sizes[name] = {value, false};
  return out;
}

std::string shown_equations(const Result<Resolved>& r) {
  if (!r.ok()) return r.error().text();
  std::string text = type_of(*r, "mask") + " ";
  for (const auto& [name, b] : r->bindings())
    text += fmt::format("{}={}{} ", name, b.value, b.assumed ? "?" : "");
  return text;
}

TEST(SizeEquations, AnExpressionFollowsFromItsNames) {
  const auto r = resolve(decoder(), integer_sizes({{"batch", 1}, {"sequence", 1}, {"past", 15}}));
  EXPECT_EQ(shown_equations(r), "float32[1,16] batch=1 past=15 sequence=1 ");
  EXPECT_EQ(r->totals().macs.value(), 16 * 4);
}

TEST(SizeEquations, ABoundExpressionGivesItsUnknown) {
  EXPECT_EQ(shown_equations(
                resolve(decoder(), integer_sizes({{"sequence", 1}, {"past + sequence", 16}}))),
            "float32[1,16] batch=1? past=15 sequence=1 ");
  EXPECT_EQ(
      shown_equations(resolve(decoder(), integer_sizes({{"sequence", 1}, {"past+sequence", 16}}))),
      "float32[1,16] batch=1? past=15 sequence=1 ");
  Bindings shape = integer_sizes({{"past", 15}});
  shape.shapes["mask"] = {2, 16};
  EXPECT_EQ(shown_equations(resolve(decoder(), shape)),
            "float32[2,16] batch=2 past=15 sequence=1 ");
}

TEST(SizeEquations, AnEmptyCacheIsASize) {
  const auto r = resolve(decoder(), integer_sizes({{"sequence", 8}, {"past", 0}}));
  EXPECT_EQ(shown_equations(r), "float32[1,8] batch=1? past=0 sequence=8 ");
  EXPECT_EQ(r->totals().macs.value(), 8 * 8 * 4);
  EXPECT_EQ(r->notes().size(), 1U);  // the batch alone
}

TEST(SizeEquations, AContradictionNamesBothSides) {
  EXPECT_EQ(
      shown_equations(resolve(
          decoder(), integer_sizes({{"past", 15}, {"sequence", 1}, {"past + sequence", 17}}))),
      "error: sketch: size 'past + sequence' is set to 17 by --bind past + sequence=17, but is "
      "16 with past = 15, sequence = 1 by --bind past=15 and --bind sequence=1\n"
      "  hint: leave one of them out: the others follow from it\n"
      "  [RIDGE-ANA-0109]\n");
  Bindings shape = integer_sizes({{"past", 15}, {"sequence", 1}});
  shape.shapes["mask"] = {1, 17};
  const auto r = resolve(decoder(), shape);
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.error().code(), "RIDGE-ANA-0109");
}

TEST(SizeEquations, NoSizeThatFitsIsSaid) {
  EXPECT_EQ(
      shown_equations(resolve(decoder(), integer_sizes({{"past", 15}, {"past + sequence", 3}}))),
      "error: sketch: --bind past + sequence=3: no size 'sequence' gives 'past + sequence' the "
      "value 3 with past = 15\n"
      "  hint: set 'sequence' itself, and leave out the expression\n"
      "  [RIDGE-ANA-0108]\n");
  EXPECT_EQ(shown_equations(
                resolve(decoder("past - 20"), integer_sizes({{"past", 15}, {"sequence", 1}}))),
            "error: sketch: dimension 1 of input 'mask', 'past - 20', is -5 with past = 15\n"
            "  hint: choose sizes for which every dimension is a whole number, at least 0\n"
            "  [RIDGE-ANA-0110]\n");
  EXPECT_EQ(
      shown_equations(resolve(decoder("past/2"), integer_sizes({{"past", 15}, {"sequence", 1}}))),
      "error: sketch: dimension 1 of input 'mask', 'past/2', is no whole number with past = "
      "15\n"
      "  hint: choose sizes for which every dimension is a whole number, at least 0\n"
      "  [RIDGE-ANA-0110]\n");
}

TEST(SizeEquations, NamesThatAreOpenAreAskedFor) {
  EXPECT_EQ(shown_equations(
                resolve(decoder("Max(1, s0)"), integer_sizes({{"past", 1}, {"sequence", 1}}))),
            "error: sketch: a size is free: 's0' (in dimension 1 of input 'mask', [batch, Max(1, "
            "s0)])\n"
            "  hint: set it with --bind s0=N\n"
            "  [RIDGE-ANA-0101]\n");
  EXPECT_EQ(
      shown_equations(
          resolve(decoder("(s0 - 3)//2 + 1"),
                  integer_sizes({{"past", 1}, {"sequence", 1}, {"(s0 - 3)//2 + 1", 4}}))),
      "error: sketch: a size is free: 's0' (in dimension 1 of input 'mask', [batch, (s0 - 3)//2 + "
      "1]; 9 to 10 fit --bind (s0 - 3)//2 + 1=4)\n"
      "  hint: set it with --bind s0=N\n"
      "  [RIDGE-ANA-0101]\n");
  EXPECT_EQ(shown_equations(resolve(decoder("Max(1, s0)"),
                                    integer_sizes({{"past", 1}, {"sequence", 1}, {"s0", 7}}))),
            "float32[1,7] batch=1? past=1 s0=7 sequence=1 ");
}

TEST(SizeEquations, AnExpressionOfNamesWithoutValuesMayBeSetAsAWhole) {
  EXPECT_EQ(
      shown_equations(resolve(decoder("rows*columns"),
                              integer_sizes({{"past", 1}, {"sequence", 1}, {"rows*columns", 12}}))),
      "float32[1,12] batch=1? past=1 rows*columns=12 sequence=1 ");
}

TEST(SizeEquations, SymbolicTotalsArePolynomialsOfTheNames) {
  Bindings free;
  free.free = FreeSizes::kSymbolic;
  const auto r = resolve(decoder(), free);
  ASSERT_TRUE(r.ok());
  EXPECT_EQ(type_of(*r, "mask"), "float32[batch,sequence + past]");
  EXPECT_EQ(symbolic_totals(*r)[0].text, "4*batch*sequence^2 + 4*batch*sequence*past");
  std::string names;
  for (const FreeSize& size : free_sizes(*r)) names += size.name + " ";
  EXPECT_EQ(names, "batch past sequence ");
}

TEST(SizeEquations, LeadingExpressionsHaveTheBatchInside) {
  const auto model = decoder();
  EXPECT_EQ(free_sizes(*model, 0), (std::vector<std::string>{"batch"}));
  const SizeNames names(*model);
  EXPECT_TRUE(names.contains("past + sequence"));
  EXPECT_EQ(names.of("past + sequence"), (std::vector<std::string>{"past", "sequence"}));
  EXPECT_EQ(names.of("total"), (std::vector<std::string>{"total"}));
  EXPECT_EQ(names.spelled("past+sequence"), "past + sequence");
}

}  // namespace
}  // namespace ridge::analysis
