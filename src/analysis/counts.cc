// SPDX-License-Identifier: Apache-2.0
#include "analysis/counts.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "analysis/bodies.h"
#include "base/checked.h"

namespace ridge::analysis {
namespace {

Error too_large() {
  return input_error("RIDGE-ANA-0202", "a total of the model exceeds 2^63 - 1")
      .hint("check the sizes given with --bind and --shape");
}

class Counter {
 public:
  explicit Counter(const CountTables& t)
      : t_(t), read_at_(t.model.values().size(), graph::kNone), totalled_(t.model.values().size()) {
    Packed by_root;
    for (const auto& [v, weights] : t.packed)
      if (t.provenance.root[v] != graph::kNone) by_root[t.provenance.root[v]] = weights;
    t_.packed = std::move(by_root);
  }

  Result<void> run() {
    multiply();
    TRY(count_params());
    sum();
    if (t_.dims.overflowed()) return too_large();
    return {};
  }

 private:
  /// Bodies come after their owners in graph order, so one pass handles every nesting level.
  void multiply() {
    const auto graphs = t_.model.graphs();
    std::vector<Trips> executions(graphs.size());
    for (graph::GraphId g = 0; g < graphs.size(); ++g) {
      if (graphs[g].owner == graph::kNone) continue;
      const Trips& around = executions[t_.model.graph_of(graphs[g].owner)];
      const Trips& own = t_.trips[g];
      executions[g] = {t_.dims.mul(around.count, own.count), t_.dims.mul(most(around), most(own)),
                       around.reason.empty() ? own.reason : around.reason};
    }
    for (graph::GraphId g = 0; g < graphs.size(); ++g) {
      t_.repeats.push_back(executions[g].count);
      if (executions[g].count.is(1)) continue;
      for (graph::NodeId n = graphs[g].first; n < graphs[g].last; ++n)
        multiply_node(n, executions[g]);
    }
  }

  static ops::Dim most(const Trips& t) { return t.count.unknown() ? t.most : t.count; }

  /// Upper bound on the MACs of the node, or the MACs themselves.
  ops::Dim max_macs(graph::NodeId n) const {
    const auto bound = t_.macs_max.find(n);
    return bound == t_.macs_max.end() ? t_.counts[n].macs : bound->second;
  }

  void multiply_node(graph::NodeId n, const Trips& executions) {
    NodeCounts c = t_.counts[n];
    const ops::Dim repeat = executions.count;
    const ops::Dim bound = t_.dims.mul(max_macs(n), most(executions));
    if (bound.unknown())
      t_.macs_max.erase(n);
    else
      t_.macs_max[n] = bound;
    for (ops::Dim* figure :
         {&c.macs, &c.flops, &c.special, &c.int_ops, &c.bytes_read, &c.bytes_written})
      if (!figure->is(0)) *figure = t_.dims.mul(*figure, repeat);
    const bool idle = repeat.is(0);
    if (idle)
      c.status = Status::kZero;
    else if (c.macs.unknown())
      c.status = Status::kUnknown;
    if (idle || (repeat.unknown() && c.reason.empty())) c.reason = executions.reason;
    t_.counts.set(n, c);
  }

  Result<void> count_params() {
    const auto weight = [&](graph::ValueId v) {
      return v != graph::kNone && t_.provenance.weight[v];
    };
    for (graph::NodeId n = 0; n < t_.counts.size(); ++n) {
      if (std::ranges::none_of(t_.model.inputs(n), weight)) continue;
      const graph::Node& node = t_.model.node(n);
      if (bodies_of(node) == Bodies::kCall) continue;
      TRY_IN(t_.model.describe(n), count_params_of(n, node));
    }
    for (const graph::ValueId v : t_.model.main().outputs)
      if (t_.provenance.weight[v]) TRY(add_to_total(t_.provenance.root[v]));
    t_.totals.active_params = t_.totals.params;
    for (const auto& [root, idle] : idle_)
      if (totalled_[root]) t_.totals.active_params -= idle;
    return {};
  }

  /// Parameters of the weight `v` that one token does not use: the parameters of experts that it
  /// does not choose. A weight that another node reads too may be idle in both only.
  std::int64_t idle(graph::NodeId n, graph::ValueId v, graph::ValueId root) {
    std::int64_t none = 0;
    if (const auto parts = t_.parts.find(n); parts != t_.parts.end())
      for (const PartRead& read : parts->second) {
        const ops::Part& part = read.part;
        const bool experts = part.of.known() && part.of.value() > 0 && part.per_token.known();
        if (read.value == v && experts)
          none = elements(root) / part.of.value() * (part.of.value() - part.per_token.value());
      }
    const auto [at, first] = idle_.try_emplace(root, none);
    if (!first) at->second = std::min(at->second, none);
    return none;
  }

