// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/explain_target.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/number.h"
#include "base/text.h"
#include "compare/group_name.h"
#include "export/profile/layer_text.h"
#include "graph/node_search.h"

namespace ridge::cli {
namespace {

using graph::Found;
using graph::SearchName;
using profile::Layer;
using profile::Profile;

constexpr std::string_view kLayer = "layer:";
constexpr std::size_t kShown = 8;

Error no_match(std::string_view where, std::string_view kind, const std::string& text,
               const std::vector<std::string>& near, std::string_view list) {
  std::vector<std::string> quoted;
  for (const std::string& name : near) quoted.push_back("'" + name + "'");
  return usage_error("RIDGE-CLI-0201", fmt::format("the {} has no {} '{}'", where, kind, text))
      .hint(near.empty() ? std::string(list)
                         : fmt::format("did you mean {}?", fmt::join(quoted, ", ")));
}

/// Error for several matches; its hint lists them: "#3 '/conv1/Conv', #4 '/conv1/Relu', …".
Error ambiguous(const Found& found, const std::string& text, std::span<const SearchName> names) {
  std::vector<std::string> shown;
  for (const std::uint32_t number : found.numbers) {
    if (shown.size() == kShown) break;
    const auto of = std::ranges::find(names, number, &SearchName::number);
    shown.push_back(fmt::format("#{} '{}'", number, shorten(of->name, 80)));
  }
  const std::string how = found.by == Found::By::kName
                              ? fmt::format("are named '{}'", text)
                              : fmt::format("have '{}' in their names", text);
  return usage_error("RIDGE-CLI-0202", fmt::format("{} nodes {}", found.numbers.size(), how))
      .hint(fmt::format("give the index of one: {}{}", fmt::join(shown, ", "),
                        found.numbers.size() > kShown ? ", …" : ""));
}

std::optional<std::uint32_t> number_in(std::string_view text, char mark) {
  if (text.starts_with(mark)) text.remove_prefix(1);
  return whole_number<std::uint32_t>(text);
}

/// Name of a layer in tables, made from its nodes.
std::string row_name(const Profile& run, const Layer& layer) {
  std::vector<const profile::Node*> nodes;
  for (const profile::Member& m : layer.members)
    if (m.node < run.nodes.size()) nodes.push_back(&run.nodes[m.node]);
  return nodes.empty() ? layer.name : compare::group_label(nodes);
}

Result<Target> find_layer(const std::string& text, const Profile& run) {
  std::string_view digits = text;
  if (digits.starts_with(kLayer)) digits.remove_prefix(kLayer.size());
  const auto index = whole_number<std::uint32_t>(digits);
  const auto at = index ? std::ranges::find(run.layers, *index, &Layer::index) : run.layers.end();
  if (at != run.layers.end())
    return Target{{}, {static_cast<std::uint32_t>(at - run.layers.begin())}};
  return usage_error("RIDGE-CLI-0204", fmt::format("the run has no layer '{}'", digits))
      .hint(run.layers.empty()
                ? "the run contains no layers"
                : fmt::format("the layers are {}0 to {}{}", kLayer, kLayer, run.layers.size() - 1));
}

}  // namespace

bool is_layer_name(const std::string& text) {
  return text.starts_with(kLayer) && whole_number<std::uint32_t>(text.substr(kLayer.size()));
}

Result<graph::NodeId> find_node(const std::string& text, const graph::Model& model) {
  std::vector<SearchName> nodes, tensors;
  for (graph::NodeId n = 0; n < model.nodes().size(); ++n) nodes.push_back({n, model.node(n).name});
  for (const graph::Value& v : model.values())
    if (v.producer != graph::kNone) tensors.push_back({v.producer, v.name});
  Found found = search_whole(text, nodes);
  if (found.numbers.empty()) found = search_whole(text, tensors);
  if (const auto index = number_in(text, '#'); found.numbers.empty() && index)
    if (*index < nodes.size()) return *index;
  if (found.numbers.empty()) found = search(text, nodes);
  if (found.numbers.size() == 1) return found.numbers[0];
  if (found.numbers.size() > 1) return ambiguous(found, text, nodes);
  return no_match("model", "node", text, near(text, nodes),
                  "ridge analyze MODEL --by node lists nodes with their index");
}

Result<Target> find_in_run(const std::string& text, const Profile& run) {
  const bool bare = whole_number<std::uint32_t>(text).has_value();
  if (is_layer_name(text) || bare) return find_layer(text, run);
  std::vector<SearchName> nodes, layers;
  std::vector<std::string> rows;
  for (const profile::Node& n : run.nodes) nodes.push_back({n.index, n.name});
  for (const Layer& layer : run.layers) rows.push_back(row_name(run, layer));
  for (std::uint32_t l = 0; l < run.layers.size(); ++l) {
    layers.push_back({l, run.layers[l].name});
    layers.push_back({l, rows[l]});
  }
  const auto node = [&](std::uint32_t n) { return Target{n, exports::layers_of(run, n)}; };
  if (const auto index = number_in(text, '#'); index && *index < nodes.size()) return node(*index);
  Found found = search_whole(text, nodes);
  if (found.numbers.size() == 1) return node(found.numbers[0]);
  if (const Found whole = search_whole(text, layers); !whole.numbers.empty())
    return Target{{}, whole.numbers};
  if (found.numbers.empty()) found = search(text, nodes);
  if (found.numbers.size() == 1) return node(found.numbers[0]);
  if (found.numbers.size() > 1) return ambiguous(found, text, nodes);
  if (const Found part = search(text, layers); part.numbers.size() == 1)
    return Target{{}, part.numbers};
  nodes.insert(nodes.end(), layers.begin(), layers.end());
  return no_match("run", "layer or node", text, near(text, nodes),
                  "name a layer as in tables (layer:0), or a node by name or index (#0)");
}

}  // namespace ridge::cli
