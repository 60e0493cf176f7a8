// SPDX-License-Identifier: Apache-2.0
#include "export/analysis/rows.h"

#include "analysis/module_work.h"
#include "analysis/summary.h"
#include "export/analysis/describe.h"
#include "export/analysis/tensors.h"
#include "export/analysis/traffic_text.h"
#include "record/json_table.h"

namespace ridge {
namespace exports {
namespace {

using analysis::Resolved;
using analysis::Totals;

class NodeRow {
 public:
  NodeRow(const Resolved& r, const AnalysisDocument& options)
      : r_(r),
        model_(r.model()),
        convention_(options.convention),
        traffic_(options.traffic),
        tensors_(r) {
    view_.with_convention = convention_ != nullptr;
    view_.with_traffic = traffic_ != nullptr;
  }

  /// Valid until the next call.
  const NodeView& view(graph::NodeId n) {
    const graph::Node node = model_.node(n);
    NodeView& v = view_;
    v.index = n;
    v.parent = node.parent == graph::kNone ? std::nullopt : std::optional(node.parent);
    v.name = node.name;
    v.op_type = node.op_type;
    v.domain = node.domain;
    v.module = model_.modules()[node.module].path;
    tensors_.clear();
    v.inputs = {&tensors_, node.inputs};
    v.outputs = {&tensors_, node.outputs};
    set_figures(n);
    return v;
  }

 private:
  void set_figures(graph::NodeId n) {
    const analysis::NodeCounts& c = r_.counts(n);
    NodeView& v = view_;
    v.repeat = tensors_.figure(r_.repeat(n));
    v.macs = tensors_.figure(c.macs);
    const ops::Dim most = r_.macs_max(n);
    v.macs_max = c.macs.same(most) ? Figure() : tensors_.figure(most);
    v.flops = tensors_.figure(c.flops);
    v.special = tensors_.figure(c.special);
    v.int_ops = tensors_.figure(c.int_ops);
    if (convention_ != nullptr) v.convention = tensors_.figure(convention_->nodes[n]);
    v.params = c.params;
    const std::int64_t active = r_.active_params(n);
    v.active_params = active == c.params ? std::nullopt : std::optional(active);
    v.bytes_read = tensors_.figure(c.bytes_read);
    v.bytes_written = tensors_.figure(c.bytes_written);
    if (traffic_ != nullptr) {
      v.bytes_expected = tensors_.figure(traffic_->traffic.expected[n]);
      v.bytes_max = tensors_.figure(traffic_->traffic.most[n]);
      v.runs_with = traffic_->traffic.runs_with[n];
    }
    v.intensity = analysis::intensity(c);
    v.status = c.status;
    v.reason = c.reason;
  }

  const Resolved& r_;
  const graph::Model& model_;
  const analysis::ConventionCount* convention_;
  const TrafficView* traffic_;
  Tensors tensors_;
  NodeView view_;
};

class ModuleRow {
 public:
  explicit ModuleRow(const Resolved& r) : r_(r), tensors_(r) {}

  /// Valid until the next call.
  ModuleView view(graph::ModuleId m, const analysis::ModuleWork& w, std::size_t own_nodes) {
    const graph::Module& module = r_.model().modules()[m];
    ModuleView v{.path = module.path, .depth = module.depth, .nodes = w.nodes};
    tensors_.clear();
    if (w.output != graph::kNone) v.output = tensors_.view(w.output);
    v.own_nodes = static_cast<std::int64_t>(own_nodes);
    v.macs = sum(v, w, w.macs, Totals::kMacs);
    v.flops = sum(v, w, w.flops, Totals::kFlops);
    v.special = sum(v, w, w.special, Totals::kSpecial);
    v.int_ops = sum(v, w, w.int_ops, Totals::kIntOps);
    v.params = w.params;
    v.bytes_read = sum(v, w, w.bytes_read, Totals::kBytesRead);
    v.bytes_written = sum(v, w, w.bytes_written, Totals::kBytesWritten);
    v.unknown = w.unknown;
    return v;
  }

 private:
  Figure sum(ModuleView& v, const analysis::ModuleWork& w, ops::Dim known, Totals::Figure which) {
    return sum_figure(tensors_, known, w.incomplete, which, v.at_least);
  }

  const Resolved& r_;
  Tensors tensors_;
};

}  // namespace

record::Stream<NodeView> node_rows(const Resolved& resolved, const AnalysisDocument& options) {
  return record::Stream<NodeView>([&resolved, &options](auto use) {
    NodeRow row(resolved, options);
    if (options.top) {
      for (const graph::NodeId n : analysis::top_nodes(resolved, *options.top)) use(row.view(n));
    } else {
      const std::size_t nodes = resolved.model().nodes().size();
      for (graph::NodeId n = 0; n < nodes; ++n) use(row.view(n));
    }
  });
}

record::Stream<NodeView> node_row(const Resolved& resolved, graph::NodeId node) {
  return record::Stream<NodeView>(
      [&resolved, node](auto use) { use(NodeRow(resolved, {}).view(node)); });
}

record::Stream<ModuleView> module_rows(const Resolved& resolved, const AnalysisDocument& options) {
  return record::Stream<ModuleView>([&resolved, &options](auto use) {
    const auto modules = resolved.model().modules();
    const analysis::ModuleIndex index(resolved.model());
    const std::uint32_t deepest = options.depth.value_or(UINT32_MAX);
    const analysis::WorkByModule work = analysis::work_by_module(resolved, deepest);
    ModuleRow row(resolved);
    for (const graph::ModuleId m : index.tree_order())
      if (modules[m].depth <= deepest) use(row.view(m, work[m], index.nodes(m).size()));
  });
}

}  // namespace exports

void record::Describe<exports::TensorView>::write(JsonWriter& json,
                                                  const exports::TensorView& tensor) {
  write_row<kType<exports::TensorView>>(json, &tensor);
}

void record::Describe<exports::InputView>::write(JsonWriter& json,
                                                 const exports::InputView& input) {
  write_row<kType<exports::InputView>>(json, &input);
}

void record::Describe<exports::NodeView>::write(JsonWriter& json, const exports::NodeView& node) {
  write_row<kType<exports::NodeView>>(json, &node);
}

void record::Describe<exports::ModuleView>::write(JsonWriter& json,
                                                  const exports::ModuleView& module) {
  write_row<kType<exports::ModuleView>>(json, &module);
}

}  // namespace ridge
