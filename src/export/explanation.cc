// SPDX-License-Identifier: Apache-2.0
#include "export/explanation.h"

#include <algorithm>
#include <utility>

#include "export/analysis/node_text.h"
#include "export/analysis/operator_text.h"
#include "export/analysis/rows.h"
#include "export/explanation_document.h"
#include "export/facts.h"
#include "export/profile/layer_text.h"

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

std::optional<OperatorView> operator_view(const Explanation& e) {
  if (e.versions.empty()) return std::nullopt;
  const ops::Operator& newest = *e.versions.back();
  const ops::TrafficText traffic = ops::traffic_text(newest);
  OperatorView out{.name = newest.name,
                   .domain = domain_name(newest.domain),
                   .status = ops::counting(newest),
                   .versions = {},
                   .reads = traffic.reads,
                   .writes = traffic.writes,
                   .shape = ops::shape_text(newest)};
  for (const ops::Operator* row : e.versions) out.versions.push_back({row->since, row->formula});
  return out;
}

std::optional<ExplainedRun> explained_run(const Explanation& e) {
  if (e.run == nullptr) return std::nullopt;
  const stats::Estimate& latency = e.run->latency.ns;
  return ExplainedRun{.runtime = e.run->subject.runtime,
                      .version = e.run->subject.runtime_version,
                      .latency_ns = latency.value,
                      .ci95_ns = {latency.low(), latency.high()}};
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

void add_layers(const Explanation& e, ExplanationView& out) {
  if (e.run == nullptr) return;
  out.layers = record::Stream<profile::Layer>([&e](auto use) {
    for (const std::uint32_t l : e.layers) use(e.run->layers[l]);
  });
  out.profiled_nodes = record::Stream<profile::Node>([&e](auto use) {
    for (const std::uint32_t n : told_nodes(e)) use(e.run->nodes[n]);
  });
  for (const profile::WithoutLayer& w : e.run->without_layer)
    if (w.node == e.node) out.nodes_without_layer.push_back(w);
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

void write_explanation_document(const Explanation& e, const record::DocumentSink& out) {
  ExplanationView view{.subject = e.subject, .op = operator_view(e), .run = explained_run(e)};
  if (e.node && e.resolved) view.nodes = node_row(*e.resolved, *e.node);
  add_layers(e, view);
  out.write(view);
}

}  // namespace ridge::exports
