// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "ops/testing.h"

namespace ridge::ops {
namespace {

using testing::bytes;
using testing::shapes;
using testing::work;

TEST(MatMul, MultipliesAsOftenAsItsLoopNest) {
  std::mt19937 random(4);
  const auto pick = [&] { return std::uniform_int_distribution<int>(1, 6)(random); };
  for (int round = 0; round < 100; ++round) {
    const int batch = pick(), m = pick(), n = pick(), k = pick();
    long macs = 0;
    for (int b = 0; b < batch; ++b)
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j)
          for (int l = 0; l < k; ++l) ++macs;
    const std::string wanted = fmt::format("macs {}", macs);
    EXPECT_EQ(work(fmt::format("MatMul(f32[{},{},{}], f32[{},{}])", batch, m, k, k, n)), wanted);
    EXPECT_EQ(work(fmt::format("MatMul(f32[{},1,{},{}], f32[1,{},{}])", batch, m, k, k, n)),
              wanted);
    EXPECT_EQ(work(fmt::format("MatMulInteger(u8[{},{},{}], u8[{},{}])", batch, m, k, k, n)),
              wanted);
    EXPECT_EQ(work(fmt::format("com.microsoft.FusedMatMul(f32[{},{},{}], f32[{},{}]) transA=1 "
                               "transB=1",
                               batch, k, m, n, k)),
              wanted);
    EXPECT_EQ(work(fmt::format("Einsum(f32[{},{},{}], f32[{},{}]) equation=\"bmk,nk->bmn\"", batch,
                               m, k, n, k)),
              wanted);
  }
}

TEST(MatMul, VectorsAreRowsAndColumns) {
  EXPECT_EQ(work("MatMul(f32[7], f32[7])"), "macs 7");
  EXPECT_EQ(work("MatMul(f32[7], f32[2,7,5])"), "macs 70");
  EXPECT_EQ(work("MatMul(f32[2,5,7], f32[7])"), "macs 70");
}

TEST(MatMul, KeepsFreeSizes) {
  EXPECT_EQ(shapes("MatMul(f32[batch,seq,768], f32[768,3072])"), "f32[batch,seq,3072]");
  EXPECT_EQ(work("MatMul(f32[batch,12,seq,64], f32[batch,12,64,seq])"), "macs 768*batch*seq^2");
  EXPECT_EQ(work("MatMul(f32[*], f32[768,3072])"), "macs ?");
}

TEST(MatMul, SaysWhatDoesNotFit) {
  EXPECT_EQ(shapes("MatMul(f32[2,3], f32[4,5])"),
            "error: MatMul: [2,3] x [4,5]: the first operand reduces over 3, the second over 4 "
            "[RIDGE-OPS-0105]");
  EXPECT_EQ(shapes("MatMul(f32[2,2,3], f32[3,3,4])"),
            "error: MatMul: shapes [2] and [3] do not broadcast: 2 against 3 at axis 0 of the "
            "result [RIDGE-OPS-0106]");
  EXPECT_EQ(shapes("MatMul(f32[], f32[3,4])"),
            "error: MatMul: input 0 is a scalar, an operand needs rank 1 or more [RIDGE-OPS-0104]");
  EXPECT_EQ(shapes("MatMul(f32[2,3])"),
            "error: MatMul: input 1 is missing, the operator needs 2 [RIDGE-OPS-0101]");
}

TEST(Gemm, CountsFactorsThatAreNotOne) {
  EXPECT_EQ(work("Gemm(f32[2,3], f32[3,4])"), "macs 24");
  EXPECT_EQ(work("Gemm(f32[2,3], f32[3,4], f32[4])"), "macs 24 flops 8");
  EXPECT_EQ(work("Gemm(f32[2,3], f32[3,4], f32[4]) alpha=0.5 beta=2.0"), "macs 24 flops 20");
  EXPECT_EQ(work("Gemm(f32[3,2], f32[4,3]) transA=1 transB=1"), "macs 24");
  EXPECT_EQ(shapes("Gemm(f32[2,3], f32[3,4], f32[3])"),
            "error: Gemm: shape [3] does not broadcast to [2,4] [RIDGE-OPS-0106]");
}

TEST(Gemm, ReadsEveryInputOnce) {
  EXPECT_EQ(bytes("Gemm(f32[2,3], f32[3,4], f32[4])"), "read 88 written 32");
  EXPECT_EQ(bytes("MatMul(f16[2,2], @0)"), "read 8 written 8");
  EXPECT_EQ(bytes("MatMul(u4[3,1], f32[1,3])"), "read 14 written 5");
}

TEST(Attention, CountsBothProductsUnmasked) {
  // 12 heads of 64 at 128 positions: 2 * 128 * 128 * 768.
  EXPECT_EQ(work("Attention-23(f32[1,12,128,64], @0, @0)").substr(0, 13), "macs 25165824");
  EXPECT_EQ(shapes("Attention-23(f32[1,128,768], @0, @0) q_num_heads=7 kv_num_heads=7"),
            "error: Attention: 768 columns do not divide into 7 heads [RIDGE-OPS-0110]");
}

}  // namespace
}  // namespace ridge::ops
