// SPDX-License-Identifier: Apache-2.0
#include "report/advice/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/text.h"
#include "report/kit/layer_id.h"
#include "report/profile/sections.h"

namespace ridge::report {
namespace {

using advice::Finding;

constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kViewNameLength = 80;

double order_of(const Finding& f) {
  const std::optional<KnownGain> gain = known_gain(f.gain_ns, f.check);
  return gain ? gain->ns.value : -std::numeric_limits<double>::infinity();
}

}  // namespace

std::optional<KnownGain> known_gain(const std::optional<stats::Estimate>& predicted,
                                    const std::optional<advice::Check>& check) {
  if (check && std::isfinite(check->gain_ns.value)) return KnownGain{check->gain_ns, true};
  if (predicted && std::isfinite(predicted->value)) return KnownGain{*predicted, false};
  return std::nullopt;
}

double above_bound_ns(const profile::Layer& layer) {
  if (layer.inserted) return layer.corrected_ns;
  if (!layer.bound.time_ns) return 0;
  return std::max(0.0, layer.corrected_ns - *layer.bound.time_ns);
}

std::string short_name(std::string_view name) {
  return shorten_middle(printable(name), kViewNameLength);
}

AdviceView::AdviceView(const advice::Advice& a, const profile::Profile& p, const roofline::Roofs& r)
    : advice(a), run(p), roofs(r) {
  for (const Finding& f : advice.findings) findings.push_back(&f);
  std::ranges::stable_sort(findings, std::ranges::greater{},
                           [](const Finding* f) { return order_of(*f); });
  findings.resize(std::min(findings.size(), kMaxFindings));
  list_layers();
  layer_of_.assign(run.nodes.size(), kNowhere);
  for (const std::size_t l : listed)
    for (const profile::Member& m : run.layers[l].members)
      if (m.node < layer_of_.size() &&
          (layer_of_[m.node] == kNowhere || m.role == profile::Role::kExecutes))
        layer_of_[m.node] = l;
}

void AdviceView::list_layers() {
  std::vector<graph::NodeId> nodes;
  for (const Finding* f : findings) nodes.insert(nodes.end(), f->nodes.begin(), f->nodes.end());
  std::vector<bool> found(run.layers.size());
  for (const std::size_t l : layers_with(nodes)) found[l] = true;
  std::vector<std::size_t> order(run.layers.size());
  for (std::size_t l = 0; l < order.size(); ++l) order[l] = l;
  const auto above = [&](std::size_t l) { return above_bound_ns(run.layers[l]); };
  std::ranges::stable_sort(order, std::ranges::greater{}, above);
  // Half of the table is for findings, the rest for the layers furthest above their bounds.
  const std::size_t half = kMaxLayers / 2;
  std::set<std::size_t> chosen;
  for (const std::size_t l : order)
    if (found[l] && chosen.size() < half) chosen.insert(l);
  for (const std::size_t l : order)
    if (chosen.size() < kMaxLayers) chosen.insert(l);
  listed.assign(chosen.begin(), chosen.end());
}

std::vector<std::size_t> AdviceView::layers_with(const std::vector<graph::NodeId>& nodes) const {
  std::vector<bool> wanted(run.nodes.size());
  for (const graph::NodeId n : nodes)
    if (n < wanted.size()) wanted[n] = true;
  std::vector<std::size_t> out;
  for (std::size_t l = 0; l < run.layers.size(); ++l)
    if (std::ranges::any_of(run.layers[l].members, [&](const profile::Member& m) {
          return m.node < wanted.size() && wanted[m.node];
        }))
      out.push_back(l);
  return out;
}

std::string AdviceView::node_links(const std::vector<graph::NodeId>& nodes) const {
  std::string out;
  for (std::size_t i = 0; i < std::min(nodes.size(), kMaxNodes); ++i) {
    const graph::NodeId n = nodes[i];
    std::string name = fmt::format("#{}", n);
    if (n < run.nodes.size() && !run.nodes[n].name.empty())
      name += " " + short_name(run.nodes[n].name);
    if (i > 0) out += ", ";
    const std::size_t layer = n < layer_of_.size() ? layer_of_[n] : kNowhere;
    out += layer == kNowhere ? html_escape(name)
                             : fmt::format("<a href=\"#{}\">{}</a>", layer_id(run.layers[layer]),
                                           html_escape(name));
  }
  if (nodes.size() > kMaxNodes) out += fmt::format(" and {} more", nodes.size() - kMaxNodes);
  return out;
}

}  // namespace ridge::report
