#include "measure/calibrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "onnx/writer.h"
#include "stats/samples.h"

namespace ridge::measure {
namespace {

/// The runtimes report whole microseconds.
constexpr double kQuantumNs = 1000;

/// One operator, two lengths.
struct ChainKind {
  ChainNode node;
  int brief, lengthy;
};
constexpr ChainKind kTrivial{{"Sin", 1, {1, 1, 1, 16}}, 100, 400};
constexpr ChainKind kStreaming{{"Sum", 3, {1, 8, 128, 128}}, 20, 60};
/// Runtimes that list layers make one of a chain of element-wise operators; none joins poolings.
constexpr ChainKind kTrivialPool{{"MaxPool", 1, {1, 8, 4, 4}}, 100, 400};
constexpr ChainKind kStreamingPool{{"MaxPool", 1, {1, 8, 128, 128}}, 20, 60};

constexpr runtime::Plan kPlan{.warmup_runs = 10,
                              .min_rounds = 40,
                              .max_rounds = 160,
                              .budget = Nanos{400'000'000},
                              .limit = Nanos{5'000'000'000}};

/// Medians over the runs of one chain.
struct Chain {
  double plain_ns = 0, profiled_ns = 0, reported_ns = 0;
};

Chain medians(const runtime::Measurement& m) {
  std::vector<double> plain, profiled, reported;
  for (const runtime::Sample& s : m.samples)
    if (s.mode == runtime::Mode::kUnprofiled) plain.push_back(static_cast<double>(s.wall.count));
  for (const runtime::ProfiledRun& run : m.profiled) {
    profiled.push_back(static_cast<double>(
        run.model_run_ns > 0 ? run.model_run_ns : m.samples[run.sample].wall.count));
    double sum = 0;
    for (const runtime::KernelEvent& e : run.events) sum += static_cast<double>(e.duration_ns);
    if (!run.events.empty()) reported.push_back(sum / static_cast<double>(run.events.size()));
  }
  return {stats::median(plain), stats::median(profiled), stats::median(reported)};
}

Result<Chain> measure_chain(runtime::Runtime& runtime, const ChainKind& kind, int kernels) {
  const std::string model = TRY(chain_model(kind.node, kernels));
  const runtime::Loaded loaded =
      TRY(runtime.load({.model = model, .weights = {}, .dump = runtime::Dump::kNothing}));
  const std::vector<runtime::InputSpec> specs = {
      {.name = "x",
       .type = onnx::DataType::kFloat,
       .dims = {kind.node.dims.begin(), kind.node.dims.end()}}};
  TRY(runtime.set_inputs(loaded.session, TRY(runtime::Inputs::make(specs))));
  runtime::Measurement m = TRY(runtime.measure(loaded.session, kPlan));
  if (m.failure) return std::move(*m.failure);
  TRY(runtime.unload(loaded.session));
  return medians(m);
}

/// What one more kernel costs.
struct Slopes {
  double plain_ns = 0, profiled_ns = 0, reported_ns = 0;
};

Result<Slopes> measure_slopes(runtime::Runtime& runtime, const ChainKind& kind) {
  const Chain brief = TRY(measure_chain(runtime, kind, kind.brief));
  const Chain lengthy = TRY(measure_chain(runtime, kind, kind.lengthy));
  const double kernels = kind.lengthy - kind.brief;
  return Slopes{(lengthy.plain_ns - brief.plain_ns) / kernels,
                (lengthy.profiled_ns - brief.profiled_ns) / kernels, lengthy.reported_ns};
}

/// Three by three, of the size of its input.
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

}  // namespace

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
  const bool fuses = (runtime.info().capabilities & RIDGE_HAS_LAYERS) != 0;
  const Slopes trivial = TRY(measure_slopes(runtime, fuses ? kTrivialPool : kTrivial));
  const Slopes streaming = TRY(measure_slopes(runtime, fuses ? kStreamingPool : kStreaming));
  EventCost cost;
  cost.cheapest_kernel_ns = std::max(0.0, trivial.plain_ns);
  cost.wall_ns = std::max(0.0, streaming.profiled_ns - streaming.plain_ns);
  cost.inside_ns = std::clamp(streaming.reported_ns - streaming.plain_ns, 0.0, cost.wall_ns);
  cost.resolution_ns = cost.cheapest_kernel_ns + kQuantumNs;
  return cost;
}

}  // namespace ridge::measure
