// SPDX-License-Identifier: Apache-2.0
// Plans of whole models in ONNX Runtime: nothing is lost, every brick runs, and it runs the kernels
// that the plan says, as its own dump shows.
#include "bricks/planner.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/temporary_folder.h"
#include "bricks/plan_describe.h"
#include "bricks/testing.h"
#include "measure/input_specs.h"
#include "measure/material.h"
#include "onnx/reader.h"
#include "onnx/writer.h"
#include "record/json_read.h"
#include "record/json_write.h"
#include "zoo/source.h"

namespace ridge::bricks {
namespace {

using testing::must;
using testing::resolved;

/// A planner that stores bricks in a folder.
class Planning {
 public:
  explicit Planning(Granularity granularity = {}, Plan plan = {}, const char* runtime = "ort")
      : loader_(measure::testing::options(runtime)),
        folder_(must(TemporaryFolder::make("/tmp"))),
        planner_(
            loader_, granularity, std::move(plan),
            [this](const onnx::Document& model, const std::string& file) -> Result<FileDigest> {
              EXPECT_TRUE(saved_.insert(file).second) << file;
              TRY(onnx::write_file(model, path(file)));
              return FileDigest{std::string(64, '0'), 1};
            }) {}

  /// Plans a model, and fails if a node or MAC of it is lost.
  const PlannedModel& add(const std::string& name, const analysis::Resolved& r) {
    must(planner_.add({.name = name,
                       .path = name,
                       .graph_hash = {},
                       .macs = r.totals().macs.known() ? r.totals().macs.value() : 0},
                      must(loader_.load(r))));
    expect_complete(name, r);
    return *std::ranges::find(plan().models, name, &PlannedModel::name);
  }
  void survey(const analysis::Resolved& r) { planner_.survey(must(loader_.load(r))); }
  const PlannedModel& add_zoo(const std::string& name) {
    return add(name,
               testing::resolved_document(must(zoo::open_model(name)), zoo::default_sizes(name)));
  }

  const Plan& plan() const { return planner_.plan(); }
  std::uint32_t checked() const { return planner_.checked(); }
  std::size_t saved() const { return saved_.size(); }
  std::string path(const std::string& file) const { return folder_.path() + "/" + file; }
  std::string manifest() const {
    StringSink sink;
    record::write_json(plan(), sink);
    return sink.text();
  }
  /// Nodes of a model that no brick stands for, with the reasons.
  std::string left_over(const std::string& model) const {
    std::string out;
    for (const LeftOver& l : plan().left_over)
      if (l.model == model)
        out += fmt::format("{}{}: {}", out.empty() ? "" : "; ", fmt::join(l.nodes, ","), l.why);
    return out;
  }

 private:
  void expect_complete(const std::string& name, const analysis::Resolved& r) const {
    std::vector<int> places(r.model().nodes().size(), 0);
    std::int64_t macs = 0;
    for (const Brick& b : plan().bricks)
      for (const Occurrence& o : b.occurrences) {
        if (o.model != name) continue;
        EXPECT_TRUE(saved_.empty() || saved_.contains(b.file)) << b.file;
        macs += b.macs;
        for (const std::uint32_t n : o.nodes) ++places.at(n);
      }
    for (const LeftOver& l : plan().left_over) {
      if (l.model != name) continue;
      EXPECT_NE(l.why, "");
      for (const std::uint32_t n : l.nodes) {
        ++places.at(n);
        const ops::Dim count = r.counts(n).macs;
        if (count.known()) macs += count.value();
      }
    }
    for (graph::NodeId n = 0; n < places.size(); ++n)
      EXPECT_EQ(places[n], 1) << r.model().describe(n);
    if (r.totals().macs.known()) {
      EXPECT_EQ(macs, r.totals().macs.value());
    }
    EXPECT_TRUE(record::read_json<Plan>(manifest()).ok());
  }

  Loader loader_;
  TemporaryFolder folder_;
  std::set<std::string> saved_;
  Planner planner_;
};

/// Runs bricks once, in one process.
class BrickRunner {
 public:
  explicit BrickRunner(const char* runtime = "ort")
      : runtime_(must(runtime::Runtime::spawn(measure::testing::options(runtime)))) {}

