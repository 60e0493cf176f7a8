// SPDX-License-Identifier: Apache-2.0
// Compares with widths derived by hand from the tensors' ONNX types: Cast to 10 is float16,
// QuantizeLinear without a zero point produces uint8.
#include "accelerator/stored_widths.h"

#include <gtest/gtest.h>

#include <string>

#include "analysis/testing.h"

namespace ridge::accelerator {
namespace {

using analysis::testing::resolved;

/// Returns a line "conv 32/16/32 float" per layer.
std::string widths_in(std::string_view model) {
  const analysis::Resolved r = resolved(model);
  std::string out;
  for (const Layer& layer : lower(r).layers) {
    const StoredWidths w = stored_widths(r, layer);
    out += fmt::format("{} {}/{}/{} {}\n", layer.name, w.bits.ifmap, w.bits.filter, w.bits.ofmap,
                       w.floating ? "float" : "int");
  }
  return out;
}

TEST(StoredWidths, AreThoseOfTheTensorsThatALayerMultipliesAndWrites) {
  EXPECT_EQ(widths_in(R"(
    graph main
      input x[2,8]
      constant w[8,4] v[4,4]
      half: Cast(x) {to=10} -> h
      cast: Cast(w) {to=10} -> wh
      plain: MatMul(x, w) -> a
      halved: MatMul(h, wh) -> b
      mixed: MatMul(a, v) -> c
      output b c
  )"),
            "half 32/0/16 float\n"
            "plain 32/32/32 float\n"
            "halved 16/32/16 float\n"  // the file stores the weight as float32
            "mixed 32/32/32 float\n");
}

TEST(StoredWidths, LookThroughDequantizeLinearOnBothSides) {
  EXPECT_EQ(widths_in(R"(
    graph main
      input x[2,8]
      constant w[8,8] s[1]
      qx: QuantizeLinear(x, s) -> xq
      dx: DequantizeLinear(xq, s) -> xd
      first: MatMul(xd, w) -> a
      qa: QuantizeLinear(a, s) -> aq
      da: DequantizeLinear(aq, s) -> ad
      second: MatMul(ad, w) -> b
      third: MatMul(ad, w) -> c
      output b c
  )"),
            "qx 32/0/8 float\n"
            "first 8/32/8 float\n"  // da is its rider; second and third read the integers before it
            "second 8/32/32 float\n"
            "third 8/32/32 float\n");
}

TEST(StoredWidths, OfPackedWeightsAreTheOperatorsBits) {
  EXPECT_EQ(widths_in(R"(
    graph main
      input x[2,64]
      constant w[32,2,16] s[64]
      four: com.microsoft.MatMulNBits(x, w, s) {K=64 N=32 bits=4 block_size=32} -> y
      output y
  )"),
            "four 32/4/32 float\n");
}

TEST(StoredWidths, LeaveTheMachineItsAccumulatorsUnlessAFactorIsWider) {
  Widths machine;
  machine.bits = {8, 8, 8};
  machine.accumulator_bits = 24;
  const Widths half = widths_of({{16, 4, 16}, true}, machine);
  EXPECT_EQ(half.bits, (PerOperand<std::int64_t>{16, 4, 16}));
  EXPECT_EQ(half.accumulator_bits, 24);
  EXPECT_TRUE(half.floating);
  EXPECT_EQ(widths_of({{32, 32, 32}, true}, machine).accumulator_bits, 32);
  const Widths indices = widths_of({{64, 0, 32}, false}, machine);  // widths of a Gather
  EXPECT_EQ(indices.bits, (PerOperand<std::int64_t>{64, 64, 32}));
  EXPECT_EQ(indices.accumulator_bits, 24);
  EXPECT_EQ(widths_of({}, machine), machine);  // nothing is known
}

}  // namespace
}  // namespace ridge::accelerator
