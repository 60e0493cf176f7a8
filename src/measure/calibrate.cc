// SPDX-License-Identifier: Apache-2.0
#include "measure/calibrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/text.h"
#include "measure/event_cost.h"
#include "measure/runtime_layers.h"
#include "onnx/writer.h"

namespace ridge::measure {
namespace {

/// Runtimes report durations in whole microseconds.
constexpr double kQuantumNs = 1000;

constexpr ChainKind kTrivial{{"Sin", 1, {1, 1, 1, 16}}, 100, 400};
constexpr ChainKind kStreaming{{"Sum", 3, {1, 8, 128, 128}}, 20, 60};
constexpr ChainKind kNear{{"Sum", 3, {1, 8, 32, 32}}, 20, 60};
/// For runtimes that list layers: these fuse a chain of element-wise operators, but not poolings.
constexpr ChainKind kTrivialPool{{"MaxPool", 1, {1, 8, 4, 4}}, 100, 400};
constexpr ChainKind kStreamingPool{{"MaxPool", 1, {1, 8, 128, 128}}, 20, 60};
constexpr ChainKind kNearPool{{"MaxPool", 1, {1, 8, 32, 32}}, 20, 60};
/// For runtimes with few operators, which refuse those.
constexpr ChainKind kTrivialRelu{{"Relu", 1, {1, 1, 1, 16}}, 100, 400, true};
constexpr ChainKind kStreamingRelu{{"Relu", 1, {1, 8, 128, 128}}, 20, 60, true};

/// Plan of one turn.
constexpr runtime::Plan kPlan{.warmup_runs = 5,
                              .min_rounds = 10,
                              .max_rounds = 40,
                              .budget = Nanos{100'000'000},
                              .limit = Nanos{2'000'000'000}};
constexpr int kTurns = 4;

void append(const runtime::Measurement& m, LeveledRuns& out) {
  std::unordered_map<std::uint32_t, double> plain;
  for (const runtime::Sample& s : m.samples)
    if (s.mode == runtime::Mode::kUnprofiled)
      plain.emplace(s.round, static_cast<double>(s.wall.count));
  for (const runtime::ProfiledRun& run : m.profiled) {
    const runtime::Sample& sample = m.samples[run.sample];
    const auto beside = plain.find(sample.round);
    if (beside == plain.end() || run.events.empty()) continue;
    double sum = 0;
    for (const runtime::KernelEvent& e : run.events) sum += static_cast<double>(e.duration_ns);
    out.plain_ns.push_back(beside->second);
    out.profiled_ns.push_back(
        static_cast<double>(run.model_run_ns > 0 ? run.model_run_ns : sample.wall.count));
    out.reported_ns.push_back(sum);
  }
}

/// A runtime that fuses the chain has fewer events than the cost is divided by.
Result<void> check_events(const runtime::Measurement& m, int kernels) {
  for (const runtime::ProfiledRun& run : m.profiled)
    if (std::ssize(run.events) != kernels)
      return input_error("RIDGE-MEAS-0008",
                         fmt::format("{} reported for a chain of {} nodes",
                                     counted(std::ssize(run.events), "event"), kernels));
  return {};
}

struct Chains {
  LeveledRuns brief, lengthy;
};

/// Alternates the two lengths, so that a machine that slows down affects both.
Result<Chains> measure_chains(runtime::Runtime& runtime, const ChainKind& kind) {
  Chains chains{{.events = kind.brief}, {.events = kind.lengthy}};
  const runtime::SessionId brief = TRY(load_chain(runtime, kind.node, kind.brief));
  const runtime::SessionId lengthy = TRY(load_chain(runtime, kind.node, kind.lengthy));
  for (int turn = 0; turn < kTurns; ++turn)
    for (const bool long_one : {turn % 2 == 0, turn % 2 == 1}) {
      runtime::Measurement m = TRY(runtime.measure(long_one ? lengthy : brief, kPlan));
      if (m.failure) return std::move(*m.failure);
      if (kind.may_be_fused) TRY(check_events(m, long_one ? kind.lengthy : kind.brief));
      append(m, long_one ? chains.lengthy : chains.brief);
    }
  TRY(runtime.unload(lengthy));
  TRY(runtime.unload(brief));
  return chains;
}

/// Attributes of a 3x3 window that keeps the size of its input.
std::span<const onnx::Attribute> window(Arena& arena) {
  const auto list = [&](std::string_view name, const std::vector<std::int64_t>& values) {
    onnx::Attribute a{.name = name};
    a.type = onnx::AttributeType::kInts;
    a.ints = arena.copy(values);
    return a;
  };
  return arena.copy(
      std::vector<onnx::Attribute>{list("kernel_shape", {3, 3}), list("pads", {1, 1, 1, 1})});
}

bool fuses_chains(const runtime::RuntimeInfo& info) {
  return (info.capabilities & RIDGE_HAS_LAYERS) != 0;
}

}  // namespace

ChainKind streaming_chain(const runtime::RuntimeInfo& info) {
  return fuses_chains(info) ? kStreamingPool : kStreaming;
}

ChainKind near_chain(const runtime::RuntimeInfo& info) {
  return fuses_chains(info) ? kNearPool : kNear;
}

std::int64_t bytes_of(const ChainNode& node) {
  std::int64_t tensor = sizeof(float);
  for (const std::int64_t dim : node.dims) tensor *= dim;
  return tensor * (node.inputs > 1 ? 3 : 2);  // the last result, the model's input, the output
}

Result<runtime::SessionId> load_with_input(runtime::Runtime& runtime, std::string_view model,
                                           std::vector<std::int64_t> dims) {
  const runtime::Loaded loaded =
      TRY(runtime.load({.model = model, .weights = {}, .dump = runtime::Dump::kNothing}));
  const std::vector<runtime::InputSpec> specs = {
      {.name = "x", .type = onnx::DataType::kFloat, .dims = std::move(dims)}};
  TRY(runtime.set_inputs(loaded.session, TRY(runtime::Inputs::make(specs))));
  return loaded.session;
}

Result<runtime::SessionId> load_chain(runtime::Runtime& runtime, const ChainNode& node,
                                      int kernels) {
  return load_with_input(runtime, TRY(chain_model(node, kernels)),
                         {node.dims.begin(), node.dims.end()});
}

Result<std::string> chain_model(const ChainNode& node, int kernels) {
  onnx::Document document;
  Arena& arena = document.arena;
  const auto name = [&](int i) {
    return arena.copy(i == 0         ? std::string("x")
                      : i == kernels ? std::string("y")
                                     : fmt::format("t{}", i));
  };
  const auto nodes = arena.array<onnx::Node>(static_cast<std::size_t>(kernels));
  for (int i = 0; i < kernels; ++i) {
    onnx::Node& n = nodes[static_cast<std::size_t>(i)];
    n.name = arena.copy(fmt::format("k{}", i));
    n.op_type = arena.copy(node.op_type);
    std::vector<Text> inputs(static_cast<std::size_t>(node.inputs), "x");
    inputs[0] = name(i);
    n.inputs = arena.copy(inputs);
    n.outputs = arena.copy(std::vector<Text>{name(i + 1)});
    if (node.op_type == "MaxPool") n.attributes = window(arena);
  }
  std::vector<onnx::Dimension> dims;
  for (const std::int64_t d : node.dims) dims.push_back({.value = d, .param = {}});
  const auto shape = arena.copy(dims);
  const auto port = [&](std::string_view port_name) {
    onnx::ValueInfo v{.name = port_name, .type = {}};
    v.type.kind = onnx::TypeKind::kTensor;
    v.type.elem_type = onnx::DataType::kFloat;
    v.type.has_shape = true;
    v.type.shape = shape;
    return arena.copy(std::vector<onnx::ValueInfo>{v});
  };
  document.model.ir_version = 8;
  document.model.opsets = arena.copy(std::vector<onnx::OperatorSet>{{.domain = "", .version = 17}});
  document.model.graph.name = "chain";
  document.model.graph.nodes = nodes;
  document.model.graph.inputs = port("x");
  document.model.graph.outputs = port("y");
  return onnx::write_bytes(document);
}

Result<EventCost> calibrate(const runtime::Options& options) {
  runtime::Runtime runtime = TRY(runtime::Runtime::spawn(options));
  if (!reports_layers(runtime.info()))
    return environment_error("RIDGE-MEAS-0009",
                             fmt::format("{} reports no layers", runtime.info().name))
        .evidence("its plug-in has no RIDGE_CAN_PROFILE, or neither layers nor an optimized model")
        .hint("ridge eval measures it as a whole; docs/plug-in.md shows how layers are reported");
  const bool pools = fuses_chains(runtime.info());
  Result<Chains> first = measure_chains(runtime, pools ? kTrivialPool : kTrivial);
  const bool refused = !first.ok() && first.error().error_class() == ErrorClass::kInput;
  if (refused) {
    first = measure_chains(runtime, kTrivialRelu);
    if (!first.ok() && first.error().error_class() == ErrorClass::kInput)
      return environment_error("RIDGE-MEAS-0007", "the runtime's profiler cannot be calibrated")
          .evidence(fmt::format("of a chain of Relu it says: {}", first.error().summary()))
          .hint("its plug-in must run float32 Relu, each as a layer of its own (docs/plug-in.md)");
  }
  const Chains trivial = TRY(std::move(first));
  const Chains streaming =
      TRY(measure_chains(runtime, refused ? kStreamingRelu : streaming_chain(runtime.info())));
  EventCost cost = event_cost(streaming.brief, streaming.lengthy);
  cost.cheapest_kernel_ns = std::max(0.0, kernel_slope(trivial.brief, trivial.lengthy));
  cost.resolution_ns = cost.cheapest_kernel_ns + kQuantumNs;
  return cost;
}

}  // namespace ridge::measure
