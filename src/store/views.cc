// SPDX-License-Identifier: Apache-2.0
#include "store/views.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <vector>

namespace ridge::store {
namespace {

using enum record::Column::Kind;

// What a view looks up by node it finds through the indices of schema.cc; SQLite alone would read
// all rows of the run for each node.

/// Columns of every run.
constexpr ViewColumn kOfRun[] = {
    {"run", kInteger, "", "number of the run; none is given twice", "run.id"},
    {"recorded_s", kInteger, "s", "when it was stored, since 1970-01-01 UTC", "run.recorded_s"},
    {"date", kText, "", "the same as text: 2026-11-01T09:30:00Z",
     "strftime('%Y-%m-%dT%H:%M:%SZ', run.recorded_s, 'unixepoch')"},
    {"kind", kText, "", "measured, imported, estimated or bounded", "run.kind"},
    {"model", kText, "", "path of the model, or zoo:NAME", "run.path"},
    {"graph_hash", kText, "", "structure of the model; empty where an import does not know it",
     "run.graph_hash"},
    {"sizes", kText, "", "free sizes as bound: batch=4, sequence=128; empty without any",
     "run.sizes"},
    {"batch", kInteger, "", "items of one run of the model", "run.batch"},
    {"runtime", kText, "", "as it names itself: ONNX Runtime", "run.runtime"},
    {"runtime_version", kText, "", "as the library says", "run.runtime_version"},
    {"threads", kInteger, "", "of the runtime; null where the run does not say",
     "CASE WHEN length(run.thread_option) BETWEEN 1 AND 9 AND"
     " trim(run.thread_option, '0123456789') = '' THEN CAST(run.thread_option AS INTEGER) END"},
    {"machine", kText, "", "host, processor, number of processors; null where the run does not say",
     "nullif(run.machine, '')"},
    {"ridge", kText, "", "version that measured", "run.ridge_version"}};

constexpr ViewColumn kRunList[] = {
    {"latency_ns", kReal, "ns",
     "median of one run of the model, profiling off; null where an import does not say",
     "run.latency_ns"},
    {"latency_low_ns", kReal, "ns", "low end of its 95 % interval; null for too few runs",
     "run.latency_low_ns"},
    {"latency_high_ns", kReal, "ns", "high end", "run.latency_high_ns"},
    {"items_per_s", kReal, "1/s", "throughput at that latency", "run.items_per_s"},
    {"load_ns", kInteger, "ns", "the runtime's load call; null where not recorded", "run.load_ns"},
    {"first_run_ns", kInteger, "ns", "the very first run; null where not recorded",
     "run.first_run_ns"},
    {"processes", kInteger, "", "that measured",
     "(SELECT count(*) FROM process WHERE process.run = run.id)"},
    {"samples", kInteger, "", "latencies that were measured, over all processes",
     "(SELECT count(*) FROM sample WHERE sample.run = run.id)"},
    {"layers", kInteger, "", "rows of layer_times", "run.layers"},
    {"nodes", kInteger, "", "of the model: rows of node_times",
     "(SELECT count(*) FROM node WHERE node.model = run.model)"},
    {"layer_times", kText, "",
     "what corrected_ns is: corrected, or reported where the correction is not usable; null where "
     "the run does not say",
     "run.layer_times"},
    {"corrected_sum_ns", kReal, "ns", "sum of the layers' corrected times", "run.corrected_sum_ns"},
    {"outside_layers_ns", kReal, "ns", "of a run between layers: scheduling, inputs and outputs",
     "run.outside_layers_ns"},
    {"residual_share", kReal, "",
     "(corrected_sum_ns + outside_layers_ns) / latency_ns - 1: what does not add up",
     "run.residual_share"},
    {"weights", kText, "", "elements of the weights: seeded, as-is or file; empty if unknown",
     "run.weights"},
    {"notes", kInteger, "", "facts that a reader must know; ridge runs show prints them",
     "(SELECT count(*) FROM note WHERE note.run = run.id)"}};

constexpr ViewColumn kLayerTimes[] = {
    {"layer", kInteger, "", "number of the layer in the run, from 0", "layer.position"},
    {"name", kText, "", "of the node that carries the work, else of the kernel; may be empty",
     "layer.name"},
    {"type", kText, "", "operator as the runtime calls it", "layer.type"},
    {"implementation", kText, "", "execution provider and kernel family as the runtime says it",
     "layer.implementation"},
    {"precision", kText, "", "element type that it ran in", "layer.precision"},
    {"layout", kText, "", "plain, blocked:N, channels_last; empty where not known", "layer.layout"},
    {"execution", kInteger, "", "position in the order of execution, from 0", "layer.execution"},
    {"inserted", kInteger, "", "1: by the runtime, such as a reorder, cast or copy",
     "layer.inserted"},
    {"module", kText, "", "the deepest module that holds all its nodes", "layer.module"},
    {"nodes", kInteger, "", "of the model that are members of the layer",
     "(SELECT count(*) FROM member WHERE member.run = run.id AND member.layer = layer.position)"},
    {"node", kInteger, "", "index of the leading node; null for a layer without nodes",
     "node.position"},
    {"node_name", kText, "", "name of that node, a label only: several may have it, or it is empty",
     "node.name"},
    {"op_type", kText, "", "operator of that node", "node.op_type"},
    {"time_ns", kReal, "ns", "as the runtime's profiler reports it, median over runs",
     "layer.time_ns"},
    {"time_low_ns", kReal, "ns", "low end of its 95 % interval; null for too few runs",
     "layer.time_low_ns"},
    {"time_high_ns", kReal, "ns", "high end", "layer.time_high_ns"},
    {"corrected_ns", kReal, "ns", "time_ns less what profiling added: the layer's time",
     "layer.corrected_ns"},
    {"corrected_low_ns", kReal, "ns", "low end of its 95 % interval; null where there is none",
     "layer.corrected_low_ns"},
    {"corrected_high_ns", kReal, "ns", "high end", "layer.corrected_high_ns"},
    {"below_resolution", kInteger, "", "1: too short for the profiler's clock",
     "layer.below_resolution"},
    {"share", kReal, "", "of the sum of corrected times", "layer.share"},
    {"executions", kInteger, "", "per run of the model", "layer.executions"},
    {"macs", kInteger, "", "multiply-accumulates; null where they cannot be known", "layer.macs"},
    {"flops", kInteger, "", "other arithmetic on floating types", "layer.flops"},
    {"special", kInteger, "", "divisions, roots, exponentials and the like", "layer.special"},
    {"int_ops", kInteger, "", "arithmetic on integers", "layer.int_ops"},
    {"bytes", kInteger, "B", "of the tensors that cross its boundary, read and written",
     "layer.bytes"},
    {"output_bytes", kInteger, "B", "of those written", "layer.output_bytes"},
    {"gflop_per_s", kReal, "GFLOP/s", "(2 macs + flops + special + int_ops) / corrected_ns",
     "layer.gflop_per_s"},
    {"gb_per_s", kReal, "GB/s", "bytes / corrected_ns", "layer.gb_per_s"},
    {"intensity", kReal, "FLOP/B", "operations per byte", "layer.intensity"},
    {"bound", kText, "", "what binds: compute, memory:LEVEL, overhead; empty where not known",
     "layer.bound"},
    {"bound_ns", kReal, "ns", "the least time under the measured roofs", "layer.bound_ns"},
    {"roof_share", kReal, "", "bound_ns / corrected_ns", "layer.roof_share"}};

constexpr ViewColumn kNodeTimes[] = {
    {"node", kInteger, "", "index of the node, as ridge analyze counts", "node.position"},
    {"parent", kInteger, "", "the node whose body it stands in; null in the main graph",
     "node.parent"},
    {"repeat", kInteger, "", "executions of that body; null where data decides", "node.repeat"},
    {"name", kText, "", "a label only: several nodes may have it, or it is empty", "node.name"},
    {"op_type", kText, "", "operator", "node.op_type"},
    {"domain", kText, "", "of the operator; empty is ai.onnx", "node.domain"},
    {"module", kText, "", "path in the module tree", "node.module"},
    {"output_shape", kText, "", "shape and element type of the first output", "node.output_shape"},
    {"macs", kInteger, "", "multiply-accumulates; null where they cannot be known", "node.macs"},
    {"flops", kInteger, "", "other arithmetic on floating types", "node.flops"},
    {"special", kInteger, "", "divisions, roots, exponentials and the like", "node.special"},
    {"int_ops", kInteger, "", "arithmetic on integers", "node.int_ops"},
    {"bytes_read", kInteger, "B", "each distinct input once", "node.bytes_read"},
    {"bytes_written", kInteger, "B", "each output once", "node.bytes_written"},
    {"params", kInteger, "", "elements of the weights that it reads", "node.params"},
    {"layer", kInteger, "",
     "layer of the node: the one that executes it, else the first; null without a layer",
     "home.layer"},
    {"role", kText, "", "in that layer: executes, part or absorbed", "home.role"},
    {"evidence", kText, "", "how that is known", "home.evidence"},
    {"why", kText, "",
     "why it has no layer: folded, eliminated, merged, not_executed; null where it has one, or is "
     "inside another node's layer",
     "absence.why"},
    {"with_node", kInteger, "", "merged: the node that is computed for both", "absence.with_node"},
    {"led_layers", kInteger, "", "layers whose time stands at this node; mostly 0 or 1",
     "(SELECT count(*) FROM member AS led INDEXED BY lead_of_node"
     " WHERE led.run = run.id AND led.node = node.position AND led.leads = 1)"},
    {"corrected_ns", kReal, "ns", "sum of the times of these layers; null where there are none",
     "(SELECT sum(corrected_ns) FROM member AS led INDEXED BY lead_of_node"
     " JOIN layer ON layer.run = led.run AND layer.position = led.layer"
     " WHERE led.run = run.id AND led.node = node.position AND led.leads = 1)"},
    {"corrected_low_ns", kReal, "ns",
     "low end of the layer's 95 % interval; null unless it is one layer that has it",
     "(SELECT CASE count(*) WHEN 1 THEN min(corrected_low_ns) END"
     " FROM member AS led INDEXED BY lead_of_node"
     " JOIN layer ON layer.run = led.run AND layer.position = led.layer"
     " WHERE led.run = run.id AND led.node = node.position AND led.leads = 1)"},
    {"corrected_high_ns", kReal, "ns", "high end",
     "(SELECT CASE count(*) WHEN 1 THEN min(corrected_high_ns) END"
     " FROM member AS led INDEXED BY lead_of_node"
     " JOIN layer ON layer.run = led.run AND layer.position = led.layer"
     " WHERE led.run = run.id AND led.node = node.position AND led.leads = 1)"},
    {"layer_ns", kReal, "ns",
     "corrected time of the whole layer of the node; the same at all its nodes, so never summed",
     "(SELECT corrected_ns FROM layer"
     " WHERE layer.run = home.run AND layer.position = home.layer)"}};

constexpr ViewColumn kEvaluations[] = {
    {"evaluation", kInteger, "", "number of the evaluation; none is given twice", "evaluation.id"},
    {"recorded_s", kInteger, "s", "when it was stored, since 1970-01-01 UTC",
     "evaluation.recorded_s"},
    {"date", kText, "", "the same as text: 2026-11-01T09:30:00Z",
     "strftime('%Y-%m-%dT%H:%M:%SZ', evaluation.recorded_s, 'unixepoch')"},
    {"complete", kInteger, "", "0: interrupted, or the runtime ended",
     "CASE WHEN evaluation.point <> '' THEN 1 ELSE 0 END"},
    {"model", kText, "", "path of the model, or zoo:NAME", "evaluation.model"},
    {"model_sha256", kText, "", "hash of the file, or of a network's structure",
     "evaluation.model_sha256"},
    {"data", kText, "", "folder or array; null for seeded samples", "nullif(evaluation.data, '')"},
    {"scenario", kText, "", "value of --scenario", "evaluation.scenario"},
    {"runtime", kText, "", "as it names itself: ONNX Runtime", "evaluation.runtime"},
    {"runtime_version", kText, "", "as the library says", "evaluation.runtime_version"},
    {"threads", kInteger, "", "of each run", "evaluation.threads"},
    {"machine", kText, "", "host, processor, number of processors; null where not known",
     "nullif(evaluation.host, '')"},
    {"ridge", kText, "", "version that evaluated", "evaluation.ridge_version"},
    {"validity", kText, "", "valid, invalid or undecided", "evaluation.validity"},
    {"queries", kInteger, "", "queries that were recorded; null for accuracy alone",
     "evaluation.queries"},
    {"failed_queries", kInteger, "", "of these, those that the runtime rejected",
     "evaluation.failed_queries"},
    {"queries_per_s", kReal, "1/s", "queries done; null for accuracy alone",
     "evaluation.queries_per_s"},
    {"queries_low_per_s", kReal, "1/s", "low end of its 95 % interval; null for too few queries",
     "evaluation.queries_per_s_low"},
    {"queries_high_per_s", kReal, "1/s", "high end", "evaluation.queries_per_s_high"},
    {"median_ns", kReal, "ns", "median latency of a query; null for accuracy alone",
     "evaluation.median_ns"},
    {"median_low_ns", kReal, "ns", "low end of its 95 % interval; null for too few queries",
     "evaluation.median_low_ns"},
    {"median_high_ns", kReal, "ns", "high end", "evaluation.median_high_ns"},
    {"p99_ns", kReal, "ns", "99th percentile of the latency of a query", "evaluation.p99_ns"},
    {"top1", kReal, "", "share of samples that are right; null without labels", "evaluation.top1"},
    {"top1_low", kReal, "", "low end of its 95 % interval", "evaluation.top1_low"},
    {"top1_high", kReal, "", "high end", "evaluation.top1_high"}};

constexpr View kViews[] = {
    {.name = "run_list",
     .meaning = "A row for each run.",
     .shared = kOfRun,
     .own = kRunList,
     .from = "run",
     .owner = "run",
     .order_by = "run"},
    {.name = "layer_times",
     .meaning =
         "A row for each layer of each run: what the runtime executed. The leading node of a layer "
         "is the one with most MACs among those that it executes, the first of equals; of a layer "
         "that executes none, its first node.",
     .shared = kOfRun,
     .own = kLayerTimes,
     .from = "run JOIN layer ON layer.run = run.id"
             " LEFT JOIN member AS led ON led.run = layer.run AND led.layer = layer.position"
             " AND led.leads = 1"
             " LEFT JOIN node ON node.model = run.model AND node.position = led.node",
     .owner = "run",
     .order_by = "run, layer"},
    {.name = "node_times",
     .meaning =
         "A row for each node of the model of each run. The time of a layer is one number and is "
         "not divided among its nodes: it stands once, at the layer's leading node (see "
         "layer_times). So `corrected_ns` summed over nodes, operators or modules is the sum over "
         "all layers that have nodes; the other nodes of a layer have null there.",
     .shared = kOfRun,
     .own = kNodeTimes,
     .from = "run JOIN node ON node.model = run.model"
             " LEFT JOIN member AS home INDEXED BY home_of_node"
             " ON home.run = run.id AND home.node = node.position AND home.home = 1"
             " LEFT JOIN without_layer AS absence INDEXED BY absence_of_node"
             " ON absence.run = run.id AND absence.node = node.position"
             // A document of somebody else's may name a node twice.
             " AND absence.position = (SELECT min(position) FROM without_layer AS a"
             " INDEXED BY absence_of_node WHERE a.run = run.id AND a.node = node.position)",
     .owner = "run",
     .order_by = "run, node"},
    {.name = "evaluations",
     .meaning = "A row for each evaluation: one model in one runtime under one load.",
     .shared = {},
     .own = kEvaluations,
     .from = "evaluation WHERE evaluation.kind = 'evaluation'",
     .owner = "evaluation",
     .order_by = "evaluation"}};

std::string_view type_name(record::Column::Kind kind) {
  if (kind == kInteger) return "integer";
  return kind == kReal ? "real" : "text";
}

constexpr std::string_view kPageHead =
    R"(# Views of a run database

<!-- Made by scripts/schemas.sh; change the list in src/store/views.cc. -->

The views of `runs.db` and the columns of the CSV files that `ridge runs export` writes; how to
query them: [data.md](../data.md). `sqlite3 runs.db '.schema layer_times'` prints the same. Columns
are only added. A figure that cannot be known is null (empty in CSV), never 0.
)";

}  // namespace

