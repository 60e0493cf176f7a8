// SPDX-License-Identifier: Apache-2.0
#include "advice/model_bound.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "analysis/bounds/min_work.h"
#include "analysis/node_bytes.h"
#include "base/checked.h"
#include "roofline/bound.h"

namespace ridge::advice {
namespace {

using analysis::Resolved;
using analysis::Touch;
using graph::kNone;
using graph::NodeId;
using graph::ValueId;

bool is_quantized(const Resolved& resolved, ValueId v) {
  const onnx::DataTypeInfo* type = onnx::info(resolved.type(v).dtype);
  return type != nullptr && type->quantized;
}

Touch larger(const Touch& a, const Touch& b) {
  return {std::max(a.bytes, b.bytes), std::max(a.line_bytes, b.line_bytes)};
}

Touch at_most(const Touch& touch, std::int64_t bytes) {
  return {std::min(touch.bytes, bytes), std::min(touch.line_bytes, bytes)};
}

/// Collects the work of the main graph.
class Work {
 public:
  explicit Work(const Resolved& resolved)
      : resolved_(resolved),
        model_(resolved.model()),
        root_(model_.values().size(), kNone),
        fixed_(model_.values().size()),
        number_(model_.values().size()),
        live_(model_.nodes().size()) {}

  ModelWork run() {
    const std::span<const NodeId> order = model_.main().order;
    for (ValueId v = 0; v < model_.values().size(); ++v) begin(v);
    for (const NodeId n : order) follow(n);
    find_outputs();
    for (auto n = order.rbegin(); n != order.rend(); ++n) find_live(*n);
    for (const NodeId n : order)
      if (live_[n] && !is_fixed(n)) add(n);
    for (const auto& [input, touch] : inputs_) out_.inputs = out_.inputs + touch;
    for (const auto& [weight, touch] : weights_) out_.weights = out_.weights + touch;
    return std::move(out_);
  }

 private:
  std::int64_t bytes(ValueId v) const {
    return v == kNone ? 0 : analysis::value_bytes(resolved_, v).value_or(0);
  }

  void begin(ValueId v) {
    const graph::Value& value = model_.value(v);
    number_[v] = v;
    if (value.kind == graph::ValueKind::kNodeOutput) return;
    fixed_[v] = value.kind == graph::ValueKind::kConstant || value.tensor != nullptr;
    root_[v] = v;
  }

  bool is_fixed(NodeId n) const {
    const std::span<const ValueId> inputs = model_.inputs(n);
    const bool constant = std::ranges::all_of(
        model_.outputs(n), [&](ValueId v) { return v == kNone || resolved_.constant(v); });
    return constant ||
           (!inputs.empty() && model_.bodies(n).empty() &&
            std::ranges::all_of(inputs, [&](ValueId v) { return v == kNone || fixed_[v]; }));
  }

  /// Sets the roots of a node's outputs: of constants, the largest; of a view, its input.
  void follow(NodeId n) {
    const bool fixed = is_fixed(n);
    ValueId root = kNone;
    for (const ValueId v : model_.inputs(n))
      if (fixed && v != kNone && bytes(root_[v]) > bytes(root)) root = root_[v];
    // Attributes are left out: nodes that differ in them alone count as one, which is less.
    std::vector<std::uint64_t> key = {model_.kind_of(n)};
    for (const ValueId v : model_.inputs(n)) key.push_back(v == kNone ? kNone : number_[v]);
    for (const ValueId v : model_.outputs(n)) {
      key.push_back(static_cast<std::uint64_t>(bytes(v)));
      if (v == kNone) continue;
      fixed_[v] = fixed;
      root_[v] = fixed ? root : viewed(n, v);
      number_[v] = numbers_.try_emplace(key, v).first->second;
    }
  }

  /// The input whose elements the output of a view is.
  ValueId viewed(NodeId n, ValueId v) const {
    const analysis::NodeCounts& counts = resolved_.counts(n);
    const std::span<const ValueId> inputs = model_.inputs(n);
    const bool view = counts.bytes_read.is(0) && counts.bytes_written.is(0) && !inputs.empty() &&
                      inputs[0] != kNone && bytes(inputs[0]) == bytes(v);
    return view ? root_[inputs[0]] : kNone;
  }

  /// Outputs that no node reads; all, if nodes read each.
  void find_outputs() {
    for (const ValueId v : model_.main().outputs)
      if (v != kNone && model_.consumers(v).empty()) wanted_.insert(v);
    if (wanted_.empty()) wanted_.insert(model_.main().outputs.begin(), model_.main().outputs.end());
    for (const ValueId v : wanted_) {
      const NodeId producer = model_.value(v).producer;
      if (producer == kNone || is_fixed(producer)) continue;
      if (const auto touch = analysis::min_written(resolved_, producer, v))
        out_.outputs = out_.outputs + *touch;
    }
  }

  NodeId owner(NodeId n) const {
    while (model_.graph_of(n) != 0) n = model_.graphs()[model_.graph_of(n)].owner;
    return n;
  }

  void find_live(NodeId n) {
    live_[n] = std::ranges::any_of(model_.outputs(n), [&](ValueId v) {
      return v != kNone &&
             (wanted_.contains(v) || std::ranges::any_of(model_.consumers(v), [&](NodeId reader) {
                return live_[owner(reader)];
              }));
    });
  }

