// SPDX-License-Identifier: Apache-2.0
#include "profile/rows.h"

#include <optional>

#include "base/checked.h"
#include "profile/json.h"

namespace ridge::profile {
namespace {

using graph::ModuleId;

std::string sizes_and_type(const ops::Type& type, const ops::DimPool& dims) {
  std::string out;
  for (const ops::Dim& d : type.shape.span()) out += (out.empty() ? "" : "x") + dims.text(d);
  return out + (out.empty() ? "" : " ") + std::string(onnx::name(type.dtype));
}

/// Returns the deepest module that contains both.
ModuleId common(const graph::Model& model, ModuleId a, ModuleId b) {
  const auto modules = model.modules();
  while (a != b) {
    ModuleId& deeper = modules[a].depth >= modules[b].depth ? a : b;
    if (modules[deeper].parent == graph::kNone) return 0;
    deeper = modules[deeper].parent;
  }
  return a;
}

}  // namespace

Count count_of(ops::Dim d) { return d.known() ? Count(d.value()) : std::nullopt; }

Work work_of(const analysis::NodeCounts& c) {
  return {count_of(c.macs), count_of(c.flops), count_of(c.special), count_of(c.int_ops)};
}

void add(Count& sum, Count part) { sum = sum && part ? checked_add(*sum, *part) : std::nullopt; }

void add(Work& sum, const Work& part) {
  add(sum.macs, part.macs);
  add(sum.flops, part.flops);
  add(sum.special, part.special);
  add(sum.int_ops, part.int_ops);
}

std::optional<double> operations(const Work& w) {
  if (!w.macs || !w.flops || !w.special || !w.int_ops) return std::nullopt;
  return 2.0 * static_cast<double>(*w.macs) + static_cast<double>(*w.flops) +
         static_cast<double>(*w.special) + static_cast<double>(*w.int_ops);
}

Subject subject_of(const analysis::Resolved& resolved) {
  const onnx::Document& document = resolved.model().document();
  Subject s{.path = document.path,
            .graph_hash = graph::structure_hash(resolved.model()),
            .producer = std::string(document.model.producer_name)};
  s.ir_version = document.model.ir_version;
  for (const onnx::OperatorSet& set : document.model.opsets)
    s.opsets[std::string(set.domain)] = set.version;
  s.bindings = resolved.bindings();
  return s;
}

std::int64_t batch_of(const analysis::Resolved& resolved) {
  const graph::Graph& main = resolved.model().main();
  for (const graph::ValueId id : main.inputs) {
    const ops::Shape& shape = resolved.type(id).shape;
    if (shape.rank > 0 && shape[0].known() && shape[0].value() > 0) return shape[0].value();
  }
  return 1;
}

Node node_row(const analysis::Resolved& resolved, graph::NodeId id) {
  const graph::Node& n = resolved.model().node(id);
  const analysis::NodeCounts& c = resolved.counts(id);
  Node row{
      .index = id, .parent = {}, .repeat = count_of(resolved.repeat(id)).value_or(kUnknownRepeat)};
  if (n.parent != graph::kNone) row.parent = n.parent;
  row.name = n.name;
  row.op_type = n.op_type;
  row.domain = n.domain;
  row.module = resolved.model().modules()[n.module].path;
  row.status = name(c.status);
  row.work = work_of(c);
  row.bytes_read = count_of(c.bytes_read);
  row.bytes_written = count_of(c.bytes_written);
  row.params = c.params;
  if (!n.outputs.empty() && n.outputs[0] != graph::kNone)
    row.output_shape = sizes_and_type(resolved.type(n.outputs[0]), resolved.dims());
  return row;
}

std::string module_of(const analysis::Resolved& resolved, const std::vector<Member>& members) {
  std::optional<ModuleId> module;
  for (const Member& m : members) {
    const ModuleId own = resolved.model().node(m.node).module;
    module = module ? common(resolved.model(), *module, own) : own;
  }
  return std::string(resolved.model().modules()[module.value_or(0)].path);
}

}  // namespace ridge::profile
