#include "runtime/inputs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
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
  EXPECT_EQ(
      Inputs::make({{.name = "words", .type = DataType::kString, .dims = {3}}}).error().text(),
      "error: input 'words': an array of string with shape [3] cannot be made\n"
      "  hint: choose smaller sizes with --bind or --shape; inputs of strings are not "
      "supported\n"
      "  [RIDGE-RT-0041]\n");
  const std::int64_t huge = std::int64_t{1} << 40;
  EXPECT_EQ(Inputs::make({{.name = "x", .dims = {huge, huge}}}).error().code(), "RIDGE-RT-0041");
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

}  // namespace
}  // namespace ridge::runtime
