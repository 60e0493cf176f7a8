// SPDX-License-Identifier: Apache-2.0
// The plug-in with a real ONNX Runtime in a real child process.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <set>
#include <thread>

#include "onnx/reader.h"
#include "onnx/writer.h"
#include "runtime/runtime.h"
#include "runtime/testing/child_status.h"
#include "runtime/testing/expect.h"
#include "runtime/testing/models.h"

namespace ridge::runtime {
namespace {

constexpr Plan kShortOrtPlan{.warmup_runs = 1, .min_rounds = 2, .max_rounds = 2};

std::string bytes_of(const onnx::Document& document) {
  return expect_ok(onnx::write_bytes(document));
}

Inputs seeded(const Loaded& loaded) {
  std::vector<InputSpec> specs;
  for (const TensorType& input : loaded.graph.inputs) {
    specs.push_back({.name = input.name, .type = input.type, .dims = input.dims});
  }
  return expect_ok(Inputs::make(specs));
}

/// Runtime with one model loaded and its inputs set.
struct ReadyOrt {
  Runtime runtime;
  Loaded loaded;
  Inputs inputs;

  explicit ReadyOrt(const std::string& model, const Options& options = {},
                    Dump dump = Dump::kStructure, std::span<const Weight> weights = {})
      : runtime(expect_ok(Runtime::spawn(options))),
        loaded(expect_ok(runtime.load({model, weights, dump}))),
        inputs(seeded(loaded)) {
    expect_ok(runtime.set_inputs(loaded.session, inputs));
  }
  Measurement measure(const Plan& plan = kShortOrtPlan) {
    Measurement m = expect_ok(runtime.measure(loaded.session, plan));
    if (m.failure) ADD_FAILURE() << m.failure->text();
    return m;
  }
  std::vector<float> output() {
    const Outputs outputs = expect_ok(runtime.outputs(loaded.session));
    std::vector<float> values(outputs.tensors.at(0).bytes.size() / sizeof(float));
    std::memcpy(values.data(), outputs.tensors[0].bytes.data(), values.size() * sizeof(float));
    return values;
  }
};

void add_names(const onnx::Graph& graph, std::multiset<std::string>& names) {
  for (const onnx::Node& node : graph.nodes) {
    names.emplace(node.name);
    for (const onnx::Attribute& attribute : node.attributes) {
      if (attribute.g != nullptr) add_names(*attribute.g, names);
    }
  }
}

std::multiset<std::string> names_in(const std::string& dump) {
  const onnx::Document document = expect_ok(onnx::read_bytes(dump, "dump"));
  std::multiset<std::string> names;
  add_names(document.model.graph, names);
  return names;
}

std::multiset<std::string> names_of(const Measurement& m) {
  std::multiset<std::string> names;
  for (const KernelInfo& kernel : m.kernels) names.insert(kernel.name);
  return names;
}

double difference(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size()) return 1e9;
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, static_cast<double>(std::abs(a[i] - b[i])));
  }
  return most;
}

const KernelEvent* find(const Measurement& m, const ProfiledRun& run, std::string_view type) {
  for (const KernelEvent& event : run.events) {
    if (m.kernels[event.kernel].type == type) return &event;
  }
  return nullptr;
}

TEST(Ort, OneSessionServesPlainAndProfiledRuns) {
  ReadyOrt net(bytes_of(conv_net()));
  const Measurement m = net.measure();
  std::size_t plain = 0;
  for (const Sample& sample : m.samples) plain += sample.mode == Mode::kUnprofiled ? 1 : 0;
  EXPECT_EQ(plain, 2U);
  ASSERT_EQ(m.profiled.size(), 2U);
  for (const ProfiledRun& run : m.profiled) {
    EXPECT_GE(run.model_run_ns, 0);
    EXPECT_EQ(run.events.size(), m.kernels.size());
    EXPECT_EQ(m.samples[run.sample].mode, Mode::kProfiled);
  }
  EXPECT_EQ(net.runtime.info().notes, "");
}

TEST(Ort, EventsAreTheNodesOfTheDump) {
  ReadyOrt net(bytes_of(conv_net()));
  const Measurement m = net.measure();
  EXPECT_EQ(names_of(m), names_in(net.loaded.graph.model));
  EXPECT_EQ(m.kernels[0].implementation, "CPUExecutionProvider");
}

TEST(Ort, TypesAreKnownBeforeOptimization) {
  const ReadyOrt net(bytes_of(conv_net()));
  const auto& tensors = net.loaded.graph.tensors;
  const auto pooled = std::find_if(tensors.begin(), tensors.end(), [](const TensorType& t) {
    return t.dims == std::vector<std::int64_t>{1, 16, 8, 8};
  });
  ASSERT_NE(pooled, tensors.end());
  EXPECT_EQ(pooled->type, onnx::DataType::kFloat);
}

