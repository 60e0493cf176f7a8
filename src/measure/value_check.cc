// SPDX-License-Identifier: Apache-2.0
#include "measure/value_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "attribution/names.h"
#include "attribution/with_outputs.h"
#include "base/checked.h"
#include "base/text.h"
#include "measure/input_specs.h"
#include "measure/value_plan.h"
#include "onnx/data_type.h"

namespace ridge::measure {
namespace {

using attribution::Attribution;
using attribution::Elements;
using attribution::FetchedTensor;
using attribution::OptimizedGraph;
using attribution::ValueTrial;
using graph::NodeId;
using graph::ValueId;

constexpr std::uint64_t kSeedStep = 1000;
constexpr std::int64_t kBlocks[] = {8, 16};  // channels of a blocked layout

/// Values of the optimized graph that names leave open or explain by a rule alone.
std::vector<TriedTensor> tensors_to_try(const CheckedGraph& g) {
  std::vector<TriedTensor> out;
  const graph::Model& model = *g.optimized.model;
  for (ValueId v = 0; v < model.values().size(); ++v) {
    const graph::Value& value = model.value(v);
    const bool named = g.by_name.tensor[v] != graph::kNone &&
                       g.by_name.tensor_evidence[v] == profile::Evidence::kSameTensor;
    if (value.producer != graph::kNone && value.graph == 0 && !named && g.optimized.bytes[v])
      out.push_back({v, *g.optimized.bytes[v]});
  }
  return out;
}

/// The sizes in bytes that a tensor may have in the optimized graph; empty if they are unknown.
std::vector<std::int64_t> sizes_of(const ops::Type& type) {
  std::vector<std::int64_t> out;
  if (type.container != ops::Container::kTensor || !type.shape.known()) return out;
  const auto add = [&](std::int64_t channel_block) {
    std::optional<std::int64_t> elements = 1;
    for (std::size_t i = 0; i < type.shape.span().size(); ++i) {
      const std::int64_t d = type.shape[i].value();
      const std::int64_t block = i == 1 ? channel_block : 1;
      if (elements) elements = checked_mul(*elements, (d + block - 1) / block * block);
    }
    const auto bytes = elements ? onnx::storage_bytes(type.dtype, *elements) : std::nullopt;
    if (bytes) out.push_back(*bytes);
  };
  add(1);
  if (type.shape.rank > 2)
    for (const std::int64_t block : kBlocks) add(block);
  return out;
}

/// Tensors of the main graph of the copy: its inputs, and those that its nodes produce.
std::vector<OriginalTensor> originals_of(const CheckedGraph& g) {
  std::unordered_set<std::string_view> made;
  for (const attribution::Port& input : g.material.copy.inputs) made.insert(input.name);
  for (const onnx::Node& n : g.material.copy.document->model.graph.nodes)
    for (const std::string_view name : n.outputs) made.insert(name);
  std::vector<OriginalTensor> out;
  for (ValueId v = 0; v < g.material.copy.value_name.size(); ++v) {
    if (!made.erase(g.material.copy.value_name[v])) continue;  // each name once
    std::vector<std::int64_t> sizes = sizes_of(g.resolved.type(v));
    if (!sizes.empty()) out.push_back({v, sizes[0], std::move(sizes)});
  }
  return out;
}

bool draws_random_numbers(const CheckedGraph& g) {
  const auto nodes = g.resolved.model().nodes();
  for (NodeId n = 0; n < nodes.size(); ++n) {
    const std::string_view op = nodes[n].op_type;
    if (op.starts_with("Random") || op == "Bernoulli" || op == "Multinomial" ||
        (op == "Dropout" && !g.material.copy.identity[n]))
      return true;
  }
  return false;
}

/// Numbers the tensors that kernels produce. `numbers` has those seen before, by what computes
/// them: operator and name of the kernel, and the tensors that it reads.
std::vector<std::size_t> numbered(const OptimizedGraph& graph,
                                  std::unordered_map<std::string, std::size_t>& numbers) {
  const graph::Model& model = *graph.model;
  std::vector<std::size_t> out(model.values().size(), 0);
  for (const NodeId k : graph.order) {
    const graph::Node& kernel = graph.kernel(k);
    std::string text = fmt::format("{}.{} {}", kernel.domain, kernel.op_type,
                                   attribution::without_token(kernel.name));
    for (const ValueId v : kernel.inputs) {
      if (v == graph::kNone)
        text += " _";
      else if (model.value(v).producer == graph::kNone)
        text += fmt::format(" {}", attribution::without_token(model.value(v).name));
      else
        text += fmt::format(" {}", out[v]);
    }
    for (std::size_t j = 0; j < kernel.outputs.size(); ++j)
      if (kernel.outputs[j] != graph::kNone)
        out[kernel.outputs[j]] =
            numbers.try_emplace(fmt::format("{} > {}", text, j), numbers.size() + 1).first->second;
  }
  return out;
}

/// By ValueId of `graph`: the same tensor in a dump of another session, whose order and "_token_"
/// numbers may differ. Empty if the graphs are not the same.
// Example: kernels "r0.0_nchwc" Conv(k0) -> token_1, "r2.0_nchwc" Conv(token_1) -> token_2 here,
// and "r0.0_nchwc" Conv(k0) -> token_7, "r2.0_nchwc" Conv(token_7) -> token_3 there. token_1 and
// token_7 have one number, and so do token_2 and token_3: a Conv of one name computes both.
std::vector<ValueId> aligned(const OptimizedGraph& graph, const OptimizedGraph& other) {
  std::unordered_map<std::string, std::size_t> numbers;
  const std::vector<std::size_t> here = numbered(graph, numbers), there = numbered(other, numbers);
  std::unordered_map<std::size_t, ValueId> by_number;
  for (ValueId v = 0; v < there.size(); ++v)
    if (there[v] != 0) by_number.emplace(there[v], v);
  std::vector<ValueId> out(here.size(), graph::kNone);
  for (ValueId v = 0; v < here.size(); ++v) {
    if (here[v] == 0) continue;
    const auto same = by_number.find(here[v]);
    if (same == by_number.end()) return {};
    out[v] = same->second;
  }
  return out;
}

/// The graph as a runtime can run it, with weights, and its tensors by ValueId of the profiled one.
struct Runnable {
  OptimizedGraph graph;
  std::vector<ValueId> tensor;
};

Result<Runnable> runnable_of(const CheckedGraph& g) {
  runtime::Runtime runtime = TRY(runtime::Runtime::spawn(g.request.runtime));
  const runtime::Loaded loaded = TRY(runtime.load({.model = g.material.copy.bytes,
                                                   .weights = g.material.weights,
                                                   .dump = runtime::Dump::kWeights}));
  Runnable out{TRY(attribution::read_optimized(loaded.graph.model)), {}};
  out.tensor = aligned(g.optimized, out.graph);
  return out;
}

/// Two sets of inputs; one if the user's files give all elements.
Result<std::vector<runtime::Inputs>> inputs_of(const CheckedGraph& g) {
  std::vector<runtime::Inputs> out;
  for (const std::uint64_t i : {std::uint64_t{0}, std::uint64_t{1}})
    out.push_back(TRY(runtime::Inputs::make(TRY(input_specs(
        g.resolved, g.material.copy, g.request.inputs, g.request.seed + i * kSeedStep)))));
  if (std::ranges::equal(out[0].memory.bytes(), out[1].memory.bytes())) out.pop_back();
  return out;
}

/// The inputs of the model among the tensors that others are compared with.
std::vector<FetchedTensor> input_tensors(const CheckedGraph& g,
                                         std::span<const runtime::Inputs> inputs) {
  std::vector<FetchedTensor> out;
  for (const attribution::Port& port : g.material.copy.inputs) {
    std::vector<Elements> runs;
    for (const runtime::Inputs& set : inputs)
      for (const runtime::InputTensor& t : set.tensors)
        if (t.name == port.name && t.kind == RIDGE_TENSOR && t.type != onnx::DataType::kString)
          runs.push_back({t.type, t.dims,
                          set.memory.bytes().subspan(static_cast<std::size_t>(t.offset),
                                                     static_cast<std::size_t>(t.bytes))});
    if (runs.size() == inputs.size())
      out.push_back(attribution::fetched(port.value, std::move(runs)));
  }
  return out;
}

/// Outputs of a model, one entry for each set of inputs.
using Outputs = std::vector<runtime::Outputs>;

Result<Outputs> run_fetching(const CheckedGraph& g, const std::string& model,
                             std::span<const runtime::Weight> weights,
                             std::span<const runtime::Inputs> inputs) {
  runtime::Options options = g.request.runtime;
  options.optimization = runtime::Optimization::kDisable;
  runtime::Runtime runtime = TRY(runtime::Runtime::spawn(options));
  const runtime::Loaded loaded =
      TRY(runtime.load({.model = model, .weights = weights, .dump = runtime::Dump::kNothing}));
  Outputs out;
  for (const runtime::Inputs& set : inputs) {
    TRY(runtime.set_inputs(loaded.session, set));
    out.push_back(TRY(runtime.outputs(loaded.session)));
  }
  return out;
}

/// The tensors of those values among the outputs; `name` gives the output of a value.
template <typename Name>
std::vector<FetchedTensor> tensors_in(const Outputs& outputs, std::span<const ValueId> values,
                                      Name name) {
  std::unordered_map<std::string_view, std::vector<Elements>> by_name;
  for (const runtime::Outputs& run : outputs)
    for (const runtime::OutputTensor& t : run.tensors)
      if (!t.bytes.empty()) by_name[t.type.name].push_back({t.type.type, t.type.dims, t.bytes});
  std::vector<FetchedTensor> out;
  for (const ValueId v : values)
    if (const auto at = by_name.find(name(v));
        at != by_name.end() && at->second.size() == outputs.size())
      out.push_back(attribution::fetched(v, at->second));
  return out;
}

class Check {
 public:
  Check(const CheckedGraph& graph, const Runnable& runnable, const ValuePlan& plan)
      : g_(graph), runnable_(runnable), plan_(plan) {}

