#include "export/model_explorer.h"

#include <array>
#include <optional>

#include "base/json_writer.h"
#include "export/model_notes.h"

namespace ridge::exports {
namespace {

using profile::Profile;

std::optional<double> value_of(const profile::Node& node, const NodeLayer& at, NodeMetric metric) {
  switch (metric) {
    case NodeMetric::kTime:
      return at.leads ? std::optional(at.layer->corrected_ns) : std::nullopt;
    case NodeMetric::kMacs:
      return node.work.macs ? std::optional(static_cast<double>(*node.work.macs)) : std::nullopt;
    case NodeMetric::kRoofShare:
      return at.layer != nullptr && at.member->role == profile::Role::kExecutes
                 ? at.layer->bound.roof_share
                 : std::nullopt;
  }
  return std::nullopt;
}

/// The name of the node's first output that has one.
std::string_view key_of(const graph::Model& model, graph::NodeId id) {
  for (const graph::ValueId v : model.outputs(id))
    if (v != graph::kNone && !model.value(v).name.empty()) return model.value(v).name;
  return {};
}

void write_gradient(JsonWriter& json, NodeMetric metric) {
  // Far from the roof is what calls for a look, so there the colours run the other way.
  const bool high_is_good = metric == NodeMetric::kRoofShare;
  const std::array<std::string_view, 3> colours = {"#ffffff", "#f9c74f", "#d62828"};
  json.line().key("gradient").begin_array();
  for (std::size_t i = 0; i < colours.size(); ++i) {
    json.begin_object().key("stop").value(static_cast<double>(i) / 2).key("bgColor");
    json.value(colours[high_is_good ? colours.size() - 1 - i : i]).end_object();
  }
  json.end_array();
  if (high_is_good) json.line().key("hideAggregatedStats").begin_array().value("sum").end_array();
}

}  // namespace

void write_node_data(const Profile& p, const graph::Model& model, NodeMetric metric, Sink& sink) {
  const std::vector<NodeLayer> layers = layers_of_nodes(p);
  {
    JsonWriter json(sink);
    json.begin_object().name(model.document().model.graph.name).begin_object();
    json.key("results").begin_object();
    for (std::size_t i = 0; i < p.nodes.size(); ++i) {
      const graph::NodeId id = p.nodes[i].index;
      if (id >= model.main().last) continue;
      const std::string_view key = key_of(model, id);
      const auto value = value_of(p.nodes[i], layers[i], metric);
      if (key.empty() || !value) continue;
      json.line().name(key).begin_object().key("value").value(*value).end_object();
    }
    json.end_object();
    write_gradient(json, metric);
    json.end_object().end_object();
  }
  sink.write("\n");
}

}  // namespace ridge::exports