TEST(Ort, ABranchIsTimedInsideItsIf) {
  ReadyOrt model(bytes_of(branching(96)));
  const Measurement m = model.measure();
  for (const ProfiledRun& run : m.profiled) {
    const KernelEvent* owner = find(m, run, "If");
    ASSERT_NE(owner, nullptr);
    std::int64_t inner = 0;
    for (const KernelEvent& event : run.events) {
      if (event.parent == kNone) continue;
      EXPECT_EQ(&run.events[event.parent], owner);
      inner += event.window_ns;
    }
    EXPECT_GT(inner, 0);
    EXPECT_EQ(owner->exclusive_ns, owner->duration_ns - inner);
    EXPECT_EQ(find(m, run, "Sigmoid")->parent, kNone);
  }
}

TEST(Ort, ABodyIsTimedOncePerTrip) {
  ReadyOrt model(bytes_of(looping(32, 5)));
  const Measurement m = model.measure();
  for (const ProfiledRun& run : m.profiled) {
    const auto trips = std::count_if(run.events.begin(), run.events.end(), [&](const auto& event) {
      return m.kernels[event.kernel].type == "MatMul" && event.parent != kNone;
    });
    EXPECT_EQ(trips, 5);
  }
}

TEST(Ort, TheProfileFileTellsTheSameWithoutTheObserver) {
  Options options;
  options.entries = {{"ridge.observer", "off"}};
  ReadyOrt observed(bytes_of(branching(96))), filed(bytes_of(branching(96)), options);
  const Measurement a = observed.measure(), b = filed.measure();
  EXPECT_EQ(names_of(a), names_of(b));
  for (const ProfiledRun& run : b.profiled) {
    EXPECT_EQ(run.events.size(), a.profiled[0].events.size());
    EXPECT_GE(run.model_run_ns, 0);
    EXPECT_NE(find(b, run, "MatMul")->parent, kNone);
    EXPECT_EQ(find(b, run, "Relu")->parent, kNone);
  }
  EXPECT_EQ(filed.runtime.info().notes,
            "layer times come from ONNX Runtime's profile file, as asked for");
}

TEST(Ort, OptimizationLevelsAndOptionsReachTheRuntime) {
  const std::string model = bytes_of(conv_net());
  const auto kernels = [&](const Options& options) {
    return names_in(ReadyOrt(model, options).loaded.graph.model).size();
  };
  EXPECT_GT(kernels({.optimization = Optimization::kDisable}), kernels({}));
  Options plain;
  plain.entries = {{"optimization.disable_specified_optimizers", "NchwcTransformer"}};
  const std::string dump = ReadyOrt(model, plain).loaded.graph.model;
  EXPECT_EQ(dump.find("_nchwc"), std::string::npos);  // suffix of blocked kernels
}

/// Status of a process that has run eight sessions, each with 16 MiB between its nodes.
testing::ChildStatus status_after_sessions(const Options& options) {
  constexpr std::int64_t kElements = 4 << 20;
  const std::string model = bytes_of(expanding(kElements));
  Runtime runtime = expect_ok(Runtime::spawn(options));
  for (int i = 0; i < 8; ++i) {
    const Loaded loaded = expect_ok(runtime.load({model, {}, Dump::kNothing}));
    const Inputs inputs = seeded(loaded);
    expect_ok(runtime.set_inputs(loaded.session, inputs));
    expect_ok(runtime.measure(loaded.session, {.warmup_runs = 1, .max_rounds = 0}));
  }
  return testing::status_of_child();
}

TEST(Ort, SessionsShareMemoryWhereAsked) {
  Options shared;
  shared.entries = {{"session.use_env_allocators", "1"}};
  const std::int64_t apart = status_after_sessions({}).memory.anonymous;
  const std::int64_t together = status_after_sessions(shared).memory.anonymous;
  EXPECT_GT(apart, together + (std::int64_t{64} << 10)) << together << " KiB";
  const std::string model = bytes_of(conv_net());
  EXPECT_EQ(difference(ReadyOrt(model, shared).output(), ReadyOrt(model).output()), 0);
}

TEST(Ort, SessionsShareThreadsWhereAsked) {
  Options own, shared;
  own.threads = shared.threads = 3;
  shared.entries = {{"ridge.thread_pool", "shared"}};
  const std::int64_t apart = status_after_sessions(own).threads;
  EXPECT_EQ(apart - status_after_sessions(shared).threads, 7 * 2);  // two besides the caller
  const std::string model = bytes_of(conv_net());
  EXPECT_EQ(difference(ReadyOrt(model, shared).output(), ReadyOrt(model, own).output()), 0);
}

