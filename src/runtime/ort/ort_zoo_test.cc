// SPDX-License-Identifier: Apache-2.0
// The reference networks in a real session: profiling must not depend on their size.
#include <gtest/gtest.h>

#include <cstring>
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

class OrtZooSlow : public ::testing::TestWithParam<const char*> {};

/// A network of the zoo in a session, with inputs.
struct ReadyNetwork {
  explicit ReadyNetwork(const char* network) {
    const onnx::Document document = expect_ok(zoo::make(network));
    const std::string model =
        expect_ok(onnx::write_bytes(document, {.weights = onnx::Weights::kDetached}));
    onnx::WeightLocator locator(document);
    std::vector<Weight> weights;
    for (const onnx::Tensor& tensor : document.model.graph.initializers) {
      if (tensor.storage == onnx::Storage::kInline) continue;
      weights.push_back(expect_ok(weight_of(locator, tensor.name, tensor)));
    }
    loaded = expect_ok(runtime.load({.model = model, .weights = weights}));
    expect_ok(runtime.set_inputs(loaded.session, inputs_for(loaded)));
  }
  Runtime runtime = expect_ok(Runtime::spawn({}));
  Loaded loaded;
};

TEST_P(OrtZooSlow, EventsOfEveryRunAreTheNodesOfTheDump) {
  ReadyNetwork ready(GetParam());
  Runtime& runtime = ready.runtime;
  const Loaded& loaded = ready.loaded;
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

// Activations that grow from layer to layer make them 0 or 1, and Softmax slow.
TEST(OrtYoloSlow, ScoresAreNeitherZeroNorOne) {
  ReadyNetwork ready("yolov8n");
  const Outputs outputs = expect_ok(ready.runtime.outputs(ready.loaded.session));
  std::size_t scores = 0, between = 0;
  for (const OutputTensor& tensor : outputs.tensors) {
    if (tensor.type.dims.size() != 3 || tensor.type.dims[1] != 80) continue;  // classes
    std::vector<float> values(tensor.bytes.size() / sizeof(float));
    std::memcpy(values.data(), tensor.bytes.data(), values.size() * sizeof(float));
    scores += values.size();
    for (const float v : values) between += v > 0.05F && v < 0.95F ? 1 : 0;
  }
  ASSERT_GT(scores, 600'000U);
  EXPECT_GT(between, scores * 9 / 10);
}

INSTANTIATE_TEST_SUITE_P(Networks, OrtZooSlow,
                         ::testing::Values("resnet50", "mobilenet_v2", "efficientnet_b0",
                                           "vit_b_16", "bert_base", "gpt2"));

}  // namespace
}  // namespace ridge::runtime
