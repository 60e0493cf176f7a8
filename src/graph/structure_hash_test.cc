// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "graph/model.h"
#include "graph/sketch.h"

namespace ridge::graph {
namespace {

std::string hash(std::string_view text) {
  const auto m = Model::build(Sketch::document(text));
  return m.ok() ? structure_hash(*m) : m.error().text();
}

constexpr std::string_view kBase =
    "graph g\n input x[n,64]\n constant w[64,64] v[64,64]\n a: MatMul(x, w) -> y\n b: Gemm(y, v) "
    "{transB=1 alpha=2} -> z\n output z";

TEST(StructureHash, ForgetsNamesAndTheOrderOfConstantsAndAttributes) {
  EXPECT_EQ(hash(kBase).size(), 32U);
  EXPECT_EQ(
      hash(kBase),
      hash("graph other\n input in[batch,64]\n constant q[64,64] p[64,64]\n MatMul(in, p) -> t\n"
           "second: Gemm(t, q) {alpha=2 transB=1} -> out\n output out"));
}

TEST(StructureHash, SeesWhatChangesTheComputation) {
  const std::string base = hash(kBase);
  for (const std::string_view other : {
           "graph g\n input x[n,64]\n constant w[64,64] v[64,64]\n a: MatMul(x, w) -> y\n b: "
           "Gemm(y, v) {transB=0 alpha=2} -> z\n output z",
           "graph g\n input x[n,64]\n constant w[64,64] v[64,32]\n a: MatMul(x, w) -> y\n b: "
           "Gemm(y, v) {transB=1 alpha=2} -> z\n output z",
           "graph g\n input x[n,64]\n constant w[64,64]\n a: MatMul(x, w) -> y\n b: Gemm(y, w) "
           "{transB=1 alpha=2} -> z\n output z",
           "graph g\n input x[n,64]\n constant w[64,64] v[64,64]\n a: MatMul(w, x) -> y\n b: "
           "Gemm(y, v) {transB=1 alpha=2} -> z\n output z",
           "graph g\n input x[8,64]\n constant w[64,64] v[64,64]\n a: MatMul(x, w) -> y\n b: "
           "Gemm(y, v) {transB=1 alpha=2} -> z\n output z",
           "graph g\n input x[n,64]\n constant w[64,64] v[64,64]\n a: MatMul(x, w) -> y\n b: "
           "Gemm(y, v) {transB=1 alpha=2} -> z\n output y",
       })
    EXPECT_NE(hash(other), base) << other;
}

TEST(StructureHash, SeesWhichSizesAreTheSame) {
  const auto two = [](std::string_view a, std::string_view b) {
    return hash("graph g\n input x[" + std::string(a) + "] y[" + std::string(b) +
                "]\n Add(x, y) -> z\n output z");
  };
  EXPECT_EQ(two("n", "n"), two("m", "m"));
  EXPECT_NE(two("n", "n"), two("n", "m"));
}

}  // namespace
}  // namespace ridge::graph
