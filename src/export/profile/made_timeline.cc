// SPDX-License-Identifier: Apache-2.0
#include "export/profile/made_timeline.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "export/profile/table.h"
#include "profile/member_text.h"
#include "profile/summary.h"

namespace ridge::exports {
namespace {

using profile::Layer;
using profile::Level;
using profile::Profile;
using profile::SpanId;
using profile::Timeline;

/// Kind of the times in this timeline.
std::string_view made_time(const Profile& p) {
  return profile::is_corrected(p)  ? kMadeTime
         : profile::is_imported(p) ? "median, as recorded"
                                   : "median, as reported";
}

void add_layer(Timeline& t, const Profile& p, const Layer& layer, SpanId run, double start) {
  const SpanId parent = t.add({.parent = run,
                               .level = Level::kLayer,
                               .name = t.intern(member_names(p, layer)),
                               .start_ns = whole_ns(start),
                               .end_ns = whole_ns(start + std::max(0.0, layer.corrected_ns))});
  t.attribute("time", made_time(p));
  t.attribute("layer", std::to_string(layer.index));
  if (!layer.members.empty()) t.attribute("nodes", profile::node_list(layer));
  t.attribute("type", layer.type);
  if (!layer.bound.kind.empty()) t.attribute("bound", layer.bound.kind);
  if (layer.work.macs) t.attribute("macs", std::to_string(*layer.work.macs));
  double reported = 0;
  for (const profile::Kernel& k : layer.kernels) reported += k.time_ns.value;
  double at = start;
  for (const profile::Kernel& k : layer.kernels) {
    const double ns = reported > 0 ? k.time_ns.value / reported * layer.corrected_ns : 0;
    t.add({.parent = parent,
           .level = Level::kKernel,
           .name = t.intern(k.name),
           .start_ns = whole_ns(at),
           .end_ns = whole_ns(at + ns)});
    t.attribute("time", made_time(p));
    t.attribute("type", k.type);
    if (!std::isnan(k.time_ns.value))
      t.attribute("reported_ns", std::to_string(whole_ns(k.time_ns.value)));
    at += ns;
  }
}

}  // namespace

std::int64_t whole_ns(double ns) {
  constexpr double kMax = 9e18;
  return ns > 0 ? std::llround(std::min(ns, kMax)) : 0;
}

std::vector<const Layer*> in_order(const Profile& p) {
  std::vector<const Layer*> order;
  for (const Layer& layer : p.layers) order.push_back(&layer);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto* a, const auto* b) { return a->order < b->order; });
  return order;
}

Timeline made_timeline(const Profile& p) {
  Timeline t;
  if (p.layers.empty()) return t;
  const SpanId run = t.add({.level = Level::kModel, .name = t.intern(p.subject.path)});
  t.attribute("time", made_time(p));
  double at = 0;
  for (const Layer* layer : in_order(p)) {
    add_layer(t, p, *layer, run, at);
    at += std::max(0.0, layer->corrected_ns);
  }
  t.spans()[run].end_ns = whole_ns(at);
  return t;
}

}  // namespace ridge::exports