  Result<void> run(std::span<const runtime::Inputs> inputs, std::vector<ValueTrial>& trials) {
    inputs_ = input_tensors(g_, inputs);
    for (std::size_t i = 0; i < trials.size(); ++i) at_[trials[i].tensor] = i;
    for (std::size_t i = 0; i < plan_.batches.size(); ++i) {
      if (g_.request.progress)
        g_.request.progress->show(
            fmt::format("checking values: run {} of {}", i + 1, plan_.batches.size()));
      TRY(compare(plan_.batches[i], inputs, trials));
    }
    return {};
  }

 private:
  Result<void> compare(const ValueBatch& batch, std::span<const runtime::Inputs> inputs,
                       std::vector<ValueTrial>& trials) {
    const auto optimized = [&](ValueId v) -> std::string_view {
      return runnable_.graph.model->value(runnable_.tensor[v]).name;
    };
    const auto original = [&](ValueId v) { return g_.material.copy.value_name[v]; };
    std::vector<std::string_view> names;
    for (const ValueId v : batch.tensors) names.push_back(optimized(v));
    const Outputs got = TRY(
        measure_side(runnable_.graph.model->document(), names, onnx::Weights::kInline, {}, inputs));
    names.clear();
    for (const ValueId v : batch.originals)
      if (std::ranges::find(g_.material.copy.inputs, v, &attribution::Port::value) ==
          g_.material.copy.inputs.end())
        names.push_back(original(v));
    const Outputs wanted = TRY(measure_side(*g_.material.copy.document, names,
                                            onnx::Weights::kDetached, g_.material.weights, inputs));
    const std::vector<FetchedTensor> tensors = tensors_in(got, batch.tensors, optimized);
    std::vector<FetchedTensor> originals = tensors_in(wanted, batch.originals, original);
    originals.insert(originals.end(), inputs_.begin(), inputs_.end());
    for (const FetchedTensor& t : tensors)
      attribution::try_values(t, g_.by_name.tensor[t.value], originals, trials[at_.at(t.value)]);
    return {};
  }

