// SPDX-License-Identifier: Apache-2.0
#include "runtime/child/argmax.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "runtime/inputs/doubles.h"
#include "stats/random.h"

namespace ridge::runtime {
namespace {

TEST(Argmax, AgreesWithALoopInEveryType) {
  stats::Random random(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> exact;  // integers, which all types can tell apart
    for (std::size_t i = 0; i < 1 + random.below(40); ++i)
      exact.push_back(static_cast<double>(random.below(100)) - 50);
    std::int64_t expected = 0;
    for (std::size_t i = 0; i < exact.size(); ++i)
      if (exact[i] > exact[static_cast<std::size_t>(expected)])
        expected = static_cast<std::int64_t>(i);
    const std::vector<float> floats(exact.begin(), exact.end());
    std::vector<std::uint16_t> halves, brains;
    for (const double x : exact) {
      halves.push_back(float16_of(x));
      const auto single = static_cast<float>(x);
      std::uint32_t bits = 0;
      std::memcpy(&bits, &single, sizeof(bits));
      brains.push_back(static_cast<std::uint16_t>(bits >> 16));
    }
    EXPECT_EQ(argmax(std::as_bytes(std::span(exact)), onnx::DataType::kDouble), expected);
    EXPECT_EQ(argmax(std::as_bytes(std::span(floats)), onnx::DataType::kFloat), expected);
    EXPECT_EQ(argmax(std::as_bytes(std::span(halves)), onnx::DataType::kFloat16), expected);
    EXPECT_EQ(argmax(std::as_bytes(std::span(brains)), onnx::DataType::kBfloat16), expected);
  }
}

TEST(Argmax, PassesOverNotANumber) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> row = {nan, -3, -1, nan};
  EXPECT_EQ(argmax(std::as_bytes(std::span(row)), onnx::DataType::kFloat), 2);
  const std::vector<std::uint16_t> half = {0x7e00, 0xfe00, 0xbc00};
  EXPECT_EQ(argmax(std::as_bytes(std::span(half)), onnx::DataType::kFloat16), 2);
}

TEST(Argmax, HasNoAnswerForNothingAndForIntegers) {
  EXPECT_FALSE(argmax({}, onnx::DataType::kFloat));
  const std::vector<std::int64_t> row = {1, 2};
  EXPECT_FALSE(argmax(std::as_bytes(std::span(row)), onnx::DataType::kInt64));
}

}  // namespace
}  // namespace ridge::runtime
