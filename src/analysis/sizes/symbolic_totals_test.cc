// SPDX-License-Identifier: Apache-2.0
#include "analysis/sizes/symbolic_totals.h"

#include <gtest/gtest.h>

#include "analysis/testing.h"

namespace ridge::analysis {
namespace {

using testing::resolved;

Bindings symbolic() {
  Bindings free;
  free.free = FreeSizes::kSymbolic;
  return free;
}

const SymbolicTotal& total(const std::vector<SymbolicTotal>& totals, std::string_view name) {
  for (const SymbolicTotal& t : totals)
    if (t.name == name) return t;
  throw std::runtime_error("no such total");
}

constexpr std::string_view kSquare = R"(
  graph main
    input x[batch,sequence,64] m[batch,sequence,sequence]
    constant w[64,64]
    h: MatMul(x, w) -> h
    mix: MatMul(m, h) -> n
    act: Relu(n) -> o
    add: Add(o, h) -> y
    output y
)";

TEST(SymbolicTotals, AreSumsOfProductsOfTheFreeSizes) {
  const Resolved r = resolved(kSquare, symbolic());
  const auto totals = symbolic_totals(r);
  EXPECT_EQ(total(totals, "macs").text, "64*batch*sequence^2 + 4096*batch*sequence");
  EXPECT_EQ(total(totals, "flops").text, "128*batch*sequence");
  EXPECT_EQ(total(totals, "params").text, "4096");
  EXPECT_EQ(total(totals, "weight_bytes").text, "16384");
}

/// Value of a total's terms for given sizes, computed as a reader of the JSON would.
std::int64_t total_value(const Resolved& r, const SymbolicTotal& t,
                         const ops::DimPool::SizeOf& size) {
  std::int64_t sum = 0;
  for (const Polynomial::Term& term : t.terms) {
    std::int64_t product = term.coefficient;
    for (const Polynomial::Factor& f : term.factors)
      for (int i = 0; i < f.power; ++i) product *= r.dims().evaluate(f.atom, size).value();
    sum += product;
  }
  return sum;
}

TEST(SymbolicTotals, AgreeWithTheBoundAnalysisAtEveryPoint) {
  const std::string_view conv = R"(
    graph main
      input x[batch,3,height,width]
      constant w[8,3,3,3] v[8,8,3,3] f[10,8]
      c1: Conv(x, w) -> a
      r1: Relu(a) -> b
      c2: Conv(b, v) -> c
      pool: GlobalAveragePool(c) -> d
      flat: Flatten(d) -> e
      fc: Gemm(e, f) {transB=1} -> y
      output y
  )";
  for (const std::string_view text : {kSquare, conv}) {
    const Resolved open = resolved(text, symbolic());
    const auto totals = symbolic_totals(open);
    for (const std::int64_t batch : {1, 2, 5}) {
      for (const std::int64_t other : {6, 9, 31}) {
        const auto size = [&](std::string_view name) {
          return std::optional(name == "batch" ? batch : other);
        };
        Bindings bound;
        for (const FreeSize& s : free_sizes(open)) bound.sizes[s.name] = {*size(s.name), false};
        const Resolved closed = resolved(text, bound);
        const Totals& t = closed.totals();
        EXPECT_EQ(total_value(open, total(totals, "macs"), size), t.macs.value());
        EXPECT_EQ(total_value(open, total(totals, "flops"), size), t.flops.value());
        EXPECT_EQ(total_value(open, total(totals, "special"), size), t.special.value());
        EXPECT_EQ(total_value(open, total(totals, "int_ops"), size), t.int_ops.value());
        EXPECT_EQ(total_value(open, total(totals, "bytes_read"), size), t.bytes_read.value());
        EXPECT_EQ(total_value(open, total(totals, "bytes_written"), size), t.bytes_written.value());
        EXPECT_EQ(total_value(open, total(totals, "peak_activation_bytes"), size),
                  t.peak_activation_bytes.value());
      }
    }
  }
}

TEST(SymbolicTotals, WhatIsNotKnownIsCountedAndNamed) {
  const Resolved r =
      resolved("graph main\n input x[n,2]\n a: Relu(x) -> b\n odd: com.acme.Odd(b) -> y\n output y",
               symbolic());
  const auto totals = symbolic_totals(r);
  EXPECT_EQ(total(totals, "flops").text, "2*n");
  EXPECT_EQ(total(totals, "flops").missing, 1);
  EXPECT_EQ(total(totals, "flops").reason,
            "node #1 'odd': the operator 'com.acme.Odd' is not known");
}

TEST(SymbolicTotals, UnnamedSizesAreCalledByTheirPlace) {
  const Resolved r = resolved("graph main\n input x[?,4]\n a: Relu(x) -> y\n output y", symbolic());
  EXPECT_EQ(total(symbolic_totals(r), "flops").text, "4*x[0]");
  ASSERT_EQ(free_sizes(r).size(), 1U);
  EXPECT_EQ(free_sizes(r)[0].name, "x[0]");
}

TEST(SymbolicTotals, ASizeThatOnlyTheFileDeclaresIsMarked) {
  const Resolved r = resolved(
      "graph main\n input x[n]\n declare i[1,found]\n a: NonZero(x) -> i\n b: Neg(i) -> y\n"
      " output y",
      symbolic());
  const auto sizes = free_sizes(r);
  ASSERT_EQ(sizes.size(), 2U);
  EXPECT_EQ(sizes[0].name, "n");
  EXPECT_TRUE(sizes[0].of_input);
  EXPECT_EQ(sizes[1].name, "found");
  EXPECT_FALSE(sizes[1].of_input);
}

TEST(SymbolicTotals, SomethingIsFreeOnlyWhereAnInputSaysSo) {
  EXPECT_TRUE(any_free_size(resolved(kSquare, symbolic())));
  EXPECT_FALSE(any_free_size(resolved("graph main\n input x[2]\n a: Relu(x) -> y\n output y")));
}

}  // namespace
}  // namespace ridge::analysis