  Result<Outputs> measure_side(const onnx::Document& document,
                               std::span<const std::string_view> names, onnx::Weights how,
                               std::span<const runtime::Weight> weights,
                               std::span<const runtime::Inputs> inputs) const {
    const std::string model = TRY(attribution::with_outputs(document, names, how));
    return run_fetching(g_, model, weights, inputs);
  }

  const CheckedGraph& g_;
  const Runnable& runnable_;
  const ValuePlan& plan_;
  std::vector<FetchedTensor> inputs_;
  std::unordered_map<ValueId, std::size_t> at_;  // by tensor: its trial
};

ValueCheck nothing(std::string reason) {
  ValueCheck out;
  out.reason = std::move(reason);
  return out;
}

/// By node: the kernel that heads its executing or absorbing layer, and the evidence.
struct Seat {
  std::uint32_t kernel = graph::kNone;
  profile::Evidence evidence = profile::Evidence::kGuess;
};
std::vector<Seat> seats(const Attribution& a, std::size_t nodes) {
  std::vector<Seat> out(nodes);
  for (const attribution::Layer& layer : a.layers)
    for (const profile::Member& m : layer.members)
      if (m.role != profile::Role::kPart) out[m.node] = {layer.kernels[0], m.evidence};
  return out;
}

std::string kernel_text(const Attribution& a, std::uint32_t kernel) {
  if (kernel == graph::kNone) return "no layer";
  const attribution::Kernel& k = a.kernels[kernel];
  return fmt::format("kernel '{}' ({})", k.name.empty() ? k.op_type : k.name, k.op_type);
}

}  // namespace

Result<ValueCheck> check_values(const CheckedGraph& g) {
  if (!g.optimized.listed.empty())
    return nothing(
        "the runtime does not give the tensors between its layers: as outputs of the model they "
        "would change what it fuses");
  if (draws_random_numbers(g))
    return nothing("the model draws random numbers, so that no two runs are equal");
  const std::vector<TriedTensor> tensors = tensors_to_try(g);
  if (tensors.empty()) return nothing("every tensor between the runtime's kernels kept its name");
  const ValuePlan plan = plan_values(tensors, originals_of(g), {});
  const Runnable runnable = TRY(runnable_of(g));
  if (runnable.tensor.empty())
    return nothing("the runtime optimizes the model differently in each session");
  const std::vector<runtime::Inputs> inputs = TRY(inputs_of(g));

  ValueCheck out{
      .runs = plan.batches.size(), .inputs = inputs.size(), .left_out = plan.left_out.size()};
  std::unordered_set<ValueId> compared, left_out(plan.left_out.begin(), plan.left_out.end());
  for (const ValueBatch& batch : plan.batches)
    compared.insert(batch.tensors.begin(), batch.tensors.end());
  for (const TriedTensor& t : tensors)  // one of a size that no original has equals none
    if (!left_out.contains(t.value))
      out.trials.push_back({.tensor = t.value, .decisive = !compared.contains(t.value)});
  TRY(Check(g, runnable, plan).run(inputs, out.trials));
  return out;
}

std::vector<std::string> value_notes(const ValueCheck& check, const Attribution& by_name,
                                     const attribution::CheckedAttribution& by_value,
                                     const analysis::Resolved& resolved) {
  if (!check.reason.empty()) return {"values were not checked: " + check.reason};
  std::vector<std::string> out;
  const attribution::ValueCounts& c = by_value.values;
  std::string text = fmt::format(
      "value check: of {} that names do not decide, {} equal one tensor of the model ({} of "
      "inputs, {})",
      counted(c.tried, "tensor"), c.equal, counted(static_cast<std::int64_t>(check.inputs), "set"),
      counted(static_cast<std::int64_t>(check.runs), "run"));
  if (c.several > 0) text += fmt::format("; {} ambiguous, equal to several", c.several);
  if (c.moved > 0) text += fmt::format("; {} equal one in another order", c.moved);
  if (c.none > 0) text += fmt::format("; {} equal to none", c.none);
  if (c.trivial > 0)
    text += fmt::format("; {} prove nothing: constant, not finite, or too small", c.trivial);
  out.push_back(std::move(text));
  if (check.left_out > 0) {
    const ValueLimits limits;
    out.push_back(fmt::format(
        "value check: {} not compared, beyond the limit of {} runs with {} MiB of values each",
        counted(static_cast<std::int64_t>(check.left_out), "tensor"), limits.batches,
        limits.batch_bytes >> 20));
  }
  constexpr std::size_t kShown = 5;
  std::size_t moved = 0;
  const std::size_t nodes = resolved.model().nodes().size();
  const std::vector<Seat> before = seats(by_name, nodes),
                          after = seats(by_value.attribution, nodes);
  for (NodeId n = 0; n < nodes; ++n) {
    if (before[n].kernel == after[n].kernel) continue;
    if (++moved <= kShown)
      out.push_back(fmt::format(
          "value check: {} belongs to {}, not to {} as by evidence '{}'",
          resolved.model().describe(n), kernel_text(by_value.attribution, after[n].kernel),
          kernel_text(by_name, before[n].kernel), profile::name(before[n].evidence)));
  }
  if (moved > kShown)
    out.push_back(fmt::format("value check: {} more are in other layers than by name",
                              counted(static_cast<std::int64_t>(moved - kShown), "node")));
  return out;
}

}  // namespace ridge::measure
