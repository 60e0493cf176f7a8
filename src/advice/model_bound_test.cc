// SPDX-License-Identifier: Apache-2.0
// The work of models written as text, by hand, and their bounds under hand-made roofs: 1 GFLOP/s and
// 1 GB/s, so that a MAC takes 2 ns and a byte 1 ns.
#include "advice/model_bound.h"

#include <gtest/gtest.h>

#include "advice/bound.h"
#include "analysis/testing.h"
#include "roofline/bound.h"

namespace ridge::advice {
namespace {

using analysis::testing::resolved;

roofline::Roofs compute_roofs(const std::vector<std::pair<std::string, double>>& compute = {
                                  {"float32", 1e9}}) {
  roofline::Roofs out;
  for (const auto& [dtype, value] : compute)
    out.compute.push_back({.kind = "compute", .dtype = dtype, .unit = "FLOP/s", .value = value});
  out.levels = {{.name = "memory", .capacity = 0, .bytes_per_s = 1e9, .read_per_s = 1e9}};
  return out;
}

double bound_ns(std::string_view text) {
  return bound_of(model_work(resolved(text)), compute_roofs(), compute_roofs()).time_ns.value();
}

/// A run with one layer per list of nodes, which reads and writes so many bytes.
KernelBound kernel_bound(const analysis::Resolved& model,
                         const std::vector<std::vector<std::uint32_t>>& layers,
                         const std::vector<std::int64_t>& bytes) {
  profile::Profile run;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    profile::Layer layer{.precision = "float32"};
    for (const std::uint32_t n : layers[l]) layer.members.push_back({.node = n});
    layer.least = {.macs = 0, .bytes = bytes[l], .line_bytes = bytes[l]};
    layer.corrected_ns = 1e6;
    layer.bound = roofline::bound_of({layer.least, "float32"}, compute_roofs(), 0, 1e6);
    run.layers.push_back(layer);
  }
  return bound_of(LayerGraph(model.model(), run), run, compute_roofs());
}

constexpr std::string_view kSpelled = R"(graph main
    input x[1,1000]
    reals one=1
    Neg(x) -> n
    Exp(n) -> e
    Add(e, one) -> s
    Div(x, s) -> y
    output y)";

constexpr std::string_view kOneKernel = R"(graph main
    input x[1,1000]
    Sigmoid(x) -> s
    Mul(x, s) -> y
    output y)";

TEST(ModelBound, AnEditBeatsTheBoundOfTheKernelsAndNotThatOfTheModel) {
  const analysis::Resolved before = resolved(kSpelled), after = resolved(kOneKernel);
  // Four kernels read and write 4000 bytes each, the last reads twice; one kernel does it all.
  const double cut =
      *kernel_bound(before, {{0}, {1}, {2}, {3}}, {8000, 8000, 8000, 12000}).sequential_ns;
  const double edited = *kernel_bound(after, {{0, 1}}, {8000}).sequential_ns;
  EXPECT_DOUBLE_EQ(cut, 36000);
  EXPECT_DOUBLE_EQ(edited, 8000);
  EXPECT_LT(edited, cut);
  EXPECT_DOUBLE_EQ(bound_ns(kSpelled), 8000);
  EXPECT_DOUBLE_EQ(bound_ns(kOneKernel), 8000);
}

