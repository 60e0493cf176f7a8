// SPDX-License-Identifier: Apache-2.0
#include "analysis/module_work.h"

#include <algorithm>
#include <utility>

#include "analysis/bodies.h"
#include "analysis/weights.h"
#include "base/checked.h"

namespace ridge::analysis {
namespace {

using graph::kNone;
using graph::ModuleId;
using graph::NodeId;
using graph::ValueId;

void add_figure(ops::Dim& sum, ops::Dim figure, ops::DimPool& dims) {
  if (!figure.unknown() && !figure.is(0)) sum = dims.add(sum, figure);
}

/// Deepest common ancestor of two modules; kNone if there is none.
ModuleId common(std::span<const graph::Module> modules, ModuleId a, ModuleId b) {
  while (a != b && a != kNone && b != kNone) {
    if (modules[a].depth >= modules[b].depth)
      a = modules[a].parent;
    else
      b = modules[b].parent;
  }
  return a == b ? a : kNone;
}

class Roller {
 public:
  Roller(const Resolved& r, std::uint32_t depth)
      : r_(r),
        model_(r.model()),
        modules_(model_.modules()),
        depth_(depth),
        work_(modules_, depth),
        first_reader_(model_.values().size(), kNone) {
    for (const graph::Graph& g : model_.graphs()) {
      if (g.owner == kNone || bodies_of(model_.node(g.owner)) != Bodies::kCall) continue;
      const graph::Node& owner = model_.node(g.owner);
      given_.resize(model_.values().size(), kNone);
      for (std::size_t i = 0; i < std::min(g.inputs.size(), owner.inputs.size()); ++i)
        given_[g.inputs[i]] = owner.inputs[i];
    }
  }

  WorkByModule run() {
    for (NodeId n = 0; n < model_.nodes().size(); ++n) {
      const graph::Node& node = model_.node(n);
      add_work(work_.kept(node.module), r_.counts(n), r_.dims());
      find_weights(node);
      for (std::size_t i = 0; i < node.outputs.size(); ++i)
        if (node.outputs[i] != kNone) hand_on(node, node.outputs[i]);
    }
    share_params();
    // Parents have smaller ids than their children.
    for (ModuleId m = static_cast<ModuleId>(modules_.size()); m-- > 1;) {
      if (modules_[m].depth > depth_) continue;
      ModuleWork& parent = work_.kept(modules_[m].parent);
      add_work(parent, work_[m], r_.dims());
      add_params(parent, work_[m].params);
    }
    return std::move(work_);
  }

 private:
  static void add_params(ModuleWork& work, std::int64_t params) {
    work.params = checked_add(work.params, params).value_or(INT64_MAX);
  }

  void find_weights(const graph::Node& node) {
    if (bodies_of(node) == Bodies::kCall) return;
    const bool norm = node.op_type == "BatchNormalization" && node.domain.empty();
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const ValueId v = node.inputs[i];
      if (v == kNone || !r_.weight(v) || (i == 0 && passes_weight(model_.kinds()[node.kind])))
        continue;
      if (norm && (i == 3 || i == 4)) continue;  // running statistics are not parameters
      note_reader(tensor_behind(v), node.module);
    }
  }

  /// Adds a tensor to the first module that reads it, and records further readers, which are rare.
  void note_reader(ValueId tensor, ModuleId module) {
    ModuleId& first = first_reader_[tensor];
    if (first == kNone) {
      first = module;
      add_params(work_.kept(module), elements(tensor));
    } else if (first != module) {
      shared_.emplace_back(tensor, module);
    }
  }

  /// Returns the original tensor of a weight: before it was reshaped, cast or passed into a call.
  ValueId tensor_behind(ValueId v) const {
    constexpr int kMaxSteps = 64;
    for (int step = 0; step < kMaxSteps; ++step) {
      const ValueId before = handed_on_from(v);
      if (before == kNone || !r_.weight(before)) break;
      v = before;
    }
    return v;
  }

  ValueId handed_on_from(ValueId v) const {
    const graph::Value& value = model_.value(v);
    if (value.kind == graph::ValueKind::kNodeOutput) {
      const std::span<const ValueId> inputs = model_.inputs(value.producer);
      return passes_weight(model_.kind(value.producer)) && !inputs.empty() ? inputs[0] : kNone;
    }
    return given_.empty() ? kNone : given_[v];
  }

  /// Counts each shared tensor once in every module: adds it to each module that reads it, and
  /// subtracts it at the common ancestor of each pair of readers that are neighbors in tree order.
  ///
  /// Example: w (10 elements) is read in enc.a, enc.b and dec. Each of the three gets 10; the pair
  /// (enc.a, enc.b) subtracts 10 from enc, and (enc.b, dec) subtracts 10 from the root. Summed up
  /// the tree, enc has 10 + 10 - 10 = 10 and the root has enc 10 + dec 10 - 10 = 10.
  void share_params() {
    const std::size_t further = shared_.size();
    for (std::size_t i = 0; i < further; ++i)
      shared_.emplace_back(shared_[i].first, first_reader_[shared_[i].first]);
    std::sort(shared_.begin(), shared_.end(), [&](const auto& a, const auto& b) {
      return std::pair(a.first, place(a.second)) < std::pair(b.first, place(b.second));
    });
    shared_.erase(std::unique(shared_.begin(), shared_.end()), shared_.end());
    for (std::size_t i = 0; i < shared_.size(); ++i) {
      const auto& [tensor, module] = shared_[i];
      const std::int64_t n = elements(tensor);
      if (module != first_reader_[tensor]) add_params(work_.kept(module), n);
      if (i > 0 && shared_[i - 1].first == tensor)
        add_params(work_.kept(common(modules_, shared_[i - 1].second, module)), -n);
    }
  }