  /// Operators of the kernels in the runtime's dump or list of the brick, bodies included.
  std::multiset<std::string> run(const std::string& path) {
    const analysis::Resolved r = testing::resolved_document(
        std::make_shared<const onnx::Document>(must(onnx::read_file(path))));
    const attribution::Canonical copy = must(attribution::canonicalise(r));
    const std::vector<runtime::Weight> weights = must(measure::weights_of(copy));
    const auto inputs = must(runtime::Inputs::make(must(measure::input_specs(r, copy, {}, 1))));
    const runtime::Loaded loaded = must(runtime_.load({.model = copy.bytes, .weights = weights}));
    must(runtime_.set_inputs(loaded.session, inputs));
    const runtime::Measurement m = must(
        runtime_.measure(loaded.session, {.warmup_runs = 0, .min_rounds = 1, .max_rounds = 1}));
    EXPECT_FALSE(m.failure) << path << ": " << m.failure->text();
    must(runtime_.unload(loaded.session));
    std::multiset<std::string> out;
    for (const runtime::RuntimeLayer& layer : loaded.graph.layers) out.insert(layer.type);
    if (!loaded.graph.model.empty()) {
      const graph::Model dump = must(graph::Model::build(std::make_shared<const onnx::Document>(
          must(onnx::read_bytes(loaded.graph.model, "dump")))));
      for (const graph::Node& kernel : dump.nodes()) out.emplace(kernel.op_type);
    }
    donor_convolutions_ = 0;
    for (const graph::Node& node : r.model().nodes())
      donor_convolutions_ += node.op_type == "Conv" && !is_core_name(node.name) &&
                                     node.name.find('.') != node.name.npos
                                 ? 1
                                 : 0;
    return out;
  }
  std::size_t donor_convolutions() const { return donor_convolutions_; }

 private:
  runtime::Runtime runtime_;
  std::size_t donor_convolutions_ = 0;
};

/// Fails unless every brick runs, and its dump has the kernels of the plan, one kernel for each
/// donor, and conversions of layouts.
void expect_bricks_run(const Planning& planning) {
  BrickRunner runner;
  for (const Brick& brick : planning.plan().bricks) {
    SCOPED_TRACE(brick.file);
    std::multiset<std::string> kernels = runner.run(planning.path(brick.file));
    for (const std::string& wanted : brick.kernels) {
      const auto found = kernels.find(wanted);
      ASSERT_NE(found, kernels.end()) << wanted;
      kernels.erase(found);
    }
    for (const BrickPort& port : brick.ports)
      if (const auto donor = kernels.find(port.donor);
          donor != kernels.end() && (port.donor == "Neg" || port.donor == "Not"))
        kernels.erase(donor);
    EXPECT_EQ(kernels.count("Conv"), runner.donor_convolutions());
    for (const char* donor : {"Conv", "ReorderInput", "ReorderOutput", "Transpose"})
      kernels.erase(donor);
    EXPECT_TRUE(kernels.empty()) << fmt::format("{}", fmt::join(kernels, " "));
  }
}

/// Runs every brick in OpenVINO, whose list names kernels otherwise.
void expect_bricks_run_in_openvino(const Planning& planning) {
  BrickRunner runner("openvino");
  for (const Brick& brick : planning.plan().bricks) {
    SCOPED_TRACE(brick.file);
    std::multiset<std::string> kernels = runner.run(planning.path(brick.file));
    for (const std::string& wanted : brick.kernels) {
      const auto found = kernels.find(wanted);
      ASSERT_NE(found, kernels.end()) << wanted;
      kernels.erase(found);
    }
    EXPECT_EQ(kernels.count("Convolution"), runner.donor_convolutions());
    for (const char* donor : {"Convolution", "Reorder", "Transpose", "Eltwise", "Subgraph"})
      kernels.erase(donor);
    EXPECT_TRUE(kernels.empty()) << fmt::format("{} beside {}", fmt::join(kernels, " "),
                                                fmt::join(brick.kernels, " "));
  }
}

/// First line in which two manifests differ; "" if they are equal.
std::string plan_difference(const std::string& a, const std::string& b) {
  if (a == b) return {};
  std::size_t line = 0, at = 0;
  for (; at < std::min(a.size(), b.size()) && a[at] == b[at]; ++at)
    if (a[at] == '\n') line = at + 1;
  return fmt::format("{}\nnot {}", a.substr(line, a.find('\n', at) - line),
                     b.substr(line, b.find('\n', at) - line));
}

/// Residual blocks with equal shapes.
std::string blocks(int count, int channels = 16) {
  std::string weights = fmt::format("constant stem[{0},3,3,3] last[{0},10]", channels), nodes;
  std::string at = "stem.out";
  for (int i = 0; i < count; ++i) {
    weights += fmt::format(" a{0}[{1},{1},3,3] b{0}[{1},{1},3,3]", i, channels);
    nodes += fmt::format(R"(
      a{0}: Conv({1}, a{0}) {{pads=[1,1,1,1]}} -> a{0}.out
      ar{0}: Relu(a{0}.out) -> ar{0}.out
      b{0}: Conv(ar{0}.out, b{0}) {{pads=[1,1,1,1]}} -> b{0}.out
      add{0}: Add(b{0}.out, {1}) -> add{0}.out
      relu{0}: Relu(add{0}.out) -> block{0}.out)",
                         i, at);
    at = fmt::format("block{}.out", i);
  }
  return fmt::format(R"(graph main
    input x[1,3,16,16]
    {}
    stem: Conv(x, stem) {{pads=[1,1,1,1]}} -> stem.sum
    relu: Relu(stem.sum) -> stem.out{}
    mean: GlobalAveragePool({}) -> pooled
    flat: Flatten(pooled) -> flat
    last: MatMul(flat, last) -> y
    output y)",
                     weights, nodes, at);
}

