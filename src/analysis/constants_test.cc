// SPDX-License-Identifier: Apache-2.0
#include "analysis/constants.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "analysis/testing.h"
#include "onnx/reader.h"
#include "onnx/writer.h"
#include "ops/type.h"

namespace ridge::analysis {
namespace {

using onnx::DataType;

class Constants : public ::testing::Test {
 protected:
  template <typename T>
  const ops::Value* decode(DataType type, const std::vector<T>& stored, std::int64_t elements) {
    tensor_.type = type;
    dims_ = {elements};
    tensor_.dims = std::span(dims_);
    tensor_.elements = elements;
    tensor_.storage = onnx::Storage::kInline;
    tensor_.bytes = std::as_bytes(document_.arena.copy(stored));
    Result<const ops::Value*> value = tensor_value(document_, tensor_, arena_);
    return value.ok() ? *value : nullptr;
  }

  template <typename T>
  std::vector<std::int64_t> integers(DataType type, const std::vector<T>& stored,
                                     std::int64_t elements) {
    std::vector<std::int64_t> out;
    if (const ops::Value* value = decode(type, stored, elements))
      for (const ops::Dim& d : value->ints) out.push_back(d.known() ? d.value() : -999);
    return out;
  }

  onnx::Document document_;
  onnx::Tensor tensor_;
  std::vector<std::int64_t> dims_;
  Arena arena_;
};

using Ints = std::vector<std::int64_t>;

TEST_F(Constants, IntegersOfEveryWidth) {
  EXPECT_EQ(integers<std::int64_t>(DataType::kInt64, {-1, INT64_MIN, INT64_MAX}, 3),
            (Ints{-1, INT64_MIN, INT64_MAX}));
  EXPECT_EQ(integers<std::int32_t>(DataType::kInt32, {-7, 7}, 2), (Ints{-7, 7}));
  EXPECT_EQ(integers<std::uint32_t>(DataType::kUint32, {4294967295U}, 1), (Ints{4294967295}));
  EXPECT_EQ(integers<std::int16_t>(DataType::kInt16, {-300}, 1), (Ints{-300}));
  EXPECT_EQ(integers<std::uint16_t>(DataType::kUint16, {65535}, 1), (Ints{65535}));
  EXPECT_EQ(integers<std::int8_t>(DataType::kInt8, {-128}, 1), (Ints{-128}));
  EXPECT_EQ(integers<std::uint8_t>(DataType::kUint8, {255}, 1), (Ints{255}));
  EXPECT_EQ(integers<std::uint8_t>(DataType::kBool, {0, 1, 2}, 3), (Ints{0, 1, 1}));
}

TEST_F(Constants, PackedElementsComeLowestFirst) {
  EXPECT_EQ(integers<std::uint8_t>(DataType::kUint4, {0x21, 0x0f}, 3), (Ints{1, 2, 15}));
  EXPECT_EQ(integers<std::uint8_t>(DataType::kInt4, {0x8f}, 2), (Ints{-1, -8}));
  EXPECT_EQ(integers<std::uint8_t>(DataType::kInt2, {0b11'10'01'00}, 4), (Ints{0, 1, -2, -1}));
}

TEST_F(Constants, AnUnsignedNumberPastTheIntegersIsUnknown) {
  EXPECT_EQ(integers<std::uint64_t>(DataType::kUint64, {5, UINT64_MAX}, 2), (Ints{5, -999}));
}

TEST_F(Constants, EveryHalfIsTheValueOfItsDefinition) {
  // Oracle: IEEE 754-2019 §3.4, sign * 2^(e-15) * (1 + m/1024), subnormals 2^-14 * m/1024.
  for (unsigned bits = 0; bits < 0x7c00; ++bits) {
    const unsigned e = bits >> 10, m = bits & 1023;
    const double expected =
        e == 0 ? std::ldexp(m / 1024.0, -14) : std::ldexp(1 + m / 1024.0, static_cast<int>(e) - 15);
    const ops::Value* value =
        decode<std::uint16_t>(DataType::kFloat16, {static_cast<std::uint16_t>(bits)}, 1);
    ASSERT_NE(value, nullptr);
    ASSERT_EQ(value->reals[0], expected) << bits;
  }
  EXPECT_EQ(decode<std::uint16_t>(DataType::kFloat16, {0xfc00}, 1)->reals[0], -HUGE_VAL);
  EXPECT_TRUE(std::isnan(decode<std::uint16_t>(DataType::kFloat16, {0x7e00}, 1)->reals[0]));
}

TEST_F(Constants, BfloatIsTheUpperHalfOfAFloat) {
  EXPECT_EQ(decode<std::uint16_t>(DataType::kBfloat16, {0xbfc0}, 1)->reals[0], -1.5);
  EXPECT_EQ(decode<float>(DataType::kFloat, {0.25F}, 1)->reals[0], 0.25);
  EXPECT_EQ(decode<double>(DataType::kDouble, {0.1}, 1)->reals[0], 0.1);
}

TEST_F(Constants, WhatIsLargeOrNoNumberIsLeftAlone) {
  EXPECT_EQ(decode(DataType::kInt64, std::vector<std::int64_t>(5000), 5000), nullptr);
  EXPECT_EQ(decode<std::uint8_t>(DataType::kString, {1}, 1), nullptr);
  EXPECT_EQ(decode<double>(DataType::kComplex64, {1}, 1), nullptr);
}

TEST_F(Constants, ATensorWithoutElementsIsKnown) {
  tensor_.type = DataType::kInt64;
  dims_ = {0};
  tensor_.dims = std::span(dims_);
  const Result<const ops::Value*> value = tensor_value(document_, tensor_, arena_);
  ASSERT_TRUE(value.ok());
  ASSERT_NE(*value, nullptr);
  EXPECT_TRUE((*value)->ints.empty());
}

TEST(ConstantsInFiles, AreReadWhereAShapeNeedsThem) {
  // 200 integers exceed the number that the reader keeps in memory.
  std::string elements;
  for (int i = 0; i < 200; ++i) elements += fmt::format("{}{}", i == 0 ? "" : ",", i % 3);
  const auto sketch =
      graph::Sketch::document("graph main\n input x[3,4]\n integers picks[200]=" + elements +
                              "\n pick: Gather(x, picks) {axis=0} -> y\n output y");
  const std::string path = ::testing::TempDir() + "ridge_constants.onnx";
  ASSERT_TRUE(onnx::write_file(*sketch, path).ok());
  const Result<onnx::Document> read = onnx::read_file(path);
  ASSERT_TRUE(read.ok());
  const onnx::Tensor& tensor = read->model.graph.initializers[0];
  EXPECT_EQ(tensor.storage, onnx::Storage::kFile);
  Arena arena;
  const Result<const ops::Value*> value = tensor_value(*read, tensor, arena);
  ASSERT_TRUE(value.ok() && *value != nullptr);
  ASSERT_EQ((*value)->ints.size(), 200U);
  EXPECT_EQ((*value)->ints[199].value(), 199 % 3);
}

TEST(ConstantsInFiles, OneThatIsMissingLeavesItsFollowersUnknown) {
  const auto document = graph::Sketch::document(
      "graph main\n input x[2,4]\n integers target[2]=4,2\n r: Reshape(x, target) -> v\n"
      " a: Relu(v) -> y\n output y");
  onnx::Tensor target = document->model.graph.initializers[0];
  target.storage = onnx::Storage::kFile;
  target.external = true;
  target.location = "nowhere.bin";
  target.length = -1;
  document->model.graph.initializers = document->arena.copy(std::vector{target});
  const Result<Resolved> r =
      resolve(std::make_shared<const graph::Model>(*graph::Model::build(document)), {});
  ASSERT_TRUE(r.ok()) << r.error().text();
  EXPECT_EQ(testing::shown(*r, "a").substr(0, 20), "float32[?,?] flops ?");
  ASSERT_EQ(r->notes().size(), 1U);
  EXPECT_TRUE(r->notes()[0].starts_with(
      "1 constant could not be read, dependent values remain unknown: 'target': "))
      << r->notes()[0];
}

}  // namespace
}  // namespace ridge::analysis
