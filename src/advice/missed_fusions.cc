// SPDX-License-Identifier: Apache-2.0
#include "advice/missed_fusions.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "advice/observations.h"
#include "advice/record/share.h"
#include "base/text.h"

namespace ridge::advice {
namespace {

using graph::NodeId;
using graph::ValueId;

/// Operators of a producer and of the node that reads it first.
using Pair = std::pair<std::string_view, std::string_view>;

/// The node that computes the first input; kNone if none does.
NodeId source_of(const graph::Model& model, NodeId n) {
  const std::span<const ValueId> inputs = model.inputs(n);
  return inputs.empty() || inputs[0] == graph::kNone ? graph::kNone
                                                     : model.value(inputs[0]).producer;
}

/// A node that reads a value besides `n`; kNone if there is none.
NodeId second_reader(const graph::Model& model, ValueId value, NodeId n) {
  for (const NodeId reader : model.consumers(value))
    if (reader != n) return reader;
  return graph::kNone;
}

class Search {
 public:
  Search(const graph::Model& model, const profile::Profile& run)
      : model_(model),
        run_(run),
        outputs_(model.main().outputs.begin(), model.main().outputs.end()) {
    for (const profile::Layer& layer : run.layers) {
      std::set<NodeId> executed;
      for (const profile::Member& m : layer.members)
        if (m.role == profile::Role::kExecutes) executed.insert(m.node);
      for (const NodeId n : executed)
        if (const NodeId source = source_of(model, n); executed.contains(source))
          fused_.insert(pair(source, n));
    }
  }

  /// Adds the layers of one node that is not fused. Layers of several nodes did fuse something.
  void run() {
    for (const profile::Layer& layer : run_.layers) {
      if (layer.inserted || layer.members.size() != 1) continue;
      const NodeId n = layer.members[0].node, source = source_of(model_, n);
      if (layer.members[0].role != profile::Role::kExecutes || source == graph::kNone) continue;
      const ValueId between = model_.inputs(n)[0];
      const NodeId other = second_reader(model_, between, n);
      if (!fused_.contains(pair(source, n)) || other == graph::kNone || outputs_.contains(between))
        continue;
      nodes.insert(n);
      time_ns += layer.corrected_ns;
      ++places[fmt::format("{} behind {}, which {} reads too", op(n), op(source), op(other))];
    }
  }

  std::set<NodeId> nodes;
  double time_ns = 0;
  std::map<std::string, int> places;

 private:
  std::string_view op(NodeId n) const { return model_.kind(n).op_type; }
  Pair pair(NodeId source, NodeId n) const { return {op(source), op(n)}; }

  const graph::Model& model_;
  const profile::Profile& run_;
  std::set<ValueId> outputs_;
  std::set<Pair> fused_;
};

}  // namespace

std::optional<Finding> missed_fusions(const graph::Model& model, const profile::Profile& run,
                                      const std::string& name) {
  Search search(model, run);
  search.run();
  const double latency = run.latency.ns.value;
  if (search.nodes.empty() || search.time_ns < kMinOverhead * latency) return std::nullopt;
  std::string places;
  for (const auto& [what, count] : search.places)
    places += fmt::format("{}{} ({})", places.empty() ? "" : "; ", what, counted(count, "place"));
  return Finding{
      .id = "second_readers",
      .question = "Q5",
      .kind = "unfused_pattern",
      .nodes = {search.nodes.begin(), search.nodes.end()},
      .evidence =
          fmt::format("a second reader keeps {} from the kernel that computes its input, as "
                      "elsewhere in this run: {}; {} ({})",
                      counted(std::ssize(search.nodes), "node"), places, duration(search.time_ns),
                      share_text(search.time_ns, run)),
      .gain_ns = {},
      .no_price =
          fmt::format("at most {}, if all were fused", duration(max_gain(search.time_ns, run))),
      .lossless = true,
      .how =
          "let both read the same result, or the second one a tensor before the operator, if "
          "the network allows it",
      .command = "ridge profile " + name,
      .confidence = {},
      .check = {}};
}

}  // namespace ridge::advice
