// SPDX-License-Identifier: Apache-2.0
// Whole networks in real sessions: every node placed, every multiply-accumulate in one layer, the
// bytes that the runtime counts, and the claimed values. Slow: runs models of up to half a
// gigabyte.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include "attribution/boundary.h"
#include "attribution/testing.h"
#include "attribution/value_match.h"
#include "attribution/with_outputs.h"
#include "onnx/reader.h"
#include "zoo/zoo.h"

namespace ridge::attribution {
namespace {

using testing::Attributed;
using testing::Coverage;
using testing::must;
using testing::Optimization;

/// Opens a file of the shared folder, or builds a network of the zoo ("zoo:NAME").
std::optional<analysis::Resolved> open(const std::string& name) {
  std::shared_ptr<onnx::Document> document;
  std::map<std::string, std::int64_t> defaults = {{"batch", 1}, {"sequence", 128}};
  if (name.starts_with("zoo:")) {
    document = std::make_shared<onnx::Document>(must(zoo::make(name.substr(4))));
  } else {
    const char* shared = std::getenv("RIDGE_SHARED");
    const std::string path =
        fmt::format("{}/models/{}.onnx", shared == nullptr ? "../shared" : shared, name);
    if (!std::filesystem::exists(path)) return std::nullopt;
    document = std::make_shared<onnx::Document>(must(onnx::read_file(path)));
  }
  auto model = std::make_shared<const graph::Model>(must(graph::Model::build(std::move(document))));
  return must(analysis::resolve(model, {}, defaults));
}

constexpr const char* kShared[] = {"alexnet",
                                   "bert_base",
                                   "convnext_tiny",
                                   "densenet121",
                                   "efficientnet_b0",
                                   "gpt2",
                                   "inception_v3",
                                   "mobilenet_v2",
                                   "resnet18",
                                   "resnet50",
                                   "shufflenet_v2_x1_0",
                                   "squeezenet1_1",
                                   "swin_t",
                                   "vgg16",
                                   "vit_b_16"};
constexpr const char* kZoo[] = {"zoo:resnet50", "zoo:mobilenet_v2", "zoo:efficientnet_b0",
                                "zoo:vit_b_16", "zoo:bert_base",    "zoo:gpt2"};

#define OPEN_OR_SKIP(variable, name)                                              \
  if (!testing::runtime_installed()) GTEST_SKIP() << "no ONNX Runtime installed"; \
  const std::optional<analysis::Resolved> variable = open(name);                  \
  if (!variable) GTEST_SKIP() << name << " is not there"

/// Expects every node in one place, every multiply-accumulate in one layer, nothing guessed.
void expect_conserved(const Attributed& run) {
  const Coverage& c = run.coverage;
  EXPECT_EQ(c.unplaced, 0);
  EXPECT_EQ(c.placed + c.without_layer, c.nodes);
  EXPECT_EQ(c.macs, run.resolved.totals().macs.value());
  EXPECT_EQ(c.macs_executed, c.macs);
  EXPECT_EQ(c.by_evidence[static_cast<int>(profile::Evidence::kGuess)], 0);
}

std::string summary(const Attributed& run) {
  const Coverage& c = run.coverage;
  std::string text = fmt::format("{} nodes, {} placed, {} kernels, {} layers,", c.nodes, c.placed,
                                 run.attribution.kernels.size(), run.attribution.layers.size());
  for (const auto e :
       {profile::Evidence::kSameTensor, profile::Evidence::kRenamed, profile::Evidence::kRegion})
    text += fmt::format(" {} {}", c.by_evidence[static_cast<std::size_t>(e)], profile::name(e));
  return text;
}

/// True for operators whose kernels read only parts of their inputs; ONNX Runtime counts every
/// operand in full.
bool reads_parts(std::string_view op) {
  static const std::set<std::string_view> kOps = {"Gather", "Slice", "Split",
                                                  "Expand", "Pad",   "Resize"};
  return kOps.contains(op);
}

/// True if an input is repeated: the analysis counts it once, ONNX Runtime counts x * x as two.
bool repeats_input(const graph::Node& node) {
  const std::set<graph::ValueId> distinct(node.inputs.begin(), node.inputs.end());
  return distinct.size() != node.inputs.size();
}

/// Expects the bytes that the runtime reports for each kernel that is one whole node.
void expect_bytes_of_runtime(const Attributed& run) {
  std::vector<KernelEvent> events;
  for (const runtime::KernelFacts& f : run.facts) events.push_back({f.kernel.name, f.kernel.type});
  const std::vector<graph::NodeId> kernels = join_events(run.graph, events);
  const std::vector<LayerTraffic> traffic =
      boundary_traffic(run.resolved, run.graph, run.attribution);
  int compared = 0;
  for (std::size_t i = 0; i < run.facts.size(); ++i) {
    const runtime::KernelFacts& f = run.facts[i];
    ASSERT_NE(kernels[i], graph::kNone) << f.kernel.name;
    const std::uint32_t l = run.attribution.layer_of[kernels[i]];
    const Layer& layer = run.attribution.layers[l];
    if (!is_whole_node(run.resolved, run.graph, run.attribution, layer) || f.output_bytes < 0)
      continue;
    const graph::Node& node = run.resolved.model().node(layer.members[0].node);
    if (traffic[l].read == 0 && traffic[l].written == 0) continue;  // a view
    ++compared;
    EXPECT_EQ(traffic[l].written, f.output_bytes) << layer.name;
    if (reads_parts(node.op_type) || repeats_input(node)) continue;
    EXPECT_EQ(traffic[l].read, f.activation_bytes + f.parameter_bytes)
        << layer.name << " " << node.op_type;
  }
  EXPECT_GT(compared, 0);
}

/// Expects that every event of a run belongs to a kernel of the dump, that every kernel has one,
/// and that with the sizes from events no layer's bytes are unknown.
void expect_events_join(const Attributed& run) {
  const std::vector<KernelEvent> events = run.events();
  const std::vector<graph::NodeId> kernels = join_events(run.graph, events);
  EXPECT_EQ(std::ranges::count(kernels, graph::kNone), 0);
  const std::set<graph::NodeId> distinct(kernels.begin(), kernels.end());
  EXPECT_EQ(distinct.size(), run.graph.model->nodes().size());
  for (std::size_t i = 0; i < events.size(); ++i)
    EXPECT_EQ(run.graph.kernel(kernels[i]).op_type, events[i].op_type);
  const std::vector<LayerTraffic> traffic =
      boundary_traffic(run.resolved, run.graph, run.attribution);
  for (std::size_t l = 0; l < traffic.size(); ++l)
    EXPECT_TRUE(traffic[l].bytes().has_value())
        << run.attribution.layers[l].name << ": " << traffic[l].reason;
}

class ModelsSlow : public ::testing::TestWithParam<const char*> {};

TEST_P(ModelsSlow, ArePlacedWhole) {
  OPEN_OR_SKIP(resolved, GetParam());
  const bool shared = !std::string_view(GetParam()).starts_with("zoo:");
  std::vector<Attributed::Wish> wishes = {{.level = Optimization::kAll, .profile = true}};
  if (shared) {
    wishes.push_back({.level = Optimization::kExtended, .facts = true});
    wishes.push_back({.level = Optimization::kBasic});
    wishes.push_back({.level = Optimization::kDisable});
  }
  for (const Attributed::Wish& wish : wishes) {
    SCOPED_TRACE(word(wish.level));
    const auto run = Attributed::of(*resolved, wish);
    expect_conserved(*run);
    if (wish.profile) expect_events_join(*run);
    if (wish.facts) expect_bytes_of_runtime(*run);
    RecordProperty(std::string(word(wish.level)), summary(*run));
  }
}

std::string test_name(const ::testing::TestParamInfo<const char*>& info) {
  std::string name = info.param;
  std::ranges::replace(name, ':', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Shared, ModelsSlow, ::testing::ValuesIn(kShared), test_name);
INSTANTIATE_TEST_SUITE_P(Zoo, ModelsSlow, ::testing::ValuesIn(kZoo), test_name);

// --- values -------------------------------------------------------------------------------------

using Tensors = std::map<std::string, Elements>;

/// Claim of the attribution that a tensor of the runtime's graph has the value of one of the copy.
struct Claim {
  std::string_view original, optimized;
  profile::Evidence evidence;
};

/// Claims about tensors of the main graph that kernels produce.
std::vector<Claim> claims_of(const Attributed& run) {
  std::set<std::string_view> made;
  for (const onnx::Node& n : run.copy.document->model.graph.nodes)
    made.insert(n.outputs.begin(), n.outputs.end());
  std::vector<Claim> out;
  const graph::Model& model = *run.graph.model;
  for (graph::ValueId v = 0; v < model.values().size(); ++v) {
    const graph::Value& value = model.value(v);
    const graph::ValueId original = run.attribution.tensor[v];
    if (value.producer == graph::kNone || value.graph != 0 || original == graph::kNone) continue;
    const std::string_view name = run.copy.value_name[original];
    if (made.contains(name)) out.push_back({name, value.name, run.attribution.tensor_evidence[v]});
  }
  return out;
}

struct Outputs {
  runtime::Outputs outputs;
  Tensors by_name;
};

/// Returns all outputs of a run without optimization.
Outputs run_plainly(const std::string& model, std::span<const runtime::Weight> weights,
                    const runtime::Inputs& inputs) {
  runtime::Runtime runtime =
      must(runtime::Runtime::spawn(testing::options(Optimization::kDisable)));
  const runtime::Loaded loaded =
      must(runtime.load({.model = model, .weights = weights, .dump = runtime::Dump::kNothing}));
  must(runtime.set_inputs(loaded.session, inputs));
  Outputs out{must(runtime.outputs(loaded.session)), {}};
  for (const runtime::OutputTensor& t : out.outputs.tensors)
    out.by_name[t.type.name] = {t.type.type, t.type.dims, t.bytes};
  return out;
}

class ValuesSlow : public ::testing::TestWithParam<const char*> {};

// An anchored tensor has the value of the original, up to rounding differences due to another order
// of operations.
TEST_P(ValuesSlow, AnchoredTensorsAreTheOriginals) {
  constexpr double kRounding = 1e-4;
  OPEN_OR_SKIP(resolved, GetParam());
  const auto run = Attributed::of(*resolved, {.dump = runtime::Dump::kWeights});
  const std::vector<Claim> claims = claims_of(*run);
  std::vector<std::string_view> originals, optimized_names;
  for (const Claim& c : claims) {
    originals.push_back(c.original);
    optimized_names.push_back(c.optimized);
  }
  const auto inputs =
      must(runtime::Inputs::make(must(measure::input_specs(run->resolved, run->copy, {}, 1))));
  const Outputs original =
      run_plainly(must(with_outputs(*run->copy.document, originals, onnx::Weights::kDetached)),
                  testing::weights_of(run->copy), inputs);
  const Outputs optimized = run_plainly(
      must(with_outputs(run->graph.model->document(), optimized_names, onnx::Weights::kInline)), {},
      inputs);
  double worst = 0;
  int renamed = 0;
  for (const Claim& c : claims) {
    const Elements& wanted = original.by_name.at(std::string(c.original));
    const auto error = min_difference(wanted, optimized.by_name.at(std::string(c.optimized)));
    ASSERT_TRUE(error.has_value()) << c.optimized << " for " << c.original;
    EXPECT_LE(*error, kRounding) << c.optimized << " for " << c.original;
    worst = std::max(worst, *error);
    renamed += c.evidence == profile::Evidence::kRenamed;
  }
  EXPECT_GT(claims.size(), 10U);
  RecordProperty("claims",
                 fmt::format("{} tensors, {} by naming rules, worst relative error {:.1e}",
                             claims.size(), renamed, worst));
}

constexpr const char* kChecked[] = {"resnet18",         "squeezenet1_1",       "shufflenet_v2_x1_0",
                                    "densenet121",      "convnext_tiny",       "swin_t",
                                    "zoo:mobilenet_v2", "zoo:efficientnet_b0", "zoo:resnet50"};
INSTANTIATE_TEST_SUITE_P(Checked, ValuesSlow, ::testing::ValuesIn(kChecked), test_name);

}  // namespace
}  // namespace ridge::attribution
