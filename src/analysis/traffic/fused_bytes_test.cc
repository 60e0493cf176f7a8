// SPDX-License-Identifier: Apache-2.0
// Expected bytes are worked out by hand.
#include "analysis/traffic/fused_bytes.h"

#include <gtest/gtest.h>

#include "analysis/testing.h"

namespace ridge::analysis {
namespace {

TEST(FusedBytes, AChainReadsItsInputAndWritesItsOutput) {
  const auto r = with_fused_bytes(
      testing::resolved("graph main\n input x[8,4]\n a: Exp(x) -> t\n b: Neg(t) -> u\n"
                        " c: Add(u, x) -> y\n output y\n"),
      Fuse::kEpilogue);
  EXPECT_EQ(r.totals().bytes_read.value(), 128);     // x once
  EXPECT_EQ(r.totals().bytes_written.value(), 128);  // y
  EXPECT_TRUE(r.counts(testing::node(r, "b")).bytes_read.is(0));
}

/// 32 elements: 128 B as float32, 32 B as integers; the scale has 4 B. Three kernels: x to a (132 in,
/// 32 out), a to y (36 in, 32 out), a to z (32 and the scale in, 32 out).
TEST(FusedBytes, QuantizedOperatorsMoveIntegers) {
  const char* text = R"(
    graph main
      input x[1,2,4,4]
      constant s[]
      in: QuantizeLinear(x, s) -> a
      open: DequantizeLinear(a, s) -> b
      sum: Add(b, b) -> c
      close: QuantizeLinear(c, s) -> y
      soft: Softmax(b) -> d
      last: QuantizeLinear(d, s) -> z
      output y z
  )";
  const Totals fused = with_fused_bytes(testing::resolved(text), Fuse::kRuntime).totals();
  EXPECT_EQ(fused.bytes_read.value(), 132 + 36 + 32 + 4);
  EXPECT_EQ(fused.bytes_written.value(), 32 + 32 + 32);
  const Totals plain = with_fused_bytes(testing::resolved(text), Fuse::kNone).totals();
  EXPECT_EQ(plain.bytes_written.value(), 32 + 128 + 128 + 32 + 128 + 32);
}

}  // namespace
}  // namespace ridge::analysis