TEST(Ort, TheParallelExecutorRunsTheSameKernels) {
  const std::string model = bytes_of(conv_net());
  Options parallel;
  parallel.entries = {{"ridge.execution", "parallel"}, {"ridge.inter_op_threads", "3"}};
  ReadyOrt one(model), other(model, parallel);
  EXPECT_EQ(difference(one.output(), other.output()), 0);
  const Measurement a = one.measure(), b = other.measure();
  ASSERT_EQ(a.profiled.size(), b.profiled.size());
  for (std::size_t i = 0; i < a.profiled.size(); ++i)
    EXPECT_EQ(a.profiled[i].events.size(), b.profiled[i].events.size());
}

TEST(Ort, WeightsFromFileSeedAndMemoryAreTheSame) {
  const onnx::Document document = conv_net();
  const std::vector<float> expected = ReadyOrt(bytes_of(document)).output();
  const std::string detached =
      expect_ok(onnx::write_bytes(document, {.weights = onnx::Weights::kDetached}));
  onnx::WeightLocator locator(document);
  std::vector<Weight> seeds, memory, file;
  std::string content = "unaligned";  // 9 bytes before the first tensor
  for (const onnx::Tensor& tensor : document.model.graph.initializers) {
    if (tensor.storage == onnx::Storage::kInline) continue;
    seeds.push_back(expect_ok(weight_of(locator, tensor.name, tensor)));
    Weight& stored = memory.emplace_back(seeds.back());
    stored.elements = expect_ok(onnx::load(document, tensor, 1 << 20));
    const auto& bytes = std::get<std::vector<std::byte>>(stored.elements);
    content.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  const std::string path = ::testing::TempDir() + "ridge-ort-weights.bin";
  expect_ok(write_file(path, content));
  const auto opened = std::make_shared<const File>(expect_ok(File::open(path)));
  std::int64_t at = 9;
  for (const Weight& weight : memory) {
    const auto size =
        static_cast<std::int64_t>(std::get<std::vector<std::byte>>(weight.elements).size());
    file.push_back({weight.name, weight.type, weight.dims, onnx::WeightRange{opened, at, size}});
    at += size;
  }
  for (const auto* weights : {&seeds, &memory, &file}) {
    ReadyOrt net(detached, {}, Dump::kNothing, *weights);
    EXPECT_EQ(difference(net.output(), expected), 0);
  }
}

TEST(Ort, ADumpWithWeightsRunsLikeTheModel) {
  ReadyOrt net(bytes_of(conv_net()), {}, Dump::kWeights);
  const std::vector<float> expected = net.output();
  ReadyOrt again(net.loaded.graph.model, {.optimization = Optimization::kDisable});
  EXPECT_LT(difference(again.output(), expected), 1e-5);
}

TEST(Ort, ADumpOfStructureHoldsNoWeights) {
  const ReadyOrt net(bytes_of(conv_net()));
  EXPECT_LT(net.loaded.graph.model.size(), 8000U);  // the weights have 13,824 bytes
}

TEST(Ort, FactsSayWhatAKernelReadsAndWrites) {
  ReadyOrt model(bytes_of(branching(96)), {.optimization = Optimization::kDisable});
  const auto facts = expect_ok(model.runtime.kernel_facts(model.loaded.session));
  const auto sigmoid = std::find_if(
      facts.begin(), facts.end(), [](const KernelFacts& f) { return f.kernel.type == "Sigmoid"; });
  ASSERT_NE(sigmoid, facts.end());
  EXPECT_EQ(sigmoid->kernel.name, "sigmoid");
  EXPECT_EQ(sigmoid->activation_bytes, 96 * 96 * 4);
  EXPECT_EQ(sigmoid->output_bytes, 96 * 96 * 4);
  EXPECT_EQ(sigmoid->input_shapes, "[{\"float\":[96,96]}]");
}

TEST(Ort, ARunInProgressIsCanceled) {
  std::atomic<bool> interrupted = false;
  Options options;
  options.interrupted = &interrupted;
  ReadyOrt model(bytes_of(looping(64, 2'000'000'000)), options);
  std::jthread presses([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    interrupted = true;
  });
  const Measurement m = expect_ok(model.runtime.measure(model.loaded.session, {}));
  EXPECT_TRUE(m.canceled);
  EXPECT_TRUE(m.samples.empty());
}

TEST(Ort, RunsOutOfMemoryWithoutHarm) {
  if (kSanitized) GTEST_SKIP() << "sanitizers need the address space";
  ReadyOrt model(bytes_of(expanding(std::int64_t{1} << 30)),
                 {.memory_limit = Bytes{std::int64_t{3} << 30}});
  const Result<Measurement> m = model.runtime.measure(model.loaded.session, {});
  ASSERT_FALSE(m.ok());
  EXPECT_EQ(m.error().code(), "RIDGE-ORT-0030") << m.error().text();
  EXPECT_EQ(m.error().error_class(), ErrorClass::kEnvironment);
}

}  // namespace
}  // namespace ridge::runtime