constexpr std::string_view kAttention = R"(graph main
  input x[1,8,32]
  constant wq[32,32] wk[32,32] wv[32,32] wo[32,32] bq[32] scale[32] bias[32]
  integers s[4]=1,8,4,8 back[3]=1,8,32
  norm: LayerNormalization(x, scale, bias) -> n
  q: MatMul(n, wq) -> q0
  qb: Add(q0, bq) -> q1
  qs: Reshape(q1, s) -> q2
  qt: Transpose(q2) {perm=[0,2,1,3]} -> q3
  k: MatMul(n, wk) -> k0
  ks: Reshape(k0, s) -> k2
  kt: Transpose(k2) {perm=[0,2,3,1]} -> k3
  v: MatMul(n, wv) -> v0
  vs: Reshape(v0, s) -> v2
  vt: Transpose(v2) {perm=[0,2,1,3]} -> v3
  scores: MatMul(q3, k3) -> p0
  soft: Softmax(p0) -> p1
  mix: MatMul(p1, v3) -> o0
  ot: Transpose(o0) {perm=[0,2,1,3]} -> o1
  os: Reshape(o1, back) -> o2
  o: MatMul(o2, wo) -> o3
  add: Add(o3, x) -> y
  output y)";

TEST(PlannerSlow, PlansBlocksOfConvolutions) {
  SKIP_WITHOUT("ort");
  Planning planning;
  const PlannedModel model = planning.add("blocks", resolved(blocks(3)));
  EXPECT_EQ(planning.left_over("blocks"), "");
  EXPECT_LT(model.unique, model.bricks);
  EXPECT_EQ(model.unique, planning.saved());
  expect_bricks_run(planning);
  // A deeper network of the same blocks has no new piece.
  EXPECT_EQ(planning.add("deeper", resolved(blocks(5))).added, 0U);
  EXPECT_EQ(model.unique, planning.saved());
  // One with other channels has.
  EXPECT_GT(planning.add("wider", resolved(blocks(2, 32))).added, 0U);
  expect_bricks_run(planning);
}

