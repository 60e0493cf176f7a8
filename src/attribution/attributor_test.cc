// SPDX-License-Identifier: Apache-2.0
// Attribution of small models run in real sessions.
#include "attribution/attributor.h"

#include <gtest/gtest.h>

#include "attribution/testing.h"

namespace ridge::attribution {
namespace {

using enum testing::Optimization;
using testing::Attributed;

/// Mean and scale of the recipe of a float constant of a sketch.
struct Recipe {
  std::string_view name;
  float mean, scale;
};

analysis::Resolved resolved_with_recipes(std::string_view text, const std::vector<Recipe>& recipes,
                                         std::int64_t opset = 17) {
  std::shared_ptr<onnx::Document> document = graph::Sketch::document(text);
  std::vector<onnx::Tensor> tensors(document->model.graph.initializers.begin(),
                                    document->model.graph.initializers.end());
  for (onnx::Tensor& t : tensors)
    for (const Recipe& r : recipes)
      if (t.name == r.name) t.recipe = {.seed = t.recipe.seed, .mean = r.mean, .scale = r.scale};
  document->model.graph.initializers = document->arena.copy(tensors);
  document->model.opsets = document->arena.copy(std::vector<onnx::OperatorSet>{{"", opset}});
  auto model = std::make_shared<const graph::Model>(testing::must(graph::Model::build(document)));
  return testing::must(analysis::resolve(model, {}));
}

constexpr std::string_view kResidual = R"(graph main
  input x[1,16,8,8]
  constant w[32,16,1,1] v[32,32,1,1] s[32] b[32] m[32] d[32]
  stem: Conv(x, w) -> a
  conv: Conv(a, v) -> c
  bn: BatchNormalization(c, s, b, m, d) -> n
  add: Add(n, a) -> t
  relu: Relu(t) -> r
  pool: GlobalAveragePool(r) -> y
  output y)";

TEST(AttributionOnSessions, FusesConvNormSumAndActivation) {
  RUN_OR_SKIP(run, resolved_with_recipes(kResidual, {{"d", 1, 0.1F}}), {.level = kAll});
  EXPECT_EQ(run->layers(),
            "ReorderInput{} Conv{stem} Conv{conv absorbed:bn add relu} GlobalAveragePool{pool} "
            "ReorderOutput{}");
  EXPECT_EQ(run->evidence("conv"), "renamed");
  EXPECT_TRUE(run->attribution.layers[0].inserted);
  EXPECT_EQ(run->attribution.layers[0].name, run->attribution.kernels[0].name);
  EXPECT_EQ(run->attribution.layers[2].name, "conv");
  EXPECT_EQ(run->attribution.layers[2].layout, "blocked");
}

TEST(AttributionOnSessions, KeepsBoundariesWithoutBlockedLayouts) {
  RUN_OR_SKIP(run, resolved_with_recipes(kResidual, {{"d", 1, 0.1F}}), {.level = kExtended});
  EXPECT_EQ(run->layers(),
            "Conv{stem} Conv{conv absorbed:bn} Add{add} Relu{relu} GlobalAveragePool{pool}");
  EXPECT_EQ(run->evidence("bn"), "same_tensor");
}

TEST(AttributionOnSessions, LeavesEveryNodeItsOwnKernelWithoutOptimization) {
  RUN_OR_SKIP(run, resolved_with_recipes(kResidual, {{"d", 1, 0.1F}}), {.level = kDisable});
  EXPECT_EQ(run->layers(),
            "Conv{stem} Conv{conv} BatchNormalization{bn} Add{add} Relu{relu} "
            "GlobalAveragePool{pool}");
}

TEST(AttributionOnSessions, PutsTwoKernelsOfHardSwishIntoOneLayer) {
  RUN_OR_SKIP(run, R"(graph main
    input x[1,16,8,8]
    constant w[32,16,3,3] v[8,32,1,1]
    conv: Conv(x, w) -> c
    swish: HardSwish(c) -> h
    last: Conv(h, v) -> y
    output y)",
              kExtended);
  EXPECT_EQ(run->layers(), "Conv{conv} 2*HardSwish{swish} Conv{last}");
  EXPECT_EQ(run->evidence("swish"), "same_tensor");
}

