// SPDX-License-Identifier: Apache-2.0
#include "export/comparison/json.h"

#include <utility>

#include "compare/run_labels.h"
#include "export/comparison/describe.h"
#include "profile/describe.h"

namespace ridge::exports {
namespace {

using compare::Comparison;

ComparedRun compared_run(const Comparison& c, std::size_t r) {
  const profile::Profile& p = c.runs[r].profile;
  return {.label = c.runs[r].label,
          .kind = p.subject.kind,
          .model = p.subject.path,
          .graph_hash = p.subject.graph_hash,
          .runtime = p.subject.runtime,
          .version = p.subject.runtime_version,
          .options = profile::options_of(p.subject),
          .bindings = p.subject.bindings,
          .drift = c.drifts[r],
          .batch = p.batch,
          .machine = compare::facts_of(p).machine,
          .nodes = c.join.rates[r]};
}

ComparedRow compared_row(const Comparison& c, const compare::Row& row) {
  ComparedRow out{
      .name = row.label, .module = row.module, .op = row.op, .nodes = {}, .runs = row.cells};
  for (const std::uint32_t common : row.nodes) {
    const compare::NodeJoin::Place place = c.join.nodes[common];
    const profile::Node& n = c.runs[place.run].profile.nodes[place.node];
    out.nodes.push_back({place.run, n.index, n.name, n.op_type});
  }
  return out;
}

record::Stream<ComparedRow> compared_rows(const Comparison& c,
                                          const std::vector<compare::Row>& rows) {
  return record::Stream<ComparedRow>([&c, &rows](auto use) {
    for (const compare::Row& row : rows) use(compared_row(c, row));
  });
}

ComparisonView comparison_view(const Comparison& c) {
  ComparisonView out{.threshold = c.threshold,
                     .interleaved = c.interleaved,
                     .runs = {},
                     .latency = compared_row(c, c.latency),
                     .groups = compared_rows(c, c.groups),
                     .modules = compared_rows(c, c.modules),
                     .operators = compared_rows(c, c.operators),
                     .inserted = compared_row(c, c.inserted),
                     .unattributed = compared_row(c, c.unattributed),
                     .totals = {},
                     .best_of_each_ns = c.best_ns,
                     .nodes_without_layer = c.untimed,
                     .notes = c.notes};
  for (std::size_t r = 0; r < c.runs.size(); ++r) {
    out.runs.push_back(compared_run(c, r));
    out.totals.push_back({c.parts[r], c.differences[r], c.explained[r], c.tallies[r]});
  }
  return out;
}

}  // namespace

void write_comparison_document(const Comparison& comparison, const record::DocumentSink& out) {
  out.write(comparison_view(comparison));
}

}  // namespace ridge::exports
