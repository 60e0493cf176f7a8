// SPDX-License-Identifier: Apache-2.0
#include "advice/run/changes.h"

#include <fmt/format.h>

#include "advice/layer_graph.h"
#include "advice/placed_layers.h"
#include "base/text.h"

namespace ridge::advice {
namespace {

/// Note on nodes in which no edit is looked for; "" if there are none.
std::string left_alone(const graph::Model& model) {
  std::int64_t left = 0;
  for (graph::NodeId n = 0; n < model.nodes().size(); ++n)
    if (model.graph_of(n) != 0 || !model.kind(n).domain.empty()) ++left;
  if (left == 0) return {};
  return fmt::format(
      "no edit was looked for in {}: in bodies of control flow and functions, or of operator sets "
      "other than ai.onnx",
      counted(left, "node"));
}

std::optional<double> scheduled(const AdviceSubject& subject, const profile::Profile& run,
                                const bricks::Network& network) {
  const std::vector<LayerEdge> placed =
      placed_layers(run, {&subject.resolved, &network.optimized, &network.attribution});
  return LayerGraph(subject.resolved.model(), run, placed).scheduled(run, subject.processors());
}

Result<void> make_int8(const AdviceSubject& subject, const profile::Profile& run,
                       ModelChanges& out) {
  const AdviceRequest& request = subject.request;
  const session::Environment& environment = subject.environment();
  std::optional<Finding> finding =
      int8_finding(subject.resolved, run, environment.host, request.model);
  if (!finding || request.lossless || environment.stopped()) return {};
  if (request.measure_bricks || subject.asks_for(kInt8)) {
    const measure::Request own = TRY(subject.bench.request(subject.point));
    Result<Int8Model> copy = int8_model({&subject.resolved, own}, subject.loader);
    if (copy.ok())
      out.int8.emplace(std::move(*copy));
    else
      finding->no_price = copy.error().summary();
  }
  out.int8_finding = std::move(finding);
  return {};
}

}  // namespace

Result<ModelChanges> find_changes(const AdviceSubject& subject, const MeasuredModel& measured) {
  std::vector<std::string> notes;
  if (std::string note = left_alone(subject.resolved.model()); !note.empty())
    notes.push_back(std::move(note));
  ModelChanges out{.network = TRY(subject.loader.load(subject.resolved)),
                   .notes = std::move(notes)};
  out.scheduled_ns = scheduled(subject, measured.run, out.network);
  out.edits = TRY(find_edits(subject.resolved, out.network, subject.loader, out.notes));
  TRY(make_int8(subject, measured.run, out));
  return out;
}

}  // namespace ridge::advice
