// SPDX-License-Identifier: Apache-2.0
#include "runtime/inputs/literal.h"

#include <gtest/gtest.h>

#include <cstring>

#include "runtime/inputs/inputs.h"
#include "runtime/testing/expect.h"

namespace ridge::runtime {
namespace {

using onnx::DataType;
using Dims = std::vector<std::int64_t>;

Literal literal(std::string_view text) {
  const auto parsed = expect_ok(parse_literal(text));
  EXPECT_TRUE(parsed.has_value()) << text;
  return parsed.value_or(Literal());
}

template <typename T>
std::vector<T> written_literal(std::string_view text, DataType type, std::size_t elements) {
  std::vector<T> out(elements);
  expect_ok(write_literal(literal(text), type, std::as_writable_bytes(std::span(out))));
  return out;
}

std::string literal_refusal(std::string_view text) {
  const auto parsed = parse_literal(text);
  return parsed.ok() ? "accepted" : parsed.error().summary();
}

std::string not_written(std::string_view text, DataType type, std::size_t bytes) {
  std::vector<std::byte> out(bytes);
  const Result<void> done = write_literal(literal(text), type, out);
  return done.ok() ? "written" : done.error().summary();
}

TEST(Literal, BracketsStateTheShape) {
  EXPECT_EQ(*literal("[5]").dims, (Dims{1}));
  EXPECT_EQ(*literal(" [ [1, 2,3] ,[4,5,6] ] ").dims, (Dims{2, 3}));
  EXPECT_EQ(*literal("[[[1],[2]]]").dims, (Dims{1, 2, 1}));
  EXPECT_EQ(*literal("[]").dims, (Dims{0}));
  EXPECT_EQ(*literal("[[],[]]").dims, (Dims{2, 0}));
  EXPECT_EQ(written_literal<std::int64_t>("[[1,2],[3,4]]", DataType::kInt64, 4),
            (std::vector<std::int64_t>{1, 2, 3, 4}));
}

TEST(Literal, ANumberAloneIsEveryElement) {
  EXPECT_EQ(written_literal<std::int32_t>("-7", DataType::kInt32, 3),
            (std::vector<std::int32_t>{-7, -7, -7}));
  EXPECT_TRUE(literal("5").fits(Dims{}));
  EXPECT_TRUE(literal("5").fits(Dims{2, 3}));
  EXPECT_EQ(literal("5").shape(0), Dims{});
  EXPECT_EQ(literal("5").shape(std::nullopt), Dims{});
  EXPECT_EQ(literal("5").shape(2), std::nullopt);
}

TEST(Literal, SeveralNumbersAreTheElementsInOrder) {
  EXPECT_EQ(literal("1,2,3").shape(1), (Dims{3}));
  EXPECT_EQ(literal("1,2,3").shape(2), std::nullopt);
  EXPECT_TRUE(literal("1,2,3,4,5,6").fits(Dims{2, 3}));
  EXPECT_FALSE(literal("1,2,3").fits(Dims{2, 3}));
  EXPECT_FALSE(literal("[1,2,3]").fits(Dims{1, 3}));
  EXPECT_FALSE(literal("1,2").fits(Dims{std::int64_t{1} << 62, 1 << 30}));
}

TEST(Literal, IsConvertedToTheTypeOfTheInput) {
  EXPECT_EQ(written_literal<float>("0.1,-inf,3", DataType::kFloat, 3),
            (std::vector<float>{0.1F, -std::numeric_limits<float>::infinity(), 3.0F}));
  EXPECT_EQ(written_literal<double>("1e-3", DataType::kDouble, 1), std::vector<double>{1e-3});
  EXPECT_EQ(written_literal<std::uint16_t>("1,-2", DataType::kFloat16, 2),
            (std::vector<std::uint16_t>{0x3c00, 0xc000}));
  EXPECT_EQ(written_literal<std::uint16_t>("1", DataType::kBfloat16, 1),
            std::vector<std::uint16_t>{0x3f80});
  EXPECT_EQ(written_literal<std::uint8_t>("true,false,1", DataType::kBool, 3),
            (std::vector<std::uint8_t>{1, 0, 1}));
  EXPECT_EQ(written_literal<std::uint64_t>("18446744073709551615", DataType::kUint64, 1),
            std::vector<std::uint64_t>{UINT64_MAX});
  EXPECT_EQ(written_literal<std::int64_t>("1e3,2.0", DataType::kInt64, 2),
            (std::vector<std::int64_t>{1000, 2}));
}

TEST(Literal, ANumberThatTheTypeCannotHoldIsRefused) {
  EXPECT_EQ(not_written("128", DataType::kInt8, 1), "128 is no int8");
  EXPECT_EQ(not_written("-128", DataType::kInt8, 1), "written");
  EXPECT_EQ(not_written("-1", DataType::kUint8, 1), "-1 is no uint8");
  EXPECT_EQ(not_written("1.5", DataType::kInt64, 8), "1.5 is no int64");
  EXPECT_EQ(not_written("nan", DataType::kInt32, 4), "nan is no int32");
  EXPECT_EQ(not_written("2", DataType::kBool, 1), "2 is no bool");
  EXPECT_EQ(not_written("9223372036854775808", DataType::kInt64, 8),
            "9223372036854775808 is no int64");
  EXPECT_EQ(not_written("1", DataType::kInt4, 1), "elements of int4 cannot be written out");
  EXPECT_EQ(not_written("1", DataType::kString, 9), "elements of string cannot be written out");
}

TEST(Literal, AnyOtherTextIsAPath) {
  for (const char* path : {"M.npy", "./5", "5.npy", "1,2,x", "", "inf.npy", "[x].npy", "-", ".",
                           "e", "1,,2", "0x10", "data/5"})
    EXPECT_FALSE(expect_ok(parse_literal(path)).has_value()) << path;
}

TEST(Literal, DamagedBracketsAreRefused) {
  const std::string no = " is not an array: ";
  EXPECT_EQ(literal_refusal("[[1,2],[3]]"),
            "'[[1,2],[3]]'" + no + "its rows have different lengths");
  EXPECT_EQ(literal_refusal("[1,[2]]"), "'[1,[2]]'" + no + "its rows have different lengths");
  EXPECT_EQ(literal_refusal("[[],1]"), "'[[],1]'" + no + "its rows have different lengths");
  EXPECT_EQ(literal_refusal("[[],[[]]]"), "'[[],[[]]]'" + no + "its rows have different lengths");
  EXPECT_EQ(literal_refusal("[1 2]"), "'[1 2]'" + no + "'1 2' is not a number");
  EXPECT_EQ(literal_refusal("[1,]"), "'[1,]'" + no + "a number is missing");
  EXPECT_EQ(literal_refusal("[1][2]"), "'[1][2]'" + no + "something follows its last bracket");
  EXPECT_EQ(literal_refusal("[[1]"), "'[[1]'" + no + "a bracket is not closed");
  const std::string deep = std::string(1000, '[') + std::string(1000, ']');
  EXPECT_TRUE(literal_refusal(deep).ends_with("it has too many axes"));
  std::string many = "0";
  for (std::size_t i = 0; i < Literal::kMaxElements; ++i) many += ",0";
  EXPECT_TRUE(literal_refusal(many).ends_with("it has too many elements; pass a file"));
  EXPECT_TRUE(literal_refusal("[" + many + "]").ends_with("it has too many elements; pass a file"));
}

TEST(Literal, StandsInPlaceOfAFile) {
  const Inputs inputs = expect_ok(
      Inputs::make({{.name = "M", .type = DataType::kInt64, .dims = {}, .file = "5"},
                    {.name = "ids", .type = DataType::kInt32, .dims = {1, 2}, .file = "[[3,4]]"}}));
  std::int64_t m = 0;
  std::memcpy(&m, inputs.memory.bytes().data(), sizeof(m));
  EXPECT_EQ(m, 5);
  std::int32_t ids[2];
  std::memcpy(ids, inputs.memory.bytes().data() + inputs.tensors[1].offset, sizeof(ids));
  EXPECT_EQ(ids[0] * 10 + ids[1], 34);
  EXPECT_TRUE(inputs.notes.empty());
  EXPECT_EQ(Inputs::make({{.name = "x", .dims = {2, 3}, .file = "1,2"}}).error().text(),
            "error: input 'x': 2 elements given, but the input is float32 [2, 3]\n"
            "  hint: give one number for all elements, or as many as there are, or choose the "
            "input's sizes with --shape\n"
            "  [RIDGE-RT-0042]\n");
  EXPECT_EQ(Inputs::make({{.name = "s",
                           .type = DataType::kInt64,
                           .file = "5",
                           .around = {onnx::TypeKind::kSequence}}})
                .error()
                .code(),
            "RIDGE-RT-0044");
}

}  // namespace
}  // namespace ridge::runtime
