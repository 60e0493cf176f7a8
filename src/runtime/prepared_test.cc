// SPDX-License-Identifier: Apache-2.0
// Prepared models: what they depend on, and those of the null runtime. Real ones:
// ort/ort_prepared_test.cc.
#include "runtime/prepared.h"

#include <gtest/gtest.h>

#include <cstring>

#include "runtime/paths.h"
#include "runtime/runtime.h"
#include "runtime/testing/expect.h"
#include "runtime/testing/kept_model.h"

namespace ridge::runtime {
namespace {

TEST(Preparation, NamesTheRuntimeAndWhatChangesItsModels) {
  const RuntimeInfo info{"ONNX Runtime", "1.31.1", "/lib/x.so", "", 0};
  Options options{.threads = 4, .entries = {{"b", "2"}, {"a", "1\n1:b=1:2"}}};
  const std::string text = preparation(info, options);
  EXPECT_EQ(text,
            "ONNX Runtime 1.31.1\noptimization=all\ndeterministic=0\n1:a=9:1\n1:b=1:2\n1:b=1:2\n");
  options.threads = 1;
  options.cpus = {3};
  EXPECT_EQ(preparation(info, options), text);
  options.entries = {{"a", "1"}, {"b", "2"}};
  EXPECT_NE(preparation(info, options), text);
  options.optimization = Optimization::kBasic;
  EXPECT_TRUE(preparation(info, options).find("\noptimization=basic\n") != std::string::npos);
}

TEST(Prepared, ATensorOutsideItsFileIsThePlugInsFault) {
  Prepared prepared;
  prepared.elements = expect_ok(ipc::SharedMemory::make_unmapped(100));
  for (const auto& [offset, bytes] :
       std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 100}, {100, 0}, {99, 1}}) {
    prepared.tensors = {{"w", onnx::DataType::kUint8, {bytes}, offset, bytes}};
    EXPECT_TRUE(check_prepared(prepared).ok()) << offset;
  }
  for (const auto& [offset, bytes] : std::vector<std::pair<std::int64_t, std::int64_t>>{
           {0, 101}, {101, 0}, {-1, 1}, {1, -1}, {INT64_MAX, 1}}) {
    prepared.tensors = {{"w", onnx::DataType::kUint8, {bytes}, offset, bytes}};
    EXPECT_EQ(check_prepared(prepared).error().code(), "RIDGE-RT-0071") << offset;
  }
  prepared.tensors = {{"w", onnx::DataType::kUint8, {8}, 96, 8}};
  EXPECT_EQ(check_prepared(prepared).error().text(),
            "error: weight 'w' of the prepared model lies outside its file\n"
            "  bytes 96 to 104 of 100\n"
            "  hint: the plug-in's prepare is wrong (runtime/abi.h)\n"
            "  [RIDGE-RT-0071]\n");
}

Weight text_weight(const std::string& name, const std::string& text) {
  const auto* data = reinterpret_cast<const std::byte*>(text.data());
  return {name, onnx::DataType::kUint8, {std::ssize(text)}, std::vector(data, data + text.size())};
}

TEST(Prepared, OfTheNullRuntimeHoldItsWeights) {
  Runtime runtime = expect_ok(Runtime::spawn({.plugin = expect_ok(find_plugin("null"))}));
  const std::vector<Weight> weights = {text_weight("a", "first"), text_weight("b", ""),
                                       text_weight("c", "the third")};
  const Prepared prepared = expect_ok(runtime.prepare({.model = "m", .weights = weights}));
  EXPECT_EQ(prepared.model, "m");
  const testing::KeptModel kept = expect_ok(testing::keep(prepared));
  ASSERT_EQ(kept.weights.size(), 3U);
  EXPECT_EQ(kept.bytes, 14);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const auto& range = std::get<onnx::WeightRange>(kept.weights[i].elements);
    std::vector<std::byte> elements(static_cast<std::size_t>(range.length));
    expect_ok(range.file->read_at(range.offset, elements));
    EXPECT_EQ(elements, std::get<std::vector<std::byte>>(weights[i].elements));
    EXPECT_EQ(range.offset % 4096, 0);
  }
  EXPECT_TRUE(runtime.load(kept.request(Form::kPrepared)).ok());
  // A model without weights has no file.
  EXPECT_FALSE(expect_ok(runtime.prepare({.model = "n", .weights = {}})).elements.is_open());
}

TEST(Prepared, ARuntimeThatPreparesNoneSaysSo) {
  Runtime runtime = expect_ok(Runtime::spawn({.plugin = expect_ok(find_plugin("plain"))}));
  const std::string expected =
      "error: Plain does not prepare models for later loads\n"
      "  hint: its plug-in has no prepare (runtime/abi.h); load the model itself\n"
      "  [RIDGE-RT-0070]\n";
  EXPECT_EQ(runtime.prepare({.model = "m", .weights = {}}).error().text(), expected);
  EXPECT_EQ(runtime.load({.model = "m", .weights = {}, .form = Form::kPrepared}).error().text(),
            expected);
  EXPECT_TRUE(runtime.load({.model = "m", .weights = {}}).ok());
}

}  // namespace
}  // namespace ridge::runtime