TEST(AttributionOnSessions, PutsAllKernelsOfGroupNormalizationIntoOneLayer) {
  RUN_OR_SKIP(run,
              resolved_with_recipes(R"(graph main
    input x[1,32,8,8]
    constant s[32] b[32]
    first: Relu(x) -> a
    norm: GroupNormalization(a, s, b) {num_groups=4} -> n
    last: Tanh(n) -> y
    output y)",
                                    {}, 21),
              {.level = kAll, .profile = true});
  ASSERT_EQ(run->attribution.layers.size(), 3U) << run->layers();
  const Layer& norm = run->attribution.layers[1];
  EXPECT_EQ(norm.type, "GroupNormalization");
  EXPECT_EQ(norm.kernels.size(), run->attribution.kernels.size() - 2);
  EXPECT_GT(norm.kernels.size(), 25U);
  // The runtime expanded the function itself, into kernels without names; events are still matched.
  const std::vector<KernelEvent> events = run->events();
  const std::vector<graph::NodeId> kernels = join_events(run->graph, events);
  std::vector<bool> seen(run->attribution.kernels.size());
  for (std::size_t i = 0; i < events.size(); ++i) {
    ASSERT_NE(kernels[i], graph::kNone) << events[i].name;
    EXPECT_EQ(run->graph.kernel(kernels[i]).op_type, events[i].op_type);
    seen[kernels[i]] = true;
  }
  EXPECT_EQ(std::ranges::count(seen, true), std::ssize(run->attribution.kernels));
}

TEST(AttributionOnSessions, FindsNormalizationThatRunsAsAConvolution) {
  RUN_OR_SKIP(run,
              resolved_with_recipes(R"(graph main
    input x[1,16,8,8]
    constant w[32,16,1,1] v[32,32,1,1] s[64] b[64] m[64] d[64] u[32,64,1,1]
    one: Conv(x, w) -> p
    two: Conv(p, v) -> q
    join: Concat(p, q) {axis=1} -> c
    bn: BatchNormalization(c, s, b, m, d) -> n
    relu: Relu(n) -> r
    last: Conv(r, u) -> y
    output y)",
                                    {{"d", 1, 0.1F}}),
              {.level = kAll});
  EXPECT_EQ(
      run->layers(),
      "ReorderInput{} Conv{one} Conv{two} Concat{join} Conv{bn relu} Conv{last} ReorderOutput{}");
}

TEST(AttributionOnSessions, SaysWhichNodeAMergedOneEquals) {
  RUN_OR_SKIP(run, R"(graph main
    input x[1,16,32]
    constant w[32,32] b[32]
    query: MatMul(x, w) -> q0
    query_bias: Add(q0, b) -> q
    key: MatMul(x, w) -> k0
    key_bias: Add(k0, b) -> k
    left: Sigmoid(q) -> l
    right: Tanh(k) -> r
    product: Mul(l, r) -> y
    output y)",
              kAll);
  EXPECT_EQ(run->coverage.macs, 2 * 16 * 32 * 32);
  EXPECT_EQ(run->coverage.macs_executed, 16 * 32 * 32);  // computed once
  EXPECT_TRUE(run->without() == "key merged(query), key_bias merged(query_bias)" ||
              run->without() == "query merged(key), query_bias merged(key_bias)")
      << run->without();
}

TEST(AttributionOnSessions, WrapsAMatrixProductIntoItsReshapes) {
  RUN_OR_SKIP(run, R"(graph main
    input x[1,16,32]
    constant w[32,48] b[48]
    product: MatMul(x, w) -> p
    bias: Add(p, b) -> q
    last: Relu(q) -> y
    output y)",
              kAll);
  EXPECT_EQ(run->layers(), "3*Gemm{product bias} Relu{last}");
  EXPECT_EQ(run->evidence("bias"), "same_tensor");
}

TEST(AttributionOnSessions, ListsWhatIsFoldedAndWhatHasNoEffect) {
  RUN_OR_SKIP(run, R"(graph main
    input x[2,3,4]
    integers all[1]=12 whole[3]=2,3,4 zero[1]=0 one[1]=1
    first: Relu(x) -> a
    shape: Shape(a) -> s
    batch: Slice(s, zero, one) -> b
    target: Concat(b, all) {axis=0} -> t
    idle: Identity(a) -> i
    same: Reshape(i, whole) -> r
    flat: Reshape(r, t) -> f
    drop: Dropout(f) -> d
    last: Sigmoid(d) -> y
    output y)",
              kAll);
  EXPECT_EQ(run->layers(), "Relu{first} Reshape{flat} Sigmoid{last}");
  EXPECT_EQ(run->without(),
            "shape folded, batch folded, target folded, idle eliminated, same eliminated, "
            "drop eliminated");
}

