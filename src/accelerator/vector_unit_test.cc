// SPDX-License-Identifier: Apache-2.0
#include "accelerator/vector_unit.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "analysis/testing.h"

namespace ridge::accelerator {
namespace {

using analysis::Fuse;
using analysis::testing::resolved;

/// Returns one line per layer: "name+riders: 3 reads, 2 writes, 5 operations, 4 params in 16
/// bytes".
std::string shown_vector_work(std::string_view text, Fuse fuse) {
  const auto r = resolved(text);
  std::string out;
  for (const Layer& l : lower(r, {.fuse = fuse}).layers) {
    out += l.name;
    for (const graph::NodeId rider : l.riders) out += "+" + std::string(r.model().node(rider).name);
    if (!l.vector) {
      out += ": " + l.reason + "\n";
      continue;
    }
    out +=
        fmt::format(": {} reads, {} writes, {} operations, {} params in {} bytes\n", l.vector->read,
                    l.vector->written, l.vector->operations, l.params, l.param_bytes);
  }
  return out;
}

constexpr std::string_view kResidual = R"(
  graph main
    input x[1,4,6,6] s[1,4,6,6]
    constant w[4,4,1,1] b[4]
    conv: Conv(x, w, b) -> a
    add: Add(a, s) -> c
    relu: Relu(c) -> d
    pool: MaxPool(d) {kernel_shape=[2,2] strides=[2,2]} -> e
    output e
)";

TEST(VectorLayers, AChainRidesInTheOutputPassOfItsProducer) {
  // 144 outputs: one bias, one addition and one comparison each. Of the riders' inputs only s is
  // read from memory.
  EXPECT_EQ(shown_vector_work(kResidual, Fuse::kEpilogue),
            "conv+add+relu: 144 reads, 0 writes, 432 operations, 20 params in 80 bytes\n"
            "pool: 144 reads, 36 writes, 108 operations, 0 params in 0 bytes\n");
}

TEST(VectorLayers, WithoutFusionEachIsALayer) {
  EXPECT_EQ(shown_vector_work(kResidual, Fuse::kNone),
            "conv: 0 reads, 0 writes, 144 operations, 20 params in 80 bytes\n"
            "add: 288 reads, 144 writes, 144 operations, 0 params in 0 bytes\n"
            "relu: 144 reads, 144 writes, 144 operations, 0 params in 0 bytes\n"
            "pool: 144 reads, 36 writes, 108 operations, 0 params in 0 bytes\n");
}

TEST(VectorLayers, ChainsOfElementwiseOperatorsAreOne) {
  EXPECT_EQ(shown_vector_work(R"(
    graph main
      input x[2,8]
      constant g[8]
      soft: Softmax(x) -> a
      mul: Mul(a, g) -> b
      neg: Neg(b) -> c
      output c
  )",
                              Fuse::kEpilogue),
            // softmax: 7 comparisons, 8 differences, 7 sums, 8 exponentials, 8 divisions per row
            "soft+mul+neg: 24 reads, 16 writes, 108 operations, 8 params in 32 bytes\n");
}

TEST(VectorLayers, ATensorThatAChainReadsTwiceIsReadOnce) {
  // 16 elements of x in, 16 out; one exponential and one addition each.
  EXPECT_EQ(shown_vector_work(R"(
    graph main
      input x[2,8]
      exp: Exp(x) -> a
      add: Add(a, x) -> b
      output b
  )",
                              Fuse::kEpilogue),
            "exp+add: 16 reads, 16 writes, 32 operations, 0 params in 0 bytes\n");
}

TEST(VectorLayers, ASpelledOutActivationCostsNoMoreMemoryThanOneNode) {
  const auto conv_and = [](std::string_view nodes) {
    return shown_vector_work(
        "graph main\n input x[1,4,6,6]\n constant w[4,4,1,1]\n conv: Conv(x, w) -> a\n" +
            std::string(nodes) + " output y",
        Fuse::kEpilogue);
  };
  EXPECT_EQ(conv_and(" hs: HardSwish(a) -> y\n").substr(0, 27), "conv+hs: 0 reads, 0 writes,");
  EXPECT_EQ(conv_and(" s: Sigmoid(a) -> b\n m: Mul(a, b) -> y\n").substr(0, 28),
            "conv+s+m: 0 reads, 0 writes,");
}