std::span<const View> views() { return kViews; }

std::string create_view(const View& view) {
  std::string out = fmt::format("CREATE VIEW {} AS SELECT", view.name);
  std::string_view comma;
  for_each_column(view, [&](const ViewColumn& c) {
    // The comment of a column stands before it, after the comma of the one before.
    out += fmt::format("{}\n  -- {}: {}{}{}\n  {} AS {}", comma, c.name, c.unit,
                       c.unit.empty() ? "" : ", ", c.meaning, c.sql, c.name);
    comma = ",";
  });
  return out + fmt::format("\nFROM {};\n", view.from);
}

std::string select_view(const View& view) {
  std::vector<std::string> columns;
  for_each_column(view, [&](const ViewColumn& c) {
    columns.push_back(fmt::format("{} AS {}", c.sql, c.name));
  });
  return fmt::format("SELECT * FROM (SELECT {} FROM {}) AS rows_of WHERE {} = ? ORDER BY {}",
                     fmt::join(columns, ", "), view.from, view.owner, view.order_by);
}

std::string views_page() {
  std::string out(kPageHead);
  for (const View& view : kViews) {
    out += fmt::format("\n## {}\n\n{}\n\n", view.name, view.meaning);
    out += "| column | type | unit | meaning |\n| --- | --- | --- | --- |\n";
    for_each_column(view, [&](const ViewColumn& c) {
      out += fmt::format("| `{}` | {} | {} | {} |\n", c.name, type_name(c.kind), c.unit, c.meaning);
    });
  }
  return out;
}

}  // namespace ridge::store