TEST(AttributionOnSessions, SeesANodeWhoseOutputTookTheNameBehindAnIdentity) {
  RUN_OR_SKIP(run, R"(graph main
    input x[4,8]
    constant w[8,8]
    product: MatMul(x, w) -> p
    idle: Identity(p) -> y
    output y)",
              kAll);
  EXPECT_EQ(run->layers(), "MatMul{product}");
  EXPECT_EQ(run->evidence("product"), "same_tensor");
  EXPECT_EQ(run->without(), "idle eliminated");
}

TEST(AttributionOnSessions, LeavesAnIdentityItsKernelWhereItHasOne) {
  RUN_OR_SKIP(run, R"(graph main
    input x[4,8]
    first: Relu(x) -> a
    idle: Identity(a) -> b
    last: Tanh(b) -> y
    output y)",
              kDisable);
  EXPECT_EQ(run->layers(), "Relu{first} Identity{idle} Tanh{last}");
}

/// Model with a quantized Conv and Add that read one DequantizeLinear.
analysis::Resolved quantized() {
  constexpr std::string_view kText = R"(graph main
    input x[1,16,8,8]
    constant scale[] wscale[] w[16,16,1,1]
    q0: QuantizeLinear(x, scale, zero) -> x8
    shared: DequantizeLinear(x8, scale, zero) -> xf
    qw: DequantizeLinear(w8, wscale, wzero) -> wf
    conv: Conv(xf, wf) -> c
    q1: QuantizeLinear(c, scale, zero) -> c8
    d1: DequantizeLinear(c8, scale, zero) -> cf
    add: Add(cf, xf) -> a
    q2: QuantizeLinear(a, scale, zero) -> a8
    d2: DequantizeLinear(a8, scale, zero) -> y
    output y)";
  std::shared_ptr<onnx::Document> document = graph::Sketch::document(kText);
  Arena& arena = document->arena;
  std::vector<onnx::Tensor> tensors;
  for (onnx::Tensor t : document->model.graph.initializers) {
    t.recipe = {.seed = 1, .mean = 0.02F, .scale = 0};
    if (t.name != "w") tensors.push_back(t);
  }
  const auto bytes = [&](std::string_view name, onnx::DataType type,
                         const std::vector<std::int64_t>& dims,
                         const std::vector<std::uint8_t>& elements) {
    onnx::Tensor t{.name = name, .dims = arena.copy(dims), .type = type};
    t.elements = static_cast<std::int64_t>(elements.size());
    t.storage = onnx::Storage::kInline;
    t.bytes = std::as_bytes(std::span(arena.copy(elements)));
    tensors.push_back(t);
  };
  std::vector<std::uint8_t> weight(256);
  for (std::size_t i = 0; i < weight.size(); ++i) weight[i] = static_cast<std::uint8_t>(i);
  bytes("zero", onnx::DataType::kUint8, {}, {128});
  bytes("wzero", onnx::DataType::kInt8, {}, {0});
  bytes("w8", onnx::DataType::kInt8, {16, 16, 1, 1}, weight);
  document->model.graph.initializers = arena.copy(tensors);
  auto model = std::make_shared<const graph::Model>(testing::must(graph::Model::build(document)));
  return testing::must(analysis::resolve(model, {}));
}

TEST(AttributionOnSessions, GivesASharedDequantizeToEachKernelThatTookACopy) {
  RUN_OR_SKIP(run, quantized(), {.level = kExtended});
  EXPECT_EQ(run->layers(),
            "QuantizeLinear{q0} QLinearConv{shared conv q1} QLinearAdd{part:shared d1 add q2} "
            "DequantizeLinear{d2}");
  EXPECT_EQ(run->without(), "qw folded");
}

TEST(AttributionOnSessions, FollowsADuplicateByItsName) {
  RUN_OR_SKIP(run, quantized(), {.level = kBasic});
  EXPECT_NE(run->layers().find("DequantizeLinear{part:shared}"), std::string::npos)
      << run->layers();
  EXPECT_NE(run->layers().find("DequantizeLinear{shared}"), std::string::npos) << run->layers();
}

