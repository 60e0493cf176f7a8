// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/advice/sections.h"
#include "report/profile/sections.h"

namespace ridge::report {
namespace {

constexpr std::size_t kMaxParts = 40;           ///< nodes, and kernels, of one layer
constexpr std::size_t kLongestLayerName = 200;  ///< characters

void cut(std::string& name) {
  if (name.size() > kLongestLayerName) name = shorten_middle(printable(name), kLongestLayerName);
}

/// Cuts the list and returns how many it lost.
template <class T>
std::size_t cut(std::vector<T>& parts) {
  const std::size_t size = parts.size();
  parts.resize(std::min(size, kMaxParts));
  return size - parts.size();
}

/// Sentences about what the table lacks; "" if nothing.
std::string left_out(std::size_t layers, std::size_t parts) {
  std::string out;
  if (layers > 0)
    out +=
        fmt::format("Layers of findings and those with most time above their bound; {} left out.",
                    counted(static_cast<std::int64_t>(layers), "layer"));
  if (parts > 0)
    out += fmt::format(" Nodes and kernels left out, where a layer has more than {} of either: {}.",
                       kMaxParts, parts);
  return out.empty() ? "" : "<p class=\"sub\">" + out + "</p>\n";
}

}  // namespace

std::string advice_layers_section(const AdviceView& view) {
  profile::Profile shown;  // only what the table needs
  shown.subject = view.run.subject;
  shown.nodes.resize(view.run.nodes.size());
  std::size_t parts = 0;
  for (const std::size_t l : view.listed) {
    profile::Layer layer = view.run.layers[l];
    parts += cut(layer.members) + cut(layer.kernels);
    for (std::string* name : {&layer.type, &layer.implementation, &layer.module}) cut(*name);
    for (profile::Kernel& kernel : layer.kernels) cut(kernel.name);
    for (const profile::Member& m : layer.members) {
      if (m.node >= shown.nodes.size()) continue;
      shown.nodes[m.node] = view.run.nodes[m.node];
      cut(shown.nodes[m.node].name);
    }
    shown.layers.push_back(std::move(layer));
  }
  return layer_section(shown) + left_out(view.run.layers.size() - view.listed.size(), parts);
}

}  // namespace ridge::report