TEST(VectorLayers, WhatMovesNothingOrIsKnownIsNone) {
  EXPECT_EQ(shown_vector_work(R"(
    graph main
      input x[2,3,4]
      constant w[3,4]
      integers last=2 two[2]=2,12
      shape: Shape(x) -> s
      size: Gather(s, last) -> t
      wide: Add(t, last) -> u
      weight: Exp(w) -> v
      add: Add(x, v) -> y
      view: Reshape(y, two) -> z
      same: Identity(z) -> z2
      turn: Transpose(z2) {perm=[1,0]} -> q
      output q u
  )",
                              Fuse::kEpilogue),
            "add: 36 reads, 24 writes, 24 operations, 0 params in 0 bytes\n"
            "turn: 24 reads, 24 writes, 0 operations, 0 params in 0 bytes\n");
}

TEST(VectorLayers, BodiesCountAsOftenAsTheyRun) {
  EXPECT_EQ(shown_vector_work(analysis::testing::looped(R"(
      soft: Softmax(h) -> n
      output c n
  )"),
                              Fuse::kEpilogue),
            "soft: 24 reads, 24 writes, 108 operations, 0 params in 0 bytes\n");
}

TEST(VectorLayers, SayWhyTheirWorkIsNotKnown) {
  EXPECT_EQ(shown_vector_work(R"(
    graph main
      input x[2,3]
      odd: com.acme.Odd(x) -> y
      output y
  )",
                              Fuse::kEpilogue),
            "odd: its multiply-accumulates are not known\n");
}

TEST(VectorLayers, ProductsAloneLeaveThemOut) {
  const auto r = resolved(kResidual);
  const Lowered l = lower(r, {.layers = Layers::kProducts});
  ASSERT_EQ(l.layers.size(), 1U);
  EXPECT_EQ(l.layers[0].riders.size(), 2U);
}

/// 16 lanes, 8 bytes of DRAM per cycle, 2-byte elements read, 1-byte elements written.
Machine vector_machine() {
  Machine m;
  m.clock_mhz = 500;
  m.dram.gb_per_s = 4;
  m.widths.bits = {16, 8, 8};
  m.vector.lanes = 16;
  return m;
}

TEST(VectorUnit, WorksOnLanesAtATimeOrWaitsForMemory) {
  const LayerCost busy =
      vector_cost({.read = 100, .written = 50, .operations = 1601}, vector_machine());
  EXPECT_EQ(busy.compute_cycles, 101);
  EXPECT_EQ(busy.vector_operations, 1601);
  EXPECT_EQ(busy.stall_cycles, 0);  // 250 bytes take 32 cycles
  EXPECT_EQ(busy.dram_read_bytes, 200);
  EXPECT_EQ(busy.dram_write_bytes, 50);
  EXPECT_EQ(busy.dram->ifmap, 100);
  EXPECT_EQ(busy.dram->ofmap, 50);
  EXPECT_EQ(busy.bound, Bound::kVector);
  EXPECT_DOUBLE_EQ(busy.latency_ns.value(), 202);
  const LayerCost waiting =
      vector_cost({.read = 100, .written = 50, .operations = 17}, vector_machine());
  EXPECT_EQ(waiting.compute_cycles, 2);
  EXPECT_EQ(waiting.total_cycles(), 32);
  EXPECT_EQ(waiting.bound, Bound::kDramIfmap);
  const LayerCost moving = vector_cost({.read = 1, .written = 50}, vector_machine());
  EXPECT_EQ(moving.total_cycles(), 7);
  EXPECT_EQ(moving.bound, Bound::kDramOfmap);
}

TEST(VectorUnit, CostsNothingWhereThereIsNone) {
  Machine none = vector_machine();
  none.vector.lanes = 0;
  const LayerCost c = vector_cost({.read = 100, .written = 50, .operations = 1601}, none);
  EXPECT_EQ(c.total_cycles(), 0);
  EXPECT_EQ(c.vector_operations, 0);
  EXPECT_EQ(c.bound, Bound::kNone);
  EXPECT_EQ(c.dram.value().ifmap, 0);
  EXPECT_EQ(c.latency_ns, 0);
}

/// Never faster with fewer lanes or less bandwidth, and never below either limit.
TEST(VectorUnit, MoreLanesOrBandwidthNeverCostCycles) {
  const VectorWork work{.read = 5000, .written = 3000, .operations = 70000};
  std::int64_t last = INT64_MAX;
  for (const std::int64_t lanes : {1, 3, 16, 100, 5000}) {
    Machine m = vector_machine();
    m.vector.lanes = lanes;
    const std::int64_t cycles = vector_cost(work, m).total_cycles();
    EXPECT_LE(cycles, last);
    EXPECT_GE(cycles * lanes, work.operations);
    EXPECT_GE(cycles * 8, 13000);
    last = cycles;
  }
}

}  // namespace
}  // namespace ridge::accelerator