TEST(PlannerSlow, PlansPiecesBetweenSingleTensors) {
  SKIP_WITHOUT("ort");
  Planning fine, coarse({.layers = 0});
  fine.add("blocks", resolved(blocks(3)));
  coarse.add("blocks", resolved(blocks(3)));
  EXPECT_EQ(coarse.left_over("blocks"), "");
  EXPECT_LT(coarse.plan().models[0].bricks, fine.plan().models[0].bricks);
  expect_bricks_run(coarse);
}

TEST(PlannerSlow, JoinsLayersThatOccurOnlyTogether) {
  SKIP_WITHOUT("ort");
  // Layers: stem, three times a and b, pooling, product. b is followed by a and by the pooling.
  Planning joined({.layers = 1, .joined = 8}), halves({.layers = 1, .joined = 1});
  joined.survey(resolved(blocks(3)));
  const PlannedModel model = joined.add("blocks", resolved(blocks(3)));
  EXPECT_EQ(joined.left_over("blocks"), "");
  EXPECT_EQ(model.bricks, 5U);
  EXPECT_EQ(model.unique, 3U);
  std::multiset<std::size_t> kernels;
  for (const Brick& brick : joined.plan().bricks)
    kernels.insert(static_cast<std::size_t>(std::ranges::count(brick.kernels, "Conv")));
  EXPECT_EQ(kernels, (std::multiset<std::size_t>{0, 1, 2}));
  expect_bricks_run(joined);
  // Known bricks are taken wherever they occur.
  EXPECT_EQ(joined.add("deeper", resolved(blocks(5))).added, 0U);
  // With sequences of one layer a planner plans as without sequences.
  Planning fine;
  halves.survey(resolved(blocks(3)));
  EXPECT_EQ(halves.add("blocks", resolved(blocks(3))).bricks,
            fine.add("blocks", resolved(blocks(3))).bricks);
}

TEST(PlannerSlow, DoesNotJoinLayersThatAnotherModelHasApart) {
  SKIP_WITHOUT("ort");
  Planning alone({.layers = 1, .joined = 8}), both({.layers = 1, .joined = 8});
  alone.survey(resolved(blocks(1)));
  EXPECT_LT(alone.add("short", resolved(blocks(1))).bricks, 4U);
  both.survey(resolved(blocks(1)));
  both.survey(resolved(blocks(3)));
  EXPECT_EQ(both.add("short", resolved(blocks(1))).bricks, 3U);
  EXPECT_EQ(both.add("blocks", resolved(blocks(3))).added, 0U);
}

TEST(PlannerSlow, PlansAttention) {
  SKIP_WITHOUT("ort");
  Planning planning;
  planning.add("attention", resolved(kAttention));
  EXPECT_EQ(planning.left_over("attention"), "");
  expect_bricks_run(planning);
}

/// Layers of `width` units: kernels of width * width / 40 ns in the model of whole.h.
std::string perceptron(int width) {
  return fmt::format(R"(graph main
    input x[1,{0}]
    constant a[{0},{0}] b[{0},{0}] c[{0},{0}]
    one: MatMul(x, a) -> t1
    act: Relu(t1) -> t2
    two: MatMul(t2, b) -> t3
    soft: Softmax(t3) -> t4
    three: MatMul(t4, c) -> y
    output y)",
                     width);
}

TEST(PlannerSlow, DoesNotCutModelsOfBriefKernels) {
  SKIP_WITHOUT("ort");
  Planning planning({.layers = 1, .brief_models = true});
  planning.add("brief", resolved(perceptron(64)));
  ASSERT_EQ(planning.plan().bricks.size(), 1U);
  const Brick whole = planning.plan().bricks[0];
  EXPECT_TRUE(whole.whole);
  EXPECT_EQ(whole.occurrences[0].nodes.size(), 5U);
  for (const BrickPort& port : whole.ports) EXPECT_EQ(port.donor, "") << port.name;
  expect_bricks_run(planning);
  // The same model in pieces, and one of longer kernels.
  Planning cut;
  EXPECT_GT(cut.add("brief", resolved(perceptron(64))).bricks, 1U);
  EXPECT_GT(planning.add("longer", resolved(perceptron(1024))).bricks, 1U);
  for (const Brick& brick : planning.plan().bricks)
    EXPECT_EQ(brick.whole, brick.key == whole.key) << brick.file;
}