  /// Position of a module in tree order (parents before children), so that neighbors have the right
  /// common ancestor.
  std::uint32_t place(ModuleId m) {
    if (places_.empty()) {
      places_.resize(modules_.size());
      std::uint32_t at = 0;
      for (const ModuleId next : ModuleIndex(model_).tree_order()) places_[next] = at++;
    }
    return places_[m];
  }

  std::int64_t elements(ValueId v) const { return r_.weight_elements(v); }

  /// Updates the output of every module that the value leaves.
  void hand_on(const graph::Node& node, ValueId v) {
    if (r_.constant(v)) return;
    ModuleId stays = node.module;
    for (const NodeId reader : model_.consumers(v))
      stays = common(modules_, stays, model_.module_of(reader));
    if (const graph::Value& value = model_.value(v); value.graph_output) {
      const NodeId owner = model_.graphs()[value.graph].owner;
      stays = owner == kNone ? kNone : common(modules_, stays, model_.module_of(owner));
    }
    for (ModuleId m = node.module; m != stays; m = modules_[m].parent)
      if (modules_[m].depth <= depth_) offer(work_.kept(m).output, v);
  }

  bool floating(ValueId v) const {
    const onnx::DataTypeInfo* row = onnx::info(r_.type(v).dtype);
    return row != nullptr && row->floating;
  }

  void offer(ValueId& output, ValueId v) const {
    if (output == kNone) {
      output = v;
      return;
    }
    const bool same_node = model_.value(output).producer == model_.value(v).producer;
    if (!same_node && (floating(v) || !floating(output))) output = v;
  }

  const Resolved& r_;
  const graph::Model& model_;
  std::span<const graph::Module> modules_;
  std::uint32_t depth_;
  WorkByModule work_;
  // argument passed to an input of a call's body
  std::vector<ValueId> given_;
  std::vector<ModuleId> first_reader_;                // by tensor of the file
  std::vector<std::pair<ValueId, ModuleId>> shared_;  // further readers of a tensor
  std::vector<std::uint32_t> places_;                 // by module: position in tree order
};

}  // namespace

void add_work(ModuleWork& sum, const NodeCounts& c, ops::DimPool& dims) {
  const ModuleWork part{.nodes = 1,
                        .unknown = c.status == Status::kUnknown,
                        .macs = c.macs,
                        .flops = c.flops,
                        .special = c.special,
                        .int_ops = c.int_ops,
                        .bytes_read = c.bytes_read,
                        .bytes_written = c.bytes_written,
                        .incomplete = unknown_figures(c)};
  add_work(sum, part, dims);
}

void add_work(ModuleWork& sum, const ModuleWork& part, ops::DimPool& dims) {
  sum.nodes += part.nodes;
  sum.unknown += part.unknown;
  add_figure(sum.macs, part.macs, dims);
  add_figure(sum.flops, part.flops, dims);
  add_figure(sum.special, part.special, dims);
  add_figure(sum.int_ops, part.int_ops, dims);
  add_figure(sum.bytes_read, part.bytes_read, dims);
  add_figure(sum.bytes_written, part.bytes_written, dims);
  sum.incomplete |= part.incomplete;
}

WorkByModule::WorkByModule(std::span<const graph::Module> modules, std::uint32_t depth)
    : row_(modules.size()) {
  std::uint32_t rows = 0;
  for (ModuleId m = 0; m < modules.size(); ++m)
    row_[m] = modules[m].depth <= depth ? rows++ : row_[modules[m].parent];
  work_.resize(rows);
}

WorkByModule work_by_module(const Resolved& resolved, std::uint32_t depth) {
  return Roller(resolved, depth).run();
}

ModuleIndex::ModuleIndex(const graph::Model& model) {
  std::vector<ModuleId> module_of;
  module_of.reserve(std::max(model.nodes().size(), model.modules().size()));
  for (NodeId n = 0; n < model.nodes().size(); ++n) module_of.push_back(model.module_of(n));
  nodes_ = bucket(model.modules().size(), module_of);
  module_of.clear();
  for (const graph::Module& m : model.modules()) module_of.push_back(m.parent);
  children_ = bucket(model.modules().size(), module_of);
}

std::vector<ModuleId> ModuleIndex::tree_order() const {
  std::vector<ModuleId> order, pending{0};
  while (!pending.empty()) {
    const ModuleId m = pending.back();
    pending.pop_back();
    order.push_back(m);
    const auto inside = children(m);
    pending.insert(pending.end(), inside.rbegin(), inside.rend());
  }
  return order;
}

ModuleIndex::Lists ModuleIndex::bucket(std::size_t modules, std::span<const ModuleId> module_of) {
  Lists lists{std::vector<std::uint32_t>(modules + 1, 0), {}};
  std::size_t count = 0;
  for (const ModuleId m : module_of) {
    if (m == kNone) continue;
    ++lists.start[m + 1];
    ++count;
  }
  for (std::size_t m = 0; m < modules; ++m) lists.start[m + 1] += lists.start[m];
  lists.items.resize(count);
  std::vector<std::uint32_t> next(lists.start.begin(), lists.start.end() - 1);
  for (std::uint32_t item = 0; item < module_of.size(); ++item)
    if (module_of[item] != kNone) lists.items[next[module_of[item]]++] = item;
  return lists;
}

}  // namespace ridge::analysis
