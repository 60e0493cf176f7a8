// SPDX-License-Identifier: Apache-2.0
#include "analysis/module_work.h"

#include <gtest/gtest.h>

#include "analysis/testing.h"

namespace ridge::analysis {
namespace {

using testing::kLayered;
using testing::resolved;

/// Text "enc: 3 nodes macs 128 params 64 -> c" per module, in tree order.
std::string shown_modules(const Resolved& r) {
  const WorkByModule work = work_by_module(r);
  std::string out;
  for (const graph::ModuleId m : ModuleIndex(r.model()).tree_order()) {
    const ModuleWork& w = work[m];
    out += fmt::format(
        "{}: {} macs {} flops {} params {}{}{}\n", r.model().modules()[m].path, w.nodes,
        r.dims().text(w.macs), r.dims().text(w.flops), w.params,
        w.unknown == 0 ? "" : fmt::format(" unknown {}", w.unknown),
        w.output == graph::kNone ? "" : fmt::format(" -> {}", r.model().value(w.output).name));
  }
  return out;
}

TEST(ModuleWork, AModuleHoldsAllThatIsInsideAndHandsOnWhatIsReadOutside) {
  EXPECT_EQ(shown_modules(resolved(kLayered)),
            ": 5 macs 128 flops 24 params 64 unknown 1 -> y\n"
            "enc: 3 macs 128 flops 16 params 64 -> c\n"
            "enc/enc.0: 2 macs 64 flops 16 params 32 -> b\n"
            "enc/enc.0/fc: 1 macs 64 flops 0 params 32 -> a\n"
            "enc/enc.0/act: 1 macs 0 flops 16 params 0 -> b\n"
            "enc/enc.1: 1 macs 64 flops 0 params 32 -> c\n"
            "enc/enc.1/fc: 1 macs 64 flops 0 params 32 -> c\n"
            "head: 2 macs 0 flops 8 params 0 unknown 1 -> y\n"
            "head/act: 1 macs 0 flops 8 params 0 -> d\n");
}

TEST(ModuleWork, AWeightThatIsSharedCountsOncePerModule) {
  const Resolved r = resolved(R"(
    graph main
      input x[2,4]
      constant w[4,4] v[4,4]
      /a/a.0/m/MatMul: MatMul(x, w) -> p
      /a/a.1/m/MatMul: MatMul(p, w) -> q
      /a/a.1/n/MatMul: MatMul(q, v) -> s
      /t/Transpose: Transpose(w) -> wt
      /b/MatMul: MatMul(s, wt) -> y
      output y
  )");
  EXPECT_EQ(shown_modules(r),
            ": 5 macs 128 flops 0 params 32 -> y\n"
            "a: 3 macs 96 flops 0 params 32 -> s\n"
            "a/a.0: 1 macs 32 flops 0 params 16 -> p\n"
            "a/a.0/m: 1 macs 32 flops 0 params 16 -> p\n"
            "a/a.1: 2 macs 64 flops 0 params 32 -> s\n"
            "a/a.1/m: 1 macs 32 flops 0 params 16 -> q\n"
            "a/a.1/n: 1 macs 32 flops 0 params 16 -> s\n"
            "t: 1 macs 0 flops 0 params 0\n"
            "b: 1 macs 32 flops 0 params 16 -> y\n");
  EXPECT_EQ(work_by_module(r)[0].params, r.totals().params);
}

TEST(ModuleWork, DownToADepthIsThatOfTheModulesThere) {
  const Resolved r = resolved(kLayered);
  const WorkByModule all = work_by_module(r);
  for (std::uint32_t depth = 0; depth < 3; ++depth) {
    const WorkByModule some = work_by_module(r, depth);
    for (graph::ModuleId m = 0; m < r.model().modules().size(); ++m) {
      if (r.model().modules()[m].depth > depth) continue;
      EXPECT_EQ(some[m].nodes, all[m].nodes);
      EXPECT_EQ(some[m].macs, all[m].macs);
      EXPECT_EQ(some[m].params, all[m].params);
      EXPECT_EQ(some[m].output, all[m].output);
    }
  }
}

TEST(ModuleWork, AFloatingOutputIsToldBeforeAShapeThatLeavesLater) {
  const Resolved r = resolved(R"(
    graph main
      input x[2,4]
      /m/Relu: Relu(x) -> a
      /m/Shape: Shape(a) -> s
      /n/Reshape: Reshape(a, s) -> y
      output y
  )");
  EXPECT_EQ(r.model().value(work_by_module(r)[1].output).name, "a");
}

TEST(ModuleWork, BodiesOfControlFlowLeaveThroughTheirOwner) {
  const Resolved r = resolved(R"(
    graph main
      input x[4]
      flags c=1
      /m/If: If(c) {then_branch=graph:yes else_branch=graph:no} -> y
      output y
    graph yes
      /m/inner/Relu: Relu(x) -> t
      output t
    graph no
      /m/inner/Neg: Neg(x) -> e
      output e
  )");
  EXPECT_EQ(shown_modules(r),
            ": 3 macs 0 flops 4 params 0 -> y\nm: 3 macs 0 flops 4 params 0 -> y\n"
            "m/inner: 2 macs 0 flops 4 params 0 -> e\n");
}

// Two weights in a byte: [8, 2, 16] bytes are 8 * 64 weights, in the module as in the total.
TEST(ModuleWork, PackedWeightsCountAsInTheTotal) {
  const Resolved r = resolved(R"(
    graph main
      input x[1,64]
      constant b[8,2,16] s[8,2]
      /up/fc/MatMul: com.microsoft.MatMulNBits(x, b, s) {K=64 N=8 bits=4 block_size=32} -> y
      output y
  )");
  EXPECT_EQ(r.totals().params, 8 * 64 + 16);
  const WorkByModule work = work_by_module(r);
  for (const graph::ModuleId m : ModuleIndex(r.model()).tree_order())
    EXPECT_EQ(work[m].params, 8 * 64 + 16) << r.model().modules()[m].path;
}

}  // namespace
}  // namespace ridge::analysis