  Result<void> count_params_of(graph::NodeId n, const graph::Node& node) {
    const bool norm = node.op_type == "BatchNormalization" && node.domain.empty();
    NodeCounts c = t_.counts[n];
    std::int64_t unused = 0;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const graph::ValueId v = node.inputs[i];
      if (v == graph::kNone || !t_.provenance.weight[v]) continue;
      if (norm && (i == 3 || i == 4)) continue;  // running statistics are not parameters
      const graph::ValueId root = t_.provenance.root[v];
      if (read_at_[root] == n) continue;
      read_at_[root] = n;
      const auto params = checked_add(c.params, elements(root));
      if (!params) return too_large();
      c.params = *params;
      if (!t_.parts.empty()) unused += idle(n, v, root);
      if (i > 0 || !passes_weight(t_.model.kind(n))) TRY(add_to_total(root));
    }
    t_.counts.set(n, c);
    if (unused > 0) t_.active_params[n] = c.params - unused;
    return {};
  }

  Result<void> add_to_total(graph::ValueId root) {
    if (totalled_[root]) return {};
    totalled_[root] = true;
    const auto params = checked_add(t_.totals.params, elements(root));
    const auto bytes = checked_add(t_.totals.weight_bytes, stored_bytes(root));
    if (!params || !bytes) return too_large();
    t_.totals.params = *params;
    t_.totals.weight_bytes = *bytes;
    return {};
  }

  /// Elements of a weight, whose dimensions are all known. The reader has checked the product for
  /// tensors of the file and the resolver for node outputs; only in a branch that cannot run can it
  /// overflow, and then the result is 0.
  std::int64_t elements(graph::ValueId root) const {
    const auto packed = t_.packed.find(root);
    return packed == t_.packed.end() ? stored(root) : packed->second;
  }

  std::int64_t stored(graph::ValueId root) const {
    std::optional<std::int64_t> n = 1;
    for (const ops::Dim& d : t_.types[root].shape.span())
      if (n) n = checked_mul(*n, d.value());
    return n.value_or(0);
  }

  std::int64_t stored_bytes(graph::ValueId root) const {
    const auto bytes = [](const onnx::Tensor* t) {
      return t == nullptr ? 0 : onnx::storage_bytes(t->type, t->elements).value_or(0);
    };
    if (const onnx::SparseTensor* sparse = t_.model.value(root).sparse)
      return bytes(sparse->values) + bytes(sparse->indices);
    return onnx::storage_bytes(t_.types[root].dtype, stored(root)).value_or(0);
  }

  void sum() {
    Totals& total = t_.totals;
    total.nodes = static_cast<std::int64_t>(t_.counts.size());
    for (graph::NodeId n = 0; n < t_.counts.size(); ++n) {
      const NodeCounts& c = t_.counts[n];
      ++(c.status == Status::kCounted ? total.counted
         : c.status == Status::kZero  ? total.zero
                                      : total.unknown);
      add(total.macs, c.macs, Totals::kMacs);
      total.macs_max = t_.dims.add(total.macs_max, max_macs(n));
      add(total.flops, c.flops, Totals::kFlops);
      add(total.special, c.special, Totals::kSpecial);
      add(total.int_ops, c.int_ops, Totals::kIntOps);
      add(total.bytes_read, c.bytes_read, Totals::kBytesRead);
      add(total.bytes_written, c.bytes_written, Totals::kBytesWritten);
    }
  }

  void add(ops::Dim& total, ops::Dim figure, Totals::Figure which) {
    if (figure.unknown())
      t_.totals.incomplete.set(which);
    else if (!figure.is(0))
      total = t_.dims.add(total, figure);
  }

  CountTables t_;
  std::vector<graph::NodeId> read_at_;  // by root: last node that counted it
  std::vector<bool> totalled_;          // by root
  Packed idle_;                         // by root: parameters that one token does not use
};

}  // namespace

const PartRead* Resolved::part_read(graph::NodeId n, graph::ValueId v) const {
  if (parts_.empty()) return nullptr;
  const auto found = parts_.find(n);
  if (found == parts_.end()) return nullptr;
  const auto at = std::ranges::find(found->second, v, &PartRead::value);
  return at == found->second.end() ? nullptr : &*at;
}

std::int64_t Resolved::weight_elements(graph::ValueId root) const {
  if (const auto packed = packed_.find(root); packed != packed_.end()) return packed->second;
  std::int64_t n = 1;
  for (const ops::Dim& d : types_[root].shape.span())
    n = d.known() ? checked_mul(n, d.value()).value_or(INT64_MAX) : 0;
  return n;
}

std::bitset<7> unknown_figures(const NodeCounts& c) {
  const auto bit = [](Totals::Figure figure, ops::Dim d) {
    return static_cast<unsigned>(d.unknown()) << figure;
  };
  return bit(Totals::kMacs, c.macs) | bit(Totals::kFlops, c.flops) |
         bit(Totals::kSpecial, c.special) | bit(Totals::kIntOps, c.int_ops) |
         bit(Totals::kBytesRead, c.bytes_read) | bit(Totals::kBytesWritten, c.bytes_written);
}

std::string operator_name(const graph::Node& node) {
  std::string name(node.domain);
  if (!name.empty()) name += '.';
  return name.append(node.op_type);
}

Result<void> finish_counts(CountTables tables) { return Counter(tables).run(); }

}  // namespace ridge::analysis
