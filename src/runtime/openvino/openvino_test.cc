// SPDX-License-Identifier: Apache-2.0
// The plug-in with a real OpenVINO in a real child process. Sessions are slow; all tests skip if
// OpenVINO is not installed.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "onnx/writer.h"
#include "runtime/abi.h"
#include "runtime/paths.h"
#include "runtime/runtime.h"
#include "runtime/testing/expect.h"
#include "runtime/testing/models.h"

namespace ridge::runtime {
namespace {

constexpr Plan kShortPlan{.warmup_runs = 1, .min_rounds = 3, .max_rounds = 3};

bool installed(const char* name) {
  if (!find_plugin(name).ok()) return false;
  Options options{.plugin = *find_plugin(name)};
  return Runtime::spawn(options).ok();
}

#define SKIP_WITHOUT(name) \
  if (!installed(name)) GTEST_SKIP() << "the runtime '" << (name) << "' is not installed"

Options with(const char* name) { return {.plugin = expect_ok(find_plugin(name))}; }

struct ReadyOpenvino {
  Runtime runtime;
  Loaded loaded;
  Inputs inputs;

  ReadyOpenvino(const std::string& model, const Options& options,
                std::span<const Weight> weights = {})
      : runtime(expect_ok(Runtime::spawn(options))),
        loaded(expect_ok(runtime.load({.model = model, .weights = weights}))) {
    std::vector<InputSpec> specs;
    for (const TensorType& input : loaded.graph.inputs)
      specs.push_back({.name = input.name, .type = input.type, .dims = input.dims});
    inputs = expect_ok(Inputs::make(specs));
    expect_ok(runtime.set_inputs(loaded.session, inputs));
  }
  std::vector<float> output() {
    const Outputs outputs = expect_ok(runtime.outputs(loaded.session));
    std::vector<float> values(outputs.tensors.at(0).bytes.size() / sizeof(float));
    std::memcpy(values.data(), outputs.tensors[0].bytes.data(), values.size() * sizeof(float));
    return values;
  }
};

/// Weights that a detached model stores externally.
std::vector<Weight> weights_of(const onnx::Document& document) {
  onnx::WeightLocator locator(document);
  std::vector<Weight> weights;
  for (const onnx::Tensor& t : document.model.graph.initializers)
    if (t.storage != onnx::Storage::kInline)
      weights.push_back(expect_ok(weight_of(locator, t.name, t)));
  return weights;
}

std::string detached(const onnx::Document& document) {
  return expect_ok(onnx::write_bytes(document, {.weights = onnx::Weights::kDetached}));
}

TEST(OpenvinoSlow, ComputesWhatOnnxRuntimeDoes) {
  SKIP_WITHOUT("openvino");
  SKIP_WITHOUT("ort");
  const onnx::Document document = conv_net();
  const std::vector<Weight> weights = weights_of(document);
  const std::vector<float> theirs =
      ReadyOpenvino(detached(document), with("ort"), weights).output();
  const std::vector<float> ours =
      ReadyOpenvino(detached(document), with("openvino"), weights).output();
  ASSERT_EQ(ours.size(), theirs.size());
  for (std::size_t i = 0; i < ours.size(); ++i)
    EXPECT_NEAR(ours[i], theirs[i], 1e-4 * std::max(1.0F, std::abs(theirs[i]))) << i;
}

TEST(OpenvinoSlow, LayersNameTheTensorsThatTheyMake) {
  SKIP_WITHOUT("openvino");
  const onnx::Document document = conv_net();
  ReadyOpenvino net(detached(document), with("openvino"), weights_of(document));
  const std::vector<RuntimeLayer>& layers = net.loaded.graph.layers;
  const auto convolutions = std::ranges::count(layers, "Convolution", &RuntimeLayer::type);
  EXPECT_EQ(convolutions, 2);
  // Each of the model's nodes, except folded ones, is named by some layer.
  std::set<std::string> named;
  for (const RuntimeLayer& layer : layers) {
    EXPECT_FALSE(layer.precision.empty()) << layer.name;
    for (const std::string& tensor : layer.originals)
      named.insert(tensor.substr(tensor.starts_with('~') ? 1 : 0));
  }
  for (const onnx::Node& node : document.model.graph.nodes)
    EXPECT_TRUE(named.contains(std::string(node.outputs[0]))) << node.op_type.view();
  // A tensor's producer comes before its readers.
  std::set<std::string> made;
  for (const RuntimeLayer& layer : layers) made.insert(layer.outputs.begin(), layer.outputs.end());
  std::set<std::string> so_far;
  for (const RuntimeLayer& layer : layers) {
    for (const std::string& input : layer.inputs)
      EXPECT_TRUE(!made.contains(input) || so_far.contains(input)) << layer.name << " " << input;
    so_far.insert(layer.outputs.begin(), layer.outputs.end());
  }
}

TEST(OpenvinoSlow, OneSessionServesPlainAndProfiledRuns) {
  SKIP_WITHOUT("openvino");
  const onnx::Document document = conv_net();
  ReadyOpenvino net(detached(document), with("openvino"), weights_of(document));
  const Measurement m = expect_ok(net.runtime.measure(net.loaded.session, kShortPlan));
  ASSERT_FALSE(m.failure.has_value());
  std::size_t plain = 0;
  for (const Sample& sample : m.samples) plain += sample.mode == Mode::kUnprofiled ? 1 : 0;
  EXPECT_EQ(plain, 3U);
  ASSERT_EQ(m.profiled.size(), 3U);
  for (const ProfiledRun& run : m.profiled) {
    EXPECT_EQ(run.events.size(), net.loaded.graph.layers.size());
    std::int64_t sum = 0;
    for (const KernelEvent& e : run.events) {
      EXPECT_FALSE(e.duration_ns < 0);
      EXPECT_EQ(e.executions, 0);  // times of single runs, not means
      sum += e.duration_ns;
    }
    EXPECT_GT(sum, 0);
  }
}

TEST(OpenvinoSlow, TwoProcessesNameTheirLayersAlike) {
  SKIP_WITHOUT("openvino");
  const onnx::Document document = conv_net();
  const auto names = [&] {
    ReadyOpenvino net(detached(document), with("openvino"), weights_of(document));
    // A model loaded before shifts the numbers that OpenVINO assigns.
    const auto again =
        expect_ok(net.runtime.load({.model = detached(document), .weights = weights_of(document)}));
    std::vector<std::string> first, second;
    for (const RuntimeLayer& layer : net.loaded.graph.layers) first.push_back(layer.name);
    for (const RuntimeLayer& layer : again.graph.layers) second.push_back(layer.name);
    EXPECT_EQ(first, second);
    return first;
  };
  EXPECT_EQ(names(), names());
}

TEST(OpenvinoSlow, TakesItsOwnOptions) {
  SKIP_WITHOUT("openvino");
  Options options = with("openvino");
  options.entries = {{"PERFORMANCE_HINT", "THROUGHPUT"}, {"NUM_STREAMS", "1"}};
  const onnx::Document document = conv_net();
  EXPECT_FALSE(ReadyOpenvino(detached(document), options, weights_of(document)).output().empty());
}

Error openvino_load_error(std::string_view model, const Options& options) {
  Runtime runtime = expect_ok(Runtime::spawn(options));
  Result<Loaded> loaded = runtime.load({.model = model, .weights = {}});
  EXPECT_FALSE(loaded.ok());
  EXPECT_TRUE(runtime.alive());
  return std::move(loaded).error();
}

TEST(OpenvinoErrorsSlow, ARejectedModelIsTheInputsFault) {
  SKIP_WITHOUT("openvino");
  const Error error = openvino_load_error(
      expect_ok(onnx::write_bytes(single("Frobnicate", "org.example"))), with("openvino"));
  EXPECT_EQ(error.error_class(), ErrorClass::kInput);
  EXPECT_EQ(error.code(), "RIDGE-OV-0020");
  EXPECT_NE(error.text().find("Frobnicate"), std::string::npos) << error.text();
}

TEST(OpenvinoErrorsSlow, AnOptionThatOpenvinoLacksIsNamed) {
  SKIP_WITHOUT("openvino");
  Options options = with("openvino");
  const auto error_of = [&](const std::string& key, const std::string& value) {
    options.entries = {{key, value}};
    Error error = openvino_load_error(expect_ok(onnx::write_bytes(single("Relu"))), options);
    EXPECT_EQ(error.error_class(), ErrorClass::kUsage) << error.text();
    EXPECT_EQ(error.code(), "RIDGE-OV-0017");
    return error.text();
  };
  EXPECT_NE(error_of("NO_SUCH_OPTION", "1").find("option 'NO_SUCH_OPTION'"), std::string::npos);
  EXPECT_NE(error_of("NUM_STREAMS", "many").find("option 'NUM_STREAMS'"), std::string::npos);
}

Error openvino_open_error(const Options& options) {
  Result<Runtime> runtime = Runtime::spawn(options);
  EXPECT_FALSE(runtime.ok());
  return std::move(runtime).error();
}

#define SKIP_WITHOUT_PLUGIN() \
  if (!find_plugin("openvino").ok()) GTEST_SKIP() << "ridge was built without OpenVINO"

TEST(OpenvinoErrors, NoLibraryAnywhere) {
  SKIP_WITHOUT_PLUGIN();
  Options options = with("openvino");
  options.folders = {"/nowhere"};
  const Error error = openvino_open_error(options);
  EXPECT_EQ(error.error_class(), ErrorClass::kEnvironment);
  EXPECT_EQ(error.code(), "RIDGE-OV-0001");
  EXPECT_EQ(
      error.hint(),
      "pip install openvino into the Python environment of ridge, run "
      "scripts/fetch_openvino.sh and build again in a clone, or name one with --runtime-library "
      "PATH");
}

TEST(OpenvinoErrors, NoLibraryWhereTheUserSaysOneIs) {
  SKIP_WITHOUT_PLUGIN();
  Options options = with("openvino");
  options.library = "/nowhere/libopenvino.so";
  EXPECT_EQ(openvino_open_error(options).code(), "RIDGE-OV-0002");
}

TEST(OpenvinoErrors, APipeAsLibraryIsNotWaitedFor) {
  SKIP_WITHOUT_PLUGIN();
  const std::string pipe = ::testing::TempDir() + "/openvino_pipe.so";
  ::unlink(pipe.c_str());
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  Options options = with("openvino");
  options.library = pipe;
  const Error error = openvino_open_error(options);
  ::unlink(pipe.c_str());
  EXPECT_EQ(error.code(), "RIDGE-OV-0002");
  EXPECT_NE(error.text().find("is a named pipe, not a file"), std::string::npos) << error.text();
}

TEST(OpenvinoErrors, AnotherLibraryThanItWasBuiltWith) {
  SKIP_WITHOUT_PLUGIN();
  Options options = with("openvino");
  options.library = "libm.so.6";
  EXPECT_EQ(openvino_open_error(options).code(), "RIDGE-OV-0003");
}

TEST(OpenvinoErrors, LevelsOfOptimizationAreRefused) {
  SKIP_WITHOUT("openvino");
  Options options = with("openvino");
  options.optimization = Optimization::kBasic;
  const Error error = openvino_open_error(options);
  EXPECT_EQ(error.error_class(), ErrorClass::kUsage);
  EXPECT_EQ(error.code(), "RIDGE-OV-0011");
}

TEST(OpenvinoErrors, ProfilingCannotBeChosen) {
  SKIP_WITHOUT("openvino");
  Options options = with("openvino");
  options.entries = {{"PERF_COUNT", "YES"}};
  EXPECT_EQ(openvino_open_error(options).code(), "RIDGE-OV-0016");
  options.entries = {{"ridge.observer", "off"}};
  EXPECT_EQ(openvino_open_error(options).code(), "RIDGE-OV-0015");
}

}  // namespace
}  // namespace ridge::runtime