TEST(AttributionOnSessions, AlignsPermutedInt8KernelsWithALowerLevel) {
  RUN_OR_SKIP(run, quantized(), {.level = kAll});
  EXPECT_EQ(run->coverage.placed + run->coverage.without_layer, run->coverage.nodes);
  EXPECT_EQ(run->coverage.macs_executed, run->coverage.macs);
  EXPECT_EQ(run->coverage.by_evidence[static_cast<int>(profile::Evidence::kGuess)], 0);
  EXPECT_NE(run->layers().find("QLinearConv{shared conv q1}"), std::string::npos) << run->layers();
}

constexpr std::string_view kBranches = R"(
  graph yes
    product: MatMul(x, w) -> p
    yes_relu: Relu(p) -> q
    output q
  graph no
    no_add: Add(x, x) -> s
    output s)";

TEST(AttributionOnSessions, FindsNodesOfABranchInItsBody) {
  const std::string text = std::string(R"(graph main
    input x[16,32]
    constant w[32,32]
    first: Abs(x) -> a
    mean: ReduceMean(a) {keepdims=0} -> m
    test: Greater(m, a0) -> g
    pick: Reshape(g, scalar) -> c
    integers scalar[1]=1
    constant a0[]
    choose: If(c) {then_branch=graph:yes else_branch=graph:no} -> z
    last: Tanh(z) -> y
    output y)") + std::string(kBranches);
  RUN_OR_SKIP(run, text, kAll);
  EXPECT_EQ(run->evidence("product"), "same_tensor");
  EXPECT_EQ(run->evidence("no_add"), "same_tensor");
  EXPECT_EQ(run->coverage.macs_executed, 16 * 32 * 32);
  // After a run it is known which branch was taken.
  Attribution taken = run->attribution;
  std::vector<bool> executed(taken.kernels.size(), true);
  for (std::size_t k = 0; k < executed.size(); ++k)
    if (taken.kernels[k].op_type == "Add") executed[k] = false;
  drop_unexecuted(taken, executed);
  const auto gone = std::ranges::find(taken.without_layer, profile::Why::kNotExecuted,
                                      &profile::WithoutLayer::why);
  ASSERT_NE(gone, taken.without_layer.end());
  EXPECT_EQ(run->name(gone->node), "no_add");
  testing::must(check_conservation(run->resolved, taken));
}

TEST(AttributionOnSessions, LooksThroughABranchChosenAtLoad) {
  const std::string text = std::string(R"(graph main
    input x[16,32]
    constant w[32,32]
    flags c[]=1
    choose: If(c) {then_branch=graph:yes else_branch=graph:no} -> z
    last: Tanh(z) -> y
    output y)") + std::string(kBranches);
  RUN_OR_SKIP(run, text, kAll);
  EXPECT_EQ(run->layers(), "MatMul{product} Relu{yes_relu} Tanh{last}");
  EXPECT_EQ(run->without(), "choose eliminated, no_add not_executed");
  RUN_OR_SKIP(plain, text, kDisable);
  EXPECT_EQ(plain->evidence("choose"), "same_tensor");
}

TEST(AttributionOnSessions, FindsNodesOfALoopInItsBody) {
  RUN_OR_SKIP(run, R"(graph main
    input x[2,16,32]
    constant w[32,32] b[32]
    integers n[]=3
    first: Relu(x) -> a
    loop: Loop(n, _, a) {body=graph:body} -> z
    last: Tanh(z) -> y
    output y
  graph body
    input i[] go[] s[2,16,32]
    same: Identity(go) -> more
    product: MatMul(s, w) -> p
    bias: Add(p, b) -> t
    act: Relu(t) -> next
    output more next)",
              kAll);
  EXPECT_EQ(run->coverage.macs_executed, 3 * 2 * 16 * 32 * 32);
  EXPECT_EQ(run->evidence("product"), "same_tensor");
  EXPECT_EQ(run->evidence("bias"), "same_tensor");
}

TEST(AttributionOnSessions, SeesTheBodiesOfFunctions) {
  RUN_OR_SKIP(run, R"(graph main
    input x[4,8]
    constant w[8,8] v[8,8]
    call: local.Layer(x, w) -> a
    again: local.Layer(a, v) -> y
    output y
  function local.Layer
    input t u
    output r
    product: MatMul(t, u) -> p
    relu: Relu(p) -> r)",
              kAll);
  EXPECT_EQ(run->layers(), "MatMul{product} Relu{relu} MatMul{product} Relu{relu}");
  EXPECT_EQ(run->without(), "call eliminated, again eliminated");
}

}  // namespace
}  // namespace ridge::attribution