  void add(NodeId n) {
    const bool product = model_.bodies(n).empty() && !resolved_.counts(n).macs.is(0);
    const ValueId result = model_.outputs(n).empty() ? kNone : model_.outputs(n)[0];
    if (product && result != kNone && computed_.insert(number_[result]).second) add_macs(n);
    ValueId largest = kNone;
    for (const ValueId v : model_.inputs(n)) {
      if (v == kNone) continue;
      if (fixed_[v] && bytes(v) > bytes(largest)) largest = v;
      if (!fixed_[v] && root_[v] != kNone) note(n, v, inputs_);
    }
    const bool rows =
        model_.kind(n).op_type == "Gather" && largest != kNone && largest == model_.inputs(n)[0];
    if (largest != kNone && (product || rows)) note(n, largest, weights_);
  }

  void add_macs(NodeId n) {
    const std::optional<std::int64_t> macs = analysis::min_macs(resolved_, n);
    if (!macs) out_.unknown.push_back(n);
    if (!macs || *macs == 0) return;
    const std::string type =
        multiplies_quantized(resolved_, n)
            ? ""
            : std::string(onnx::name(resolved_.type(model_.inputs(n)[0]).dtype));
    std::int64_t& sum = out_.macs[type];
    sum = checked_add(sum, *macs).value_or(sum);
  }

  /// A tensor that several nodes read counts once, for the node that reads most of it.
  void note(NodeId n, ValueId v, std::unordered_map<ValueId, Touch>& all) {
    const auto touch = analysis::min_read(resolved_, n, v);
    if (!touch || root_[v] == kNone) return;
    Touch& most = all[root_[v]];
    most = larger(most, at_most(*touch, bytes(root_[v])));
  }

  const Resolved& resolved_;
  const graph::Model& model_;
  std::vector<ValueId> root_;    // by value: input or constant that it is made of; kNone: none
  std::vector<bool> fixed_;      // by value: computed from constants alone
  std::vector<ValueId> number_;  // by value: the first that is equal
  std::map<std::vector<std::uint64_t>, ValueId> numbers_;  // of outputs: by operator and inputs
  std::vector<bool> live_;                                 // by node: an output depends on it
  std::unordered_set<ValueId> wanted_;
  std::unordered_set<ValueId> computed_;
  std::unordered_map<ValueId, Touch> inputs_, weights_;
  ModelWork out_;
};

/// FLOP/s that no computation of such a product exceeds.
std::optional<double> fastest(const std::string& type, const roofline::Roofs& roofs) {
  std::optional<double> most;
  for (const machine::Roof& roof : roofs.compute)
    if (type.empty() || roof.dtype == type || roof.dtype == "float32")
      most = std::max(most.value_or(0), roof.value);
  return most;
}

struct Term {
  std::string kind;
  std::optional<double> ns;
  std::string reason;
};

Term slowest(const ModelWork& work, const roofline::Roofs& roofs) {
  if (roofs.levels.empty()) return {{}, {}, "no memory roof was measured"};
  const Touch read = work.inputs + work.weights, all = read + work.outputs;
  const roofline::Demand moved{.least = {.macs = 0,
                                         .bytes = all.bytes,
                                         .line_bytes = all.line_bytes,
                                         .trips = 1,
                                         .streamed = read.bytes},
                               .dtype = "float32",
                               .run_streamed = read.bytes};
  const profile::Bound memory = roofline::bound_of(moved, roofs, 0, 0);
  Term out{memory.kind, memory.time_ns.value_or(0), {}};
  if (const roofline::StreamBound run = roofline::stream_bound(read.bytes, roofs);
      run.time_ns > *out.ns)
    out = {"memory:" + run.level, run.time_ns, {}};
  double compute_ns = 0;
  for (const auto& [type, macs] : work.macs) {
    const std::optional<double> roof = fastest(type, roofs);
    if (!roof) return {{}, {}, "no compute roof was measured for " + type};
    compute_ns += 2.0 * static_cast<double>(macs) / *roof * 1e9;
  }
  if (compute_ns > *out.ns) out = {"compute", compute_ns, {}};
  return out;
}

}  // namespace

bool multiplies_quantized(const Resolved& resolved, NodeId node) {
  if (resolved.counts(node).macs.is(0)) return false;
  const graph::Model& model = resolved.model();
  return std::ranges::any_of(model.inputs(node), [&](ValueId v) {
    if (v == kNone) return false;
    const NodeId from = model.value(v).producer;
    return is_quantized(resolved, v) ||
           (from != kNone && model.kind(from).op_type == "DequantizeLinear");
  });
}

ModelWork model_work(const Resolved& resolved) { return Work(resolved).run(); }

ModelBound bound_of(const ModelWork& work, const roofline::Roofs& run, const roofline::Roofs& all) {
  ModelBound out{.input_bytes = work.inputs.bytes,
                 .weight_bytes = work.weights.bytes,
                 .output_bytes = work.outputs.bytes,
                 .unknown = work.unknown};
  for (const auto& [type, macs] : work.macs) out.macs += macs;
  Term one = slowest(work, run);
  out.kind = std::move(one.kind);
  out.time_ns = one.ns;
  out.parallel_ns = slowest(work, all).ns;
  out.reason = std::move(one.reason);
  return out;
}

void raise(KernelBound& kernels, const ModelBound& model) {
  if (kernels.sequential_ns)
    kernels.sequential_ns = std::max(*kernels.sequential_ns, model.time_ns.value_or(0));
  if (kernels.critical_path_ns)
    kernels.critical_path_ns = std::max(*kernels.critical_path_ns, model.parallel_ns.value_or(0));
}

}  // namespace ridge::advice