TEST(ModelBound, CountsArithmeticAndEachTensorOnce) {
  const ModelWork work = model_work(resolved(R"(graph main
    input x[4,8]
    constant w[8,16] v[16,8] b[8]
    MatMul(x, w) -> a
    Relu(a) -> r
    MatMul(r, v) -> c
    Add(c, b) -> y
    output y)"));
  EXPECT_EQ(work.macs, (std::map<std::string, std::int64_t>{{"float32", 2 * 4 * 8 * 16}}));
  EXPECT_EQ(work.inputs.bytes, 4 * 8 * 4);
  EXPECT_EQ(work.weights.bytes, 2 * 8 * 16 * 4);  // b could be part of another constant
  EXPECT_EQ(work.outputs.bytes, 4 * 8 * 4);
  const ModelBound bound = bound_of(work, compute_roofs(), compute_roofs());
  EXPECT_EQ(bound.kind, "compute");
  EXPECT_DOUBLE_EQ(*bound.time_ns, 2.0 * 2 * 4 * 8 * 16);
}

TEST(ModelBound, LeavesOutWhatAnEditMayLeaveOut) {
  // A second equal product, one of constants, a dead one, and an output that a node reads.
  const ModelWork work = model_work(resolved(R"(graph main
    input x[4,8]
    constant w[8,8] v[8,8] u[8,8]
    MatMul(x, w) -> a
    MatMul(x, w) -> same
    MatMul(v, u) -> folded
    MatMul(x, folded) -> dead
    Add(a, same) -> s
    MatMul(s, folded) -> y
    output a y)"));
  EXPECT_EQ(work.macs.at("float32"), 2 * 4 * 8 * 8);
  EXPECT_EQ(work.outputs.bytes, 4 * 8 * 4);      // y
  EXPECT_EQ(work.weights.bytes, 2 * 8 * 8 * 4);  // w, and the folded product
}

TEST(ModelBound, AnInputWithADefaultValueIsAConstant) {
  const ModelWork listed = model_work(resolved(R"(graph main
    input x[4,8] w[8,8]
    constant w[8,8]
    MatMul(x, w) -> y
    output y)"));
  EXPECT_EQ(listed.inputs.bytes, 4 * 8 * 4);
  EXPECT_EQ(listed.weights.bytes, 8 * 8 * 4);
}

TEST(ModelBound, SeesInputsThroughViewsAndReadsTheRowsOfATable) {
  const ModelWork work = model_work(resolved(R"(graph main
    input x[4,8] rows:int64[2]
    integers flat[1]=32
    constant table[100,8]
    Reshape(x, flat) -> f
    Relu(f) -> y
    Gather(table, rows) -> z
    output y z)"));
  EXPECT_EQ(work.inputs.bytes, 4 * 8 * 4 + 2 * 8);
  EXPECT_LE(work.weights.bytes, 2 * 8 * 4);  // of 100 rows at most two; perhaps one twice
  EXPECT_EQ(work.outputs.bytes, 4 * 8 * 4 + 2 * 8 * 4);
}

TEST(ModelBound, AQuantizedProductMayRunInAnyType) {
  const analysis::Resolved model = resolved(R"(graph main
    input x[4,8]
    reals s=0.1
    constant w[8,8]
    QuantizeLinear(x, s) -> q
    DequantizeLinear(q, s) -> f
    MatMul(f, w) -> y
    output y)");
  const ModelWork work = model_work(model);
  EXPECT_EQ(work.macs, (std::map<std::string, std::int64_t>{{"", 4 * 8 * 8}}));
  EXPECT_TRUE(multiplies_quantized(model, 2));
  EXPECT_FALSE(multiplies_quantized(model, 1));
  roofline::Roofs two = compute_roofs({{"float32", 1e9}, {"int8", 4e9}});
  two.levels[0].bytes_per_s = two.levels[0].read_per_s = 1e12;
  EXPECT_DOUBLE_EQ(*bound_of(work, two, two).time_ns, 2.0 * 4 * 8 * 8 / 4);
}

TEST(ModelBound, NoKernelsAreFasterThanTheModel) {
  KernelBound kernels{.sequential_ns = 5, .critical_path_ns = 4};
  raise(kernels, {.time_ns = 7, .parallel_ns = 3});
  EXPECT_EQ(kernels.sequential_ns, 7);
  EXPECT_EQ(kernels.critical_path_ns, 4);
  KernelBound unknown;
  raise(unknown, {.time_ns = 7, .parallel_ns = 3});
  EXPECT_FALSE(unknown.sequential_ns);
}

TEST(ModelBound, WithoutARoofThereIsAReason) {
  const ModelWork work = model_work(resolved(R"(graph main
    input x[4,8]
    constant w[8,8]
    MatMul(x, w) -> y
    output y)"));
  const ModelBound no_memory = bound_of(work, {}, {});
  EXPECT_FALSE(no_memory.time_ns);
  EXPECT_EQ(no_memory.reason, "no memory roof was measured");
  EXPECT_EQ(bound_of(work, compute_roofs({}), compute_roofs({})).reason,
            "no compute roof was measured for float32");
}

}  // namespace
}  // namespace ridge::advice
