#include "export/explanation.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/json_writer.h"
#include "export/analysis/json.h"
#include "export/analysis/node_text.h"
#include "export/analysis/operator_text.h"
#include "export/facts.h"
#include "export/profile/layer_text.h"
#include "ops/describe.h"
#include "profile/json.h"

namespace ridge::exports {
namespace {

/// Facts in the order of the output.
std::vector<Facts> explained_facts(const Explanation& e) {
  std::vector<Facts> out;
  if (!e.versions.empty()) out.push_back(operator_facts(e.versions));
  if (e.node && e.resolved) out.push_back(node_facts(*e.resolved, *e.node));
  if (e.node && e.run && *e.node < e.run->nodes.size()) {
    Facts profiled = profiled_node_facts(*e.run, *e.node);
    // The facts of the model are already included, except why no layer executes the node.
    if (e.resolved)
      std::erase_if(profiled.rows, [](const FactRow& f) { return f.key != "no layer"; });
    if (!profiled.rows.empty()) out.push_back(std::move(profiled));
  }
  if (e.run) out.push_back(run_facts(*e.run));
  for (const std::uint32_t l : e.layers) out.push_back(layer_facts(*e.run, e.run->layers[l]));
  return out;
}

void write_operator(const Explanation& e, JsonWriter& json) {
  json.line().key("operator");
  if (e.versions.empty()) {
    json.null();
    return;
  }
  const ops::Operator& newest = *e.versions.back();
  json.begin_object().key("name").value(newest.name);
  json.key("domain").value(domain_name(newest.domain));
  json.key("status").value(ops::name(ops::counting(newest)));
  json.key("versions").begin_array();
  for (const ops::Operator* row : e.versions)
    json.begin_object().key("since").value(row->since).key("work").value(row->formula).end_object();
  const ops::TrafficText traffic = ops::traffic_text(newest);
  json.end_array().key("reads").value(traffic.reads).key("writes").value(traffic.writes);
  json.key("shape").value_or_null(ops::shape_text(newest)).end_object();
}

void write_explained_run(const profile::Profile& p, JsonWriter& json) {
  const auto known = [](double ns) { return std::isfinite(ns) ? std::optional(ns) : std::nullopt; };
  json.line().key("run").begin_object().key("runtime").value(p.subject.runtime);
  json.key("version").value(p.subject.runtime_version);
  json.key("latency_ns").value(known(p.latency.ns.median));
  json.key("ci95_ns").begin_array().value(known(p.latency.ns.low)).value(known(p.latency.ns.high));
  json.end_array().end_object();
}

/// Nodes of the run that are members of the layers, and the requested node.
std::vector<std::uint32_t> told_nodes(const Explanation& e) {
  std::vector<std::uint32_t> out;
  if (e.node) out.push_back(*e.node);
  for (const std::uint32_t l : e.layers)
    for (const profile::Member& m : e.run->layers[l].members) out.push_back(m.node);
  std::ranges::sort(out);
  const auto repeated = std::ranges::unique(out);
  out.erase(repeated.begin(), repeated.end());
  std::erase_if(out, [&](std::uint32_t n) { return n >= e.run->nodes.size(); });
  return out;
}

void write_layers(const Explanation& e, JsonWriter& json) {
  json.line().key("layers").begin_array();
  for (const std::uint32_t l : e.layers) profile::write_layer(json, *e.run, e.run->layers[l]);
  json.end_array().line().key("profiled_nodes").begin_array();
  if (e.run)
    for (const std::uint32_t n : told_nodes(e)) profile::write_node(json, e.run->nodes[n]);
  json.end_array().line().key("nodes_without_layer").begin_array();
  if (e.run)
    for (const profile::WithoutLayer& w : e.run->without_layer)
      if (w.node == e.node)
        json.begin_object()
            .key("node")
            .value(w.node)
            .key("why")
            .value(name(w.why))
            .key("with")
            .value(w.with)
            .end_object();
  json.end_array();
}

}  // namespace

void write_explanation_text(const Explanation& explanation, Sink& sink) {
  bool first = true;
  for (const Facts& facts : explained_facts(explanation)) {
    if (!std::exchange(first, false)) sink.write("\n");
    write_text(facts, sink);
  }
}

void write_explanation_markdown(const Explanation& explanation, Sink& sink) {
  bool first = true;
  for (const Facts& facts : explained_facts(explanation)) {
    if (!std::exchange(first, false)) sink.write("\n");
    write_markdown(facts, sink);
  }
}

void write_explanation_json(const Explanation& e, Sink& sink) {
  {
    JsonWriter json(sink);
    json.begin_object().key("schema").value("ridge.explanation/1");
    json.line().key("subject").value(e.subject);
    write_operator(e, json);
    json.line().key("nodes").begin_array();
    if (e.node && e.resolved) write_node(json, *e.resolved, *e.node);
    json.end_array();
    if (e.run)
      write_explained_run(*e.run, json);
    else
      json.line().key("run").null();
    write_layers(e, json);
    json.end_object().line();
  }
  sink.write("\n");
}

}  // namespace ridge::exports
