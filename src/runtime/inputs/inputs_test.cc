// SPDX-License-Identifier: Apache-2.0
#include "runtime/inputs/inputs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <set>

#include "runtime/testing/expect.h"

namespace ridge::runtime {
namespace {

using onnx::DataType;

template <typename T>
std::vector<T> filled(const InputSpec& spec, std::size_t elements) {
  std::vector<T> values(elements);
  expect_ok(fill_input(spec, std::as_writable_bytes(std::span(values))));
  return values;
}

TEST(Inputs, FloatsHaveMeanZeroAndDeviationOne) {
  const auto values = filled<float>({.type = DataType::kFloat, .seed = 3}, 100'000);
  double sum = 0, squares = 0;
  for (const float v : values) {
    sum += static_cast<double>(v);
    squares += static_cast<double>(v) * static_cast<double>(v);
  }
  EXPECT_NEAR(sum / 1e5, 0, 0.02);
  EXPECT_NEAR(squares / 1e5, 1, 0.02);
}

TEST(Inputs, IntegersStayBelowTheirBound) {
  const auto ids =
      filled<std::int64_t>({.type = DataType::kInt64, .bound = 30'522, .seed = 5}, 50'000);
  std::set<std::int64_t> distinct(ids.begin(), ids.end());
  EXPECT_GE(*distinct.begin(), 0);
  EXPECT_LT(*distinct.rbegin(), 30'522);
  EXPECT_GT(distinct.size(), 20'000U);
  const auto mask = filled<std::int32_t>({.type = DataType::kInt32, .seed = 5}, 1000);
  EXPECT_EQ(std::set<std::int32_t>(mask.begin(), mask.end()), (std::set<std::int32_t>{0, 1}));
}

TEST(Inputs, ElementsOfAKnownMeaningFollowFromTheirPlace) {
  EXPECT_EQ(
      filled<std::int64_t>({.type = DataType::kInt64, .dims = {2, 3}, .fill = Fill{125, 1}}, 6),
      (std::vector<std::int64_t>{125, 126, 127, 125, 126, 127}));
  EXPECT_EQ(filled<float>({.dims = {2}, .fill = Fill{1, 0}}, 2), (std::vector<float>{1, 1}));
  EXPECT_EQ(filled<std::uint16_t>({.type = DataType::kFloat16, .dims = {2}, .fill = Fill{1, 0}}, 2),
            (std::vector<std::uint16_t>{0x3c00, 0x3c00}));
  EXPECT_EQ(filled<std::uint8_t>({.type = DataType::kBool, .dims = {}, .fill = Fill{1, 0}}, 1),
            std::vector<std::uint8_t>{1});
}

TEST(Inputs, ALineSaysWhatIsKnownOfThem) {
  const Inputs inputs = expect_ok(
      Inputs::make({{.name = "m", .dims = {2}, .fill = Fill{1, 0}, .known = "mask all 1"},
                    {.name = "x", .dims = {2}},
                    {.name = "m", .dims = {2}, .fill = Fill{1, 0}, .known = "mask all 1"},
                    {.name = "p", .dims = {2}, .fill = Fill{0, 1}, .known = "p 0 and on"}}));
  EXPECT_EQ(inputs.notes,
            std::vector<std::string>{"inputs by their meaning: mask all 1; p 0 and on"});
}

TEST(Inputs, ABoundBeyondTheTypeIsTheTypes) {
  const auto bytes = filled<std::int8_t>({.type = DataType::kInt8, .bound = 1 << 20}, 10'000);
  for (const std::int8_t v : bytes) EXPECT_GE(v, 0);
  const auto flags = filled<std::uint8_t>({.type = DataType::kBool, .bound = 200}, 1000);
  for (const std::uint8_t v : flags) EXPECT_LE(v, 1);
}

TEST(Inputs, AreTheSameEveryTimeAndDifferFromEachOther) {
  const std::vector<InputSpec> specs = {{.name = "a", .dims = {100}}, {.name = "b", .dims = {100}}};
  const Inputs first = expect_ok(Inputs::make(specs)), second = expect_ok(Inputs::make(specs));
  const auto bytes = [](const Inputs& inputs, std::size_t i) {
    return std::string(
        reinterpret_cast<const char*>(inputs.memory.bytes().data()) + inputs.tensors[i].offset,
        static_cast<std::size_t>(inputs.tensors[i].bytes));
  };
  EXPECT_EQ(bytes(first, 0), bytes(second, 0));
  EXPECT_NE(bytes(first, 0), bytes(first, 1));
  EXPECT_EQ(first.tensors[1].offset % 64, 0);
}

TEST(Inputs, SayWhatCannotBeMade) {
  const std::int64_t huge = std::int64_t{1} << 40;
  EXPECT_EQ(Inputs::make({{.name = "x", .dims = {huge, huge}}}).error().text(),
            "error: input 'x': an array of float32 with shape [1099511627776, 1099511627776] "
            "cannot be made\n"
            "  hint: choose smaller sizes with --bind or --shape\n"
            "  [RIDGE-RT-0041]\n");
  EXPECT_EQ(Inputs::make({{.name = "x", .dims = {huge << 20}}, {.name = "y", .dims = {huge << 20}}})
                .error()
                .code(),
            "RIDGE-RT-0043");
}

TEST(Inputs, ScalarsAndEmptyTensorsAreFine) {
  const Inputs inputs =
      expect_ok(Inputs::make({{.name = "s", .dims = {}}, {.name = "e", .dims = {0, 3}}}));
  EXPECT_EQ(inputs.tensors[0].bytes, 4);
  EXPECT_EQ(inputs.tensors[1].bytes, 0);
  EXPECT_TRUE(Inputs::make({}).ok());
}

TEST(Inputs, TextIsEndsAndThenBytes) {
  const Inputs inputs =
      expect_ok(Inputs::make({{.name = "t", .type = DataType::kString, .dims = {3}}}));
  ASSERT_EQ(inputs.tensors[0].bytes, 3 * 8 + 3);
  std::int64_t ends[3];
  std::memcpy(ends, inputs.memory.bytes().data(), sizeof(ends));
  EXPECT_EQ(std::vector<std::int64_t>(ends, ends + 3), (std::vector<std::int64_t>{1, 2, 3}));
  for (std::size_t i = 0; i < 3; ++i) {
    const auto c = static_cast<char>(inputs.memory.bytes()[24 + i]);
    EXPECT_TRUE(c >= '0' && c <= '9') << c;
  }
}

/// Writes bytes of protobuf to a file in the test's folder.
std::string written_file(const std::string& name, std::string_view bytes) {
  std::string path = ::testing::TempDir() + name;
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

// TensorProto { dims: 2  data_type: STRING  string_data: "ab"  string_data: "" }
constexpr std::string_view kTexts("\x08\x02\x10\x08\x32\x02\x61\x62\x32\x00", 10);
// TensorProto { dims: 1  data_type: BFLOAT16  raw_data: 80 3f }
constexpr std::string_view kHalf("\x08\x01\x10\x10\x4a\x02\x80\x3f", 8);

TEST(Inputs, AFileOfOnnxsTestDataHoldsATensor) {
  const InputSpec texts{.name = "t",
                        .type = DataType::kString,
                        .dims = {2},
                        .file = written_file("texts.pb", kTexts)};
  const InputSpec half{.name = "h",
                       .type = DataType::kBfloat16,
                       .dims = {1},
                       .file = written_file("half.pb", kHalf)};
  const Inputs inputs = expect_ok(Inputs::make({texts, half}));
  EXPECT_EQ(inputs.tensors[0].bytes, 2 * 8 + 2);
  EXPECT_EQ(static_cast<char>(inputs.memory.bytes()[17]), 'b');
  EXPECT_EQ(static_cast<int>(
                inputs.memory.bytes()[static_cast<std::size_t>(inputs.tensors[1].offset) + 1]),
            0x3f);
  InputSpec other = half;
  other.dims = {2};
  EXPECT_EQ(Inputs::make({other}).error().code(), "RIDGE-RT-0042");
}

TEST(Inputs, AFileOfOnnxsTestDataHoldsASequence) {
  // SequenceProto { elem_type: TENSOR  tensor_values { ... }  tensor_values { ... } }
  const std::string two =
      std::string("\x10\x01\x1a\x08") + std::string(kHalf) + "\x1a\x08" + std::string(kHalf);
  const std::vector<onnx::TypeKind> list = {onnx::TypeKind::kSequence};
  const InputSpec spec{.name = "s",
                       .type = DataType::kBfloat16,
                       .file = written_file("two.pb", two),
                       .around = list};
  const Inputs inputs = expect_ok(Inputs::make({spec}));
  EXPECT_EQ(inputs.tensors[0].kind, RIDGE_SEQUENCE);
  ASSERT_EQ(inputs.tensors[0].members.size(), 2U);
  EXPECT_EQ(inputs.tensors[0].members[1].offset, 64);
  EXPECT_EQ(inputs.tensors[0].members[1].dims, std::vector<std::int64_t>{1});

  InputSpec none = spec;
  none.file.clear();
  EXPECT_EQ(Inputs::make({none}).error().code(), "RIDGE-RT-0044");
  none.file = written_file("none.pb", std::string_view("\x10\x01", 2));
  EXPECT_TRUE(expect_ok(Inputs::make({none})).tensors[0].members.empty());
  none.around = {onnx::TypeKind::kOptional};
  EXPECT_EQ(expect_ok(Inputs::make({none})).tensors[0].kind, RIDGE_ABSENT);
  none.file = written_file("tensor.pb", kHalf);
  EXPECT_EQ(Inputs::make({none}).error().code(), "RIDGE-ONNX-0260");
}

}  // namespace
}  // namespace ridge::runtime