TEST(PlannerSlow, PlansForOpenvino) {
  SKIP_WITHOUT("openvino");
  Planning planning({}, {}, "openvino");
  planning.add("blocks", resolved(blocks(3)));
  planning.add("attention", resolved(kAttention));
  for (const char* network : {"zoo:resnet18", "zoo:shufflenet_v2_x0_5"}) {
    planning.add_zoo(network);
    EXPECT_EQ(planning.left_over(network), "");
  }
  EXPECT_EQ(planning.left_over("blocks"), "");
  EXPECT_EQ(planning.left_over("attention"), "");
  const auto& models = planning.plan().models;
  EXPECT_LT(models[0].unique, models[0].bricks);
  EXPECT_EQ(models[2].bricks, 24U);
  expect_bricks_run_in_openvino(planning);
}

TEST(PlannerSlow, KeepsATransposeThatOnlyMovesOnes) {
  // OpenVINO computes nothing for the transposes, and reads [1,8,1,1] as [1,1,1,8].
  SKIP_WITHOUT("openvino");
  Planning planning({}, {}, "openvino");
  planning.add("head", resolved(R"(graph main
    input x[1,8,6,6]
    constant w[8,8,3,3] scale[8] bias[8]
    conv: Conv(x, w) -> c
    pool: GlobalAveragePool(c) -> p
    to: Transpose(p) {perm=[0,2,3,1]} -> t
    norm: LayerNormalization(t, scale, bias) -> n
    back: Transpose(n) {perm=[0,3,1,2]} -> b
    flat: Flatten(b) -> y
    output y)"));
  EXPECT_EQ(planning.left_over("head"), "");
  expect_bricks_run_in_openvino(planning);
}

TEST(PlannerSlow, ReplacesAModelByItselfWithoutChange) {
  SKIP_WITHOUT("ort");
  Planning planning;
  planning.add("blocks", resolved(blocks(2)));
  planning.add("attention", resolved(kAttention));
  const std::string manifest = planning.manifest();
  const std::uint32_t checked = planning.checked();
  planning.add("blocks", resolved(blocks(2)));
  EXPECT_EQ(plan_difference(planning.manifest(), manifest), "");
  EXPECT_EQ(planning.checked(), checked);
  planning.add("attention", resolved(kAttention));
  EXPECT_EQ(plan_difference(planning.manifest(), manifest), "");
}

TEST(PlannerSlow, ReplacesAModelByAnotherVersion) {
  SKIP_WITHOUT("ort");
  Planning planning, fresh;
  planning.add("model", resolved(kAttention));
  planning.add("model", resolved(blocks(2)));
  fresh.add("model", resolved(blocks(2)));
  EXPECT_EQ(plan_difference(planning.manifest(), fresh.manifest()), "");
}

TEST(PlannerSlow, ChecksNothingThatAnEarlierPlanHas) {
  SKIP_WITHOUT("ort");
  Planning first;
  first.add("blocks", resolved(blocks(2)));
  EXPECT_GT(first.checked(), 0U);
  Planning second({}, first.plan());
  second.add("blocks", resolved(blocks(2)));
  EXPECT_EQ(second.checked(), 0U);
  EXPECT_EQ(second.saved(), 0U);
  EXPECT_EQ(plan_difference(second.manifest(), first.manifest()), "");
}

TEST(PlannerSlow, FindsNoNewBrickInADeeperResnet) {
  SKIP_WITHOUT("ort");
  Planning planning;
  planning.add_zoo("zoo:resnet18");
  EXPECT_EQ(planning.left_over("zoo:resnet18"), "");
  const PlannedModel deeper = planning.add_zoo("zoo:resnet34");
  EXPECT_EQ(planning.left_over("zoo:resnet34"), "");
  EXPECT_EQ(deeper.added, 0U);
  EXPECT_EQ(deeper.unique, planning.plan().models[0].unique);
  expect_bricks_run(planning);
}

class PlannerOfNetworksSlow : public ::testing::TestWithParam<const char*> {};

TEST_P(PlannerOfNetworksSlow, LosesNothing) {
  SKIP_WITHOUT("ort");
  Planning planning;
  planning.add_zoo(GetParam());
  EXPECT_EQ(planning.left_over(GetParam()), "");
  expect_bricks_run(planning);
}

INSTANTIATE_TEST_SUITE_P(Zoo, PlannerOfNetworksSlow,
                         ::testing::Values("zoo:vit_b_32", "zoo:squeezenet1_1",
                                           "zoo:convnext_tiny"));

/// Plans one model of operators that need care; returns what is left over.
std::string left_over_of(const analysis::Resolved& r) {
  Planning planning;
  planning.add("model", r);
  expect_bricks_run(planning);
  return planning.left_over("model");
}

TEST(PlannerSlow, PlansControlFlow) {
  SKIP_WITHOUT("ort");
  EXPECT_EQ(left_over_of(resolved(R"(graph main
    input c:bool[] x[2,4]
    a: Relu(x) -> ta
    if: If(c) {then_branch=graph:yes else_branch=graph:no} -> tb
    b: Neg(tb) -> y
    output y
  graph yes
    constant w[4,4]
    then: MatMul(ta, w) -> p
    output p
  graph no
    else: Tanh(ta) -> q
    output q)")),
            "");
  EXPECT_EQ(left_over_of(resolved(R"(graph main
    input x[4,4]
    integers m=3
    a: Relu(x) -> ta
    loop: Loop(m, _, ta) {body=graph:body} -> tb
    b: Neg(tb) -> y
    output y
  graph body
    input i:int64[] c:bool[] h[4,4]
    keep: Identity(c) -> d
    inner: MatMul(h, ta) -> g
    output d g)")),
            "");
}

TEST(PlannerSlow, PlansARecurrentLayer) {
  SKIP_WITHOUT("ort");
  EXPECT_EQ(left_over_of(resolved(R"(graph main
    input x[5,1,4]
    constant w[1,32,4] r[1,32,8] b[1,64]
    lstm: LSTM(x, w, r, b) {hidden_size=8} -> h, _, c
    flat: Relu(h) -> y
    output y c)")),
            "");
}

/// Gives a constant of a sketch other elements: `first`, and up to two steps more.
template <typename T>
void set_elements(onnx::Document& document, std::string_view name, onnx::DataType type, T first,
                  T step = 1) {
  std::vector<onnx::Tensor> all(document.model.graph.initializers.begin(),
                                document.model.graph.initializers.end());
  for (onnx::Tensor& t : all) {
    if (std::string_view(t.name) != name) continue;
    const std::span<T> elements = document.arena.array<T>(static_cast<std::size_t>(t.elements));
    for (std::size_t i = 0; i < elements.size(); ++i)
      elements[i] = static_cast<T>(first + step * static_cast<T>(i % 3));
    t.type = type;
    t.storage = onnx::Storage::kInline;
    t.bytes = std::as_bytes(std::span<const T>(elements));
  }
  document.model.graph.initializers = document.arena.copy(all);
}

TEST(PlannerSlow, PlansQuantizedConvolutions) {
  SKIP_WITHOUT("ort");
  auto document = graph::Sketch::document(R"(graph main
    input x[1,16,8,8]
    constant s zx[] zw[] w[16,16,3,3] v[16,16,3,3]
    xq: QuantizeLinear(x, s, zx) -> q0
    xd: DequantizeLinear(q0, s, zx) -> d0
    wd: DequantizeLinear(w, s, zw) -> dw
    conv: Conv(d0, dw) {pads=[1,1,1,1]} -> c0
    relu: Relu(c0) -> r0
    rq: QuantizeLinear(r0, s, zx) -> q1
    rd: DequantizeLinear(q1, s, zx) -> d1
    vd: DequantizeLinear(v, s, zw) -> dv
    conv2: Conv(d1, dv) {pads=[1,1,1,1]} -> c1
    yq: QuantizeLinear(c1, s, zx) -> q2
    yd: DequantizeLinear(q2, s, zx) -> y
    output y)");
  set_elements(*document, "s", onnx::DataType::kFloat, 0.5F);
  set_elements(*document, "zx", onnx::DataType::kUint8, std::uint8_t{0});
  set_elements(*document, "zw", onnx::DataType::kInt8, std::int8_t{0});
  set_elements(*document, "w", onnx::DataType::kInt8, std::int8_t{1});
  set_elements(*document, "v", onnx::DataType::kInt8, std::int8_t{2});
  EXPECT_EQ(left_over_of(testing::resolved_document(document)), "");
}

TEST(PlannerSlow, PlansQuantizedConvolutionsWithABias) {
  SKIP_WITHOUT("ort");
  auto document = graph::Sketch::document(R"(graph main
    input x[1,16,8,8]
    constant s zx[] sw[16] zw[16] w[16,16,3,3] sb[16] zb[16] b[16]
    xq: QuantizeLinear(x, s, zx) -> q0
    xd: DequantizeLinear(q0, s, zx) -> d0
    wd: DequantizeLinear(w, sw, zw) {axis=0} -> dw
    bd: DequantizeLinear(b, sb, zb) {axis=0} -> db
    conv: Conv(d0, dw, db) {pads=[1,1,1,1]} -> c0
    yq: QuantizeLinear(c0, s, zx) -> q1
    yd: DequantizeLinear(q1, s, zx) -> y
    output y)");
  set_elements(*document, "s", onnx::DataType::kFloat, 0.5F);
  set_elements(*document, "sw", onnx::DataType::kFloat, 0.25F);
  set_elements(*document, "sb", onnx::DataType::kFloat, 0.125F, 0.5F);
  set_elements(*document, "zx", onnx::DataType::kUint8, std::uint8_t{128});
  set_elements(*document, "zw", onnx::DataType::kInt8, std::int8_t{0}, std::int8_t{0});
  set_elements(*document, "zb", onnx::DataType::kInt32, 0, 0);
  set_elements(*document, "w", onnx::DataType::kInt8, std::int8_t{1});
  set_elements(*document, "b", onnx::DataType::kInt32, 3);
  Planning planning;
  planning.add("quantized", testing::resolved_document(document));
  EXPECT_EQ(planning.left_over("quantized"), "");
  std::vector<std::string> kernels;
  for (const Brick& b : planning.plan().bricks)
    kernels.insert(kernels.end(), b.kernels.begin(), b.kernels.end());
  EXPECT_EQ(kernels, (std::vector<std::string>{"QuantizeLinear", "Transpose", "QLinearConv",
                                               "Transpose", "DequantizeLinear"}));
}

TEST(PlannerSlow, KeepsASizeThatDependsOnDataInsideAPiece) {
  SKIP_WITHOUT("ort");
  EXPECT_EQ(left_over_of(resolved(R"(graph main
    input x[4,8]
    a: Relu(x) -> ta
    where: NonZero(ta) -> at
    cast: Cast(at) {to=1} -> tc
    sum: ReduceSum(tc) {keepdims=0} -> y
    output y)")),
            "");
}

TEST(PlannerSlow, LeavesAnOutputOfUnknownSizeOver) {
  SKIP_WITHOUT("ort");
  EXPECT_EQ(left_over_of(resolved(R"(graph main
    input x[4,8]
    a: Relu(x) -> ta
    where: NonZero(ta) -> y
    output y)")),
            "1: the tensor 'y' has no known shape");
}

TEST(PlannerSlow, PlansHostileNames) {
  SKIP_WITHOUT("ort");
  EXPECT_EQ(left_over_of(resolved(R"(graph main
    input in0[1,16,8,8] x0[1,16,8,8]
    constant c0[16,16,3,3] r0[16,16,3,3] w1[16]
    n0: Conv(in0, c0) {pads=[1,1,1,1]} -> t0.0
    n0: Add(t0.0, x0) -> n0
    Relu(n0) -> r1.0
    h0: Conv(r1.0, r0, w1) {pads=[1,1,1,1]} -> t1.0
    n0: MaxPool(t1.0) {kernel_shape=[2,2]} -> out0
    in0.conv: Sigmoid(out0) -> in0.made
    output in0.made)")),
            "");
}

}  // namespace
}  // namespace ridge::bricks
