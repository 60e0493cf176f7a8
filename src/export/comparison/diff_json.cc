// SPDX-License-Identifier: Apache-2.0
#include "export/comparison/diff_json.h"

#include "compare/module_diff.h"
#include "export/comparison/diff_describe.h"
#include "record/json_table.h"

namespace ridge {
namespace exports {
namespace {

using analysis::Resolved;
using compare::Diff;

DiffSideView diff_side(const Resolved& r) {
  return {.path = r.model().document().path,
          .graph_hash = graph::structure_hash(r.model()),
          .bindings = r.bindings()};
}

std::optional<DiffNodeSide> diff_node_side(const Resolved& r, graph::NodeId n) {
  if (n == graph::kNone) return std::nullopt;
  const graph::Node node = r.model().node(n);
  return DiffNodeSide{.index = n,
                      .name = node.name,
                      .module = r.model().modules()[node.module].path,
                      .work = {compare::work_of(r, n)}};
}

DiffNodeView diff_node(const compare::NodeDiff& n, const DiffSides& sides) {
  const graph::Node node = node_of(n, sides);
  return {.change = n.change,
          .op_type = node.op_type,
          .domain = node.domain,
          .a = diff_node_side(sides.a, n.a),
          .b = diff_node_side(sides.b, n.b),
          .what = n.what,
          .difference = {compare::change_of(n, sides.a, sides.b)}};
}

DiffModuleView diff_module(const Diff& d, const compare::ModuleDiff& m, const DiffSides& sides) {
  const compare::ModuleWork work = module_work(d, m, sides.a, sides.b);
  return {.path = m.path,
          .depth = m.depth,
          .a = {work.nodes_a, {work.work_a}},
          .b = {work.nodes_b, {work.work_b}}};
}

}  // namespace

void write_diff_document(const Diff& diff, const DiffSides& sides, DiffRows rows,
                         const record::DocumentSink& out) {
  DiffView view{.a = diff_side(sides.a),
                .b = diff_side(sides.b),
                .fuse = sides.fuse == "none" ? "" : sides.fuse,
                .counts = {diff.counts},
                .totals = {},
                .nodes = {},
                .modules = {}};
  for (const compare::TotalDiff& t : diff.totals) view.totals.emplace_back(t.name, t);
  view.nodes = record::Stream<DiffNodeView>([&](auto use) {
    for (const compare::NodeDiff& n : diff.nodes)
      if (rows == DiffRows::kAll || n.change != compare::Change::kSame) use(diff_node(n, sides));
  });
  view.modules = record::Stream<DiffModuleView>([&](auto use) {
    for (const compare::ModuleDiff& m : diff.modules) use(diff_module(diff, m, sides));
  });
  out.write(view);
}

}  // namespace exports

void record::Describe<exports::DiffNodeView>::write(JsonWriter& json,
                                                    const exports::DiffNodeView& node) {
  write_row<kType<exports::DiffNodeView>>(json, &node);
}

void record::Describe<exports::DiffModuleView>::write(JsonWriter& json,
                                                      const exports::DiffModuleView& module) {
  write_row<kType<exports::DiffModuleView>>(json, &module);
}

}  // namespace ridge
