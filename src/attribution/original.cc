// SPDX-License-Identifier: Apache-2.0
#include "attribution/original.h"

#include <algorithm>
#include <numeric>

#include "attribution/names.h"
#include "attribution/neutral.h"

namespace ridge::attribution {

namespace {

bool has_work(const analysis::NodeCounts& counts) {
  return !counts.macs.is(0) || !counts.flops.is(0) || !counts.special.is(0) ||
         !counts.int_ops.is(0);
}

}  // namespace

bool is_product(std::string_view op) {
  if (op.starts_with("Convert")) return false;
  for (const std::string_view part : {"Conv", "MatMul", "Gemm", "Attention", "LSTM", "GRU", "RNN",
                                      "Einsum", "Deconvolution", "FullyConnected"})
    if (op.find(part) != std::string_view::npos) return true;
  return false;
}

Original::Original(const analysis::Resolved& resolved, const Canonical& copy, Expansion expansion)
    : resolved_(&resolved),
      copy_(&copy),
      expansion_(std::move(expansion)),
      order_(expansion_.order()) {
  rank_.resize(order_.size());
  for (std::uint32_t i = 0; i < order_.size(); ++i) rank_[order_[i]] = i;
  for (const Port& p : copy.inputs) kept_.emplace(p.name, p.value);
  for (const Port& p : copy.outputs) kept_.emplace(p.name, origin(p.value));
  index_readers();
  find_folds();
  find_neutral();
  find_live();
}

NodeId Original::producer(ValueId v) const {
  v = origin(v);
  return v == kNone ? kNone : model().value(v).producer;
}

std::span<const NodeId> Original::readers(ValueId v) const {
  return std::span(reader_).subspan(reader_start_[v], reader_start_[v + 1] - reader_start_[v]);
}

std::string_view Original::op(NodeId n) const {
  return copy_->identity[n] ? std::string_view("Identity") : node(n).op_type;
}

bool Original::folds_node(NodeId n) const {
  for (const ValueId v : node(n).outputs)
    if (v != kNone) return folds_[v];
  return false;
}

ValueId Original::tensor(std::string_view name) const {
  if (const auto kept = kept_.find(name); kept != kept_.end()) return kept->second;
  const std::size_t values = model().values().size();
  if (const ValueId v = value_named(name); v != kNone) return v < values ? origin(v) : kNone;
  const Stem stem = stem_of(name);
  if (!stem.whole || stem.output == kNone || stem.node >= order_.size()) return kNone;
  if (name != without_token(name)) return kNone;
  const std::span<const ValueId> outputs = node(stem.node).outputs;
  if (stem.output >= outputs.size() || outputs[stem.output] == kNone) return kNone;
  return origin(outputs[stem.output]);
}

void Original::index_readers() {
  const std::size_t values = model().values().size();
  reader_start_.assign(values + 1, 0);
  std::vector<NodeId> last(values, kNone);
  const auto each = [&](const auto& visit) {
    std::fill(last.begin(), last.end(), kNone);
    for (NodeId n = 0; n < order_.size(); ++n) {
      if (expansion_.expanded(n)) continue;
      for (const ValueId input : node(n).inputs) {
        const ValueId v = origin(input);
        if (v == kNone || last[v] == n) continue;
        last[v] = n;
        visit(v, n);
      }
    }
  };
  each([&](ValueId v, NodeId) { ++reader_start_[v + 1]; });
  std::partial_sum(reader_start_.begin(), reader_start_.end(), reader_start_.begin());
  reader_.resize(reader_start_.back());
  std::vector<std::uint32_t> next(reader_start_.begin(), reader_start_.end() - 1);
  each([&](ValueId v, NodeId n) { reader_[next[v]++] = n; });
}

bool Original::node_folds(const graph::Node& node) const {
  const std::string_view op = node.op_type;
  if (node.domain.empty() && op == "Constant") return true;
  if (node.domain.empty() && (op == "Shape" || op == "Size") && !node.inputs.empty())
    return resolved_->type(node.inputs[0]).shape.known();
  if (op.starts_with("Random") || op == "Bernoulli" || op == "Multinomial") return false;
  if (!node.bodies.empty() || node.inputs.empty()) return false;
  return std::all_of(node.inputs.begin(), node.inputs.end(), [&](ValueId input) {
    const ValueId v = origin(input);
    return v == kNone || folds_[v];
  });
}

void Original::find_folds() {
  folds_.resize(model().values().size());
  seeded_.resize(folds_.size());
  for (ValueId v = 0; v < folds_.size(); ++v)
    folds_[v] = model().value(v).kind == graph::ValueKind::kConstant;
  for (const NodeId n : order_) {
    if (expansion_.expanded(n)) continue;
    const bool folds = node_folds(node(n));
    bool seeded = copy_->seeded[n];
    for (const ValueId v : node(n).inputs)
      if (const ValueId o = origin(v); o != kNone) seeded = seeded || seeded_[o];
    for (const ValueId v : node(n).outputs) {
      if (v == kNone) continue;
      folds_[v] = folds;
      seeded_[v] = folds && seeded && node(n).op_type != "Shape" && node(n).op_type != "Size";
    }
  }
  // Values of expanded calls have the properties of their origin.
  for (ValueId v = 0; v < folds_.size(); ++v)
    if (const ValueId o = origin(v); o != v) {
      folds_[v] = o != kNone && folds_[o];
      seeded_[v] = o != kNone && seeded_[o];
    }
}

void Original::find_neutral() {
  neutral_.assign(order_.size(), kNotNeutral);
  for (const NodeId n : order_) {
    if (copy_->identity[n]) neutral_[n] = 0;
    const std::optional<std::size_t> input = neutral_input(*resolved_, n);
    if (!input) continue;
    // A neutral constant of the file does not count if the copy seeds it: the runtime does not see
    // it.
    bool seeded = false;
    for (const ValueId v : node(n).inputs) seeded = seeded || (v != kNone && seeded_[v]);
    if (!seeded || !has_work(resolved_->counts(n))) neutral_[n] = static_cast<std::uint8_t>(*input);
  }
}

void Original::find_live() {
  live_.resize(order_.size());
  std::vector<bool> wanted(model().values().size());
  const auto want = [&](ValueId v) {
    if (const ValueId o = origin(v); o != kNone) wanted[o] = true;
  };
  for (const ValueId v : model().main().outputs) want(v);
  // A body runs whenever its owner runs, so its outputs and captured values are needed then.
  for (std::size_t i = order_.size(); i-- > 0;) {
    const NodeId n = order_[i];
    const graph::Node& x = node(n);
    if (expansion_.expanded(n)) continue;
    for (const ValueId v : x.outputs) live_[n] = live_[n] || (v != kNone && wanted[origin(v)]);
    if (!live_[n]) continue;
    for (const ValueId v : x.inputs) want(v);
    for (const GraphId body : x.bodies)
      for (const ValueId v : model().graphs()[body].outputs) want(v);
  }
}

}  // namespace ridge::attribution
