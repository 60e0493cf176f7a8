// SPDX-License-Identifier: Apache-2.0
#include "export/formats/model_explorer.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/json_writer.h"
#include "export/formats/profiled_model.h"
#include "profile/node_layers.h"

namespace ridge::exports {
namespace {

using profile::Profile;

std::optional<double> value_of(const profile::Node& node, const profile::NodeLayer& at,
                               NodeMetric metric) {
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

/// Ids of the main graph's nodes in Model Explorer (their names), and the number of nodes per id.
/// Its ONNX adapter names a node without a name by its position.
class NodeIds {
 public:
  explicit NodeIds(const graph::Model& model) : model_(model) {
    for (graph::NodeId id = 0; id < model.main().last; ++id) ++bearers_[of(id)];
  }
  std::string of(graph::NodeId id) const {
    const std::string_view name = model_.node(id).name;
    return name.empty() ? fmt::format("<node_{}>", id) : std::string(name);
  }
  bool one(const std::string& id) const { return bearers(id) == 1; }
  bool taken(const std::string& id) const { return bearers(id) > 0; }

 private:
  std::size_t bearers(const std::string& id) const {
    const auto at = bearers_.find(id);
    return at == bearers_.end() ? 0 : at->second;
  }
  const graph::Model& model_;
  std::unordered_map<std::string, std::size_t> bearers_;
};

/// Keys of a node: its id, and the name of its first output, for adapters with other node ids that
/// keep the names of tensors. A name that several nodes share, or an output named like a node, is
/// no key.
std::vector<std::string> keys_of(const graph::Model& model, const NodeIds& ids, graph::NodeId id) {
  std::vector<std::string> keys;
  if (std::string own = ids.of(id); ids.one(own)) keys.push_back(std::move(own));
  for (const graph::ValueId v : model.outputs(id)) {
    if (v == graph::kNone || model.value(v).name.empty()) continue;
    if (std::string tensor(model.value(v).name); !ids.taken(tensor)) keys.push_back(tensor);
    break;
  }
  return keys;
}

void write_gradient(JsonWriter& json, NodeMetric metric) {
  // Layers far from the roof need attention, so the color scale is reversed for the roof share.
  const bool high_is_good = metric == NodeMetric::kRoofShare;
  const std::array<std::string_view, 3> colors = {"#ffffff", "#f9c74f", "#d62828"};
  json.line().key("gradient").begin_array();
  for (std::size_t i = 0; i < colors.size(); ++i) {
    json.begin_object().key("stop").value(static_cast<double>(i) / 2).key("bgColor");
    json.value(colors[high_is_good ? colors.size() - 1 - i : i]).end_object();
  }
  json.end_array();
  if (high_is_good) json.line().key("hideAggregatedStats").begin_array().value("sum").end_array();
}

}  // namespace

void write_node_data(const Profile& p, const graph::Model& model, NodeMetric metric, Sink& sink) {
  const std::vector<profile::NodeLayer> layers = profile::layers_of_nodes(p);
  const NodeIds ids(model);
  {
    JsonWriter json(sink);
    json.begin_object().name(model.document().model.graph.name).begin_object();
    json.key("results").begin_object();
    for (std::size_t i = 0; i < p.nodes.size(); ++i) {
      const graph::NodeId id = p.nodes[i].index;
      if (id >= model.main().last) continue;
      const auto value = value_of(p.nodes[i], layers[i], metric);
      if (!value) continue;
      for (const std::string& key : keys_of(model, ids, id))
        json.line().name(key).begin_object().key("value").value(*value).end_object();
    }
    json.end_object();
    write_gradient(json, metric);
    json.end_object().end_object();
  }
  sink.write("\n");
}

}  // namespace ridge::exports
