// SPDX-License-Identifier: Apache-2.0
#include "accelerator/tvm/tir_reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ridge::accelerator {
namespace {

using Nodes = std::vector<std::string>;

std::string node(std::string_view type, std::string_view data) {
  return fmt::format(R"({{"type":"{}","data":{}}})", type, data);
}

/// Nodes of: for i in 4: x[i] = 1.0
Nodes copy_loop() {
  return {node("None", "0"),
          node("int", "4"),
          node("ir.IntImm", R"({"value":1})"),  // #2: 4
          node("ffi.Array", "[2]"),
          node("ffi.String", R"("float32")"),
          node("tirx.BufferType", R"({"dtype":4,"shape":3})"),  // #5
          node("ffi.String", R"("x")"),
          node("ir.Var", R"({"ty":5,"name":6})"),  // #7: buffer
          node("int", "0"),
          node("ir.IntImm", R"({"value":8})"),  // #9: 0
          node("ir.PrimType", R"({"dtype":"int64"})"),
          node("ir.Var", R"({"ty":10,"name":6})"),  // #11: i
          node("ffi.Array", "[11]"),
          node("ir.FloatImm", R"({"value":1.0})"),
          node("tirx.BufferStore", R"({"buffer":7,"value":13,"indices":12})"),  // #14
          node("tirx.For", R"({"loop_var":11,"min":9,"extent":2,"body":14,"step":0})"),
          node("ffi.Array", "[7]"),
          node("tirx.PrimFunc", R"({"params":16,"body":15})"),  // #17
          node("ir.GlobalVar", R"({"name_hint":6})"),
          node("ffi.Map", "[18,17]"),
          node("ir.IRModule", R"({"functions":19})")};
}

std::string text_of(const Nodes& nodes, std::string_view version = kTvmVersion) {
  return fmt::format(R"({{"root_index":{},"nodes":[{}],"metadata":{{"tvm_version":"{}"}}}})",
                     nodes.size() - 1, fmt::join(nodes, ","), version);
}

std::string tir_error(std::string_view text) {
  const auto module = read_tir(text);
  return module.ok() ? "fine" : module.error().summary();
}

std::string error_with(std::size_t at, const std::string& replacement) {
  Nodes nodes = copy_loop();
  nodes[at] = replacement;
  return tir_error(text_of(nodes));
}

TEST(TirReader, ReadsAFunction) {
  const auto module = read_tir(text_of(copy_loop()));
  ASSERT_TRUE(module.ok()) << module.error().text();
  const TirFunction* f = module->find("x");
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(module->find("y"), nullptr);
  const Stmt& loop = module->nest.stmt(f->root);
  EXPECT_EQ(loop.kind, Stmt::Kind::kLoop);
  EXPECT_EQ(loop.extent, 4);
  ASSERT_EQ(f->parameters.size(), 1U);
  EXPECT_EQ(module->nest.buffer(f->parameters[0]).shape, std::vector<std::int64_t>{4});
}

TEST(TirReader, TakesOneVersionOnly) {
  EXPECT_EQ(read_tir(text_of(copy_loop(), "0.28.0")).error().text(),
            "error: the loop nests are from TVM '0.28.0'; only version 0.27.0.post1 is supported\n"
            "  hint: scripts/fetch_tvm.sh installs that version\n"
            "  [RIDGE-ACC-0322]\n");
}

TEST(TirReader, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(error_with(15, node("tirx.While", R"({"body":14})")),
            "node #17 'tirx.PrimFunc' of TVM's loop nests refers to node #15 'tirx.While', but a "
            "statement is expected there");
  EXPECT_EQ(error_with(13, node("prim.Shuffle", "{}")),
            "node #14 'tirx.BufferStore' of TVM's loop nests refers to node #13 'prim.Shuffle', "
            "but an expression is expected there");
  EXPECT_EQ(
      error_with(4, node("ffi.String", R"("float32x4")")),
      "node #5 'tirx.BufferType' of TVM's loop nests has the unsupported element type 'float32x4'");
}

TEST(TirReader, RefusesSizesThatAreNoNumbers) {
  EXPECT_EQ(error_with(15, node("tirx.For", R"({"loop_var":11,"min":9,"extent":11,"body":14})")),
            "node #15 'tirx.For' of TVM's loop nests has a size that is not a constant number");
  EXPECT_EQ(
      error_with(15, node("tirx.For", R"({"loop_var":11,"min":9,"extent":2,"body":14,"step":2})")),
      "node #15 'tirx.For' of TVM's loop nests has a step other than 1");
}

TEST(TirReader, RefusesReferencesForward) {
  EXPECT_EQ(error_with(14, node("tirx.BufferStore", R"({"buffer":7,"value":99,"indices":12})")),
            "node #14 'tirx.BufferStore' of TVM's loop nests refers to node #99, which is not "
            "before it");
  EXPECT_EQ(error_with(15, node("tirx.For", R"({"loop_var":11,"min":9,"extent":2,"body":15})")),
            "node #15 'tirx.For' of TVM's loop nests refers to node #15, which is not before it");
}

TEST(TirReader, BoundsWhatNodesTakeOutOfOthersInAll) {
  Nodes nodes = copy_loop();
  nodes.resize(14);  // up to #13, a number
  std::string many = "[13";
  for (int i = 1; i < 10'000; ++i) many += ",13";
  nodes.push_back(node("ffi.Array", many + "]"));
  for (int i = 0; i < 2'000; ++i) nodes.push_back(node("ir.Call", R"({"op":6,"args":14})"));
  EXPECT_EQ(tir_error(text_of(nodes)),
            "node #1692 'ir.Call' of TVM's loop nests exceeds the limit of 16777216 elements "
            "copied from other nodes");
}

TEST(TirReader, RefusesTextThatEndsTooEarly) {
  const std::string whole = text_of(copy_loop());
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(tir_error(std::string_view(whole).substr(0, size)), "fine") << size;
}

}  // namespace
}  // namespace ridge::accelerator
