// The reference networks in a real session: profiling must not depend on their size.
#include <gtest/gtest.h>

#include <set>

#include "onnx/reader.h"
#include "onnx/writer.h"
#include "runtime/runtime.h"
#include "runtime/testing/expect.h"
#include "zoo/zoo.h"

namespace ridge::runtime {
namespace {

/// Free sizes: batch 1, 128 for the others.
Inputs inputs_for(const Loaded& loaded) {
  std::vector<InputSpec> specs;
  for (const TensorType& input : loaded.graph.inputs) {
    InputSpec spec{.name = input.name, .type = input.type, .dims = input.dims, .bound = 30'000};
    for (std::size_t i = 0; i < spec.dims.size(); ++i) {
      if (spec.dims[i] < 0) spec.dims[i] = i == 0 ? 1 : 128;
    }
    specs.push_back(std::move(spec));
  }
  return expect_ok(Inputs::make(specs));
}

class OrtZooSlow : public testing::TestWithParam<const char*> {};

TEST_P(OrtZooSlow, EventsOfEveryRunAreTheNodesOfTheDump) {
  const onnx::Document document = expect_ok(zoo::make(GetParam()));
  const std::string model =
      expect_ok(onnx::write_bytes(document, {.weights = onnx::Weights::kDetached}));
  onnx::WeightLocator locator(document);
  std::vector<Weight> weights;
  for (const onnx::Tensor& tensor : document.model.graph.initializers) {
    if (tensor.storage == onnx::Storage::kInline) continue;
    weights.push_back(expect_ok(weight_of(locator, tensor.name, tensor)));
  }
  Runtime runtime = expect_ok(Runtime::spawn({}));
  const Loaded loaded = expect_ok(runtime.load({.model = model, .weights = weights}));
  const Inputs inputs = inputs_for(loaded);
  expect_ok(runtime.set_inputs(loaded.session, inputs));
  const Measurement m = expect_ok(
      runtime.measure(loaded.session, {.warmup_runs = 0, .min_rounds = 2, .max_rounds = 2}));
  ASSERT_FALSE(m.failure.has_value());

  std::multiset<std::string> dumped;
  const onnx::Document dump = expect_ok(onnx::read_bytes(loaded.graph.model, "dump"));
  for (const onnx::Node& node : dump.model.graph.nodes) dumped.emplace(node.name);
  ASSERT_EQ(m.profiled.size(), 2U);
  for (const ProfiledRun& run : m.profiled) {
    std::multiset<std::string> seen;
    for (const KernelEvent& event : run.events) seen.insert(m.kernels[event.kernel].name);
    EXPECT_EQ(seen, dumped);
  }
  // A tenth of the weights would exceed this.
  EXPECT_LT(loaded.graph.model.size(), 2U << 20);
}

INSTANTIATE_TEST_SUITE_P(Networks, OrtZooSlow,
                         testing::Values("resnet50", "mobilenet_v2", "efficientnet_b0", "vit_b_16",
                                         "bert_base", "gpt2"));

}  // namespace
}  // namespace ridge::runtime
