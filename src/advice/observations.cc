// SPDX-License-Identifier: Apache-2.0
#include "advice/observations.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "advice/record/share.h"
#include "base/text.h"
#include "roofline/bound.h"

namespace ridge::advice {
namespace {

using profile::Layer;
using profile::Profile;

/// Part of the time above the bounds that the named layers have.
constexpr double kNamedShare = 0.5;

std::vector<graph::NodeId> nodes_of_layers(const std::vector<const Layer*>& layers) {
  std::set<graph::NodeId> nodes;
  for (const Layer* layer : layers)
    for (const profile::Member& m : layer->members)
      if (m.role == profile::Role::kExecutes) nodes.insert(m.node);
  return {nodes.begin(), nodes.end()};
}

double time_of(const std::vector<const Layer*>& layers) {
  return std::accumulate(layers.begin(), layers.end(), 0.0,
                         [](double sum, const Layer* l) { return sum + l->corrected_ns; });
}

/// `gain_ns`: what it could gain at most.
Finding overhead(const std::string& id, const std::vector<const Layer*>& layers, double gain_ns,
                 std::string evidence, std::string how, const std::string& model) {
  return {.id = id,
          .question = "Q4",
          .kind = "overhead",
          .nodes = nodes_of_layers(layers),
          .evidence = std::move(evidence),
          .gain_ns = {},
          .no_price = fmt::format("at most {}, if none of it were needed", duration(gain_ns)),
          .lossless = true,
          .how = std::move(how),
          .command = "ridge profile " + model,
          .confidence = {},
          .check = {}};
}

double above_bound(const Layer& layer) { return layer.corrected_ns - *layer.bound.time_ns; }

/// The layers that together have kNamedShare of the time above the bounds.
void add_distance(const Profile& run, const Observed& observed, std::vector<Finding>& out) {
  std::vector<const Layer*> above;
  double all_ns = 0, bound_ns = 0;
  for (const Layer& layer : run.layers) {
    if (layer.inserted || !layer.bound.time_ns || above_bound(layer) <= 0) continue;
    above.push_back(&layer);
    all_ns += above_bound(layer);
  }
  if (all_ns < kMinDistance * run.latency.ns.value) return;
  std::ranges::sort(above, [](const Layer* a, const Layer* b) {
    return std::pair(-above_bound(*a), a->index) < std::pair(-above_bound(*b), b->index);
  });
  double named_ns = 0;
  std::size_t named = 0;
  while (named_ns < kNamedShare * all_ns) {
    named_ns += above_bound(*above[named]);
    bound_ns += *above[named]->bound.time_ns;
    ++named;
  }
  above.resize(named);
  const double time_ns = time_of(above);
  out.push_back(
      {.id = "distance",
       .question = "Q1",
       .kind = "distance",
       .nodes = nodes_of_layers(above),
       .evidence = fmt::format(
           "layers take {} more than the roofs require ({}), half of it in {} of "
           "{}, which take {} at {:.0f} % of their roofs",
           duration(all_ns), share_text(all_ns, run), named,
           counted(std::ssize(run.layers), "layer"), duration(time_ns), 100 * bound_ns / time_ns),
       .gain_ns = {},
       .no_price = "a bound shows what is left, not that a kernel exists that takes it",
       .lossless = true,
       .how = "compare other runtimes (--runtimes ort,openvino); each layer's roof is in the "
              "roofline",
       .command = "ridge roofline " + observed.model,
       .confidence = {},
       .check = {}});
}

bool is_shape_arithmetic(const Layer& layer) {
  return layer.precision == "int64" && layer.work.macs.value_or(0) == 0;
}

void add_weights(const Profile& run, const Observed& observed, std::vector<Finding>& out) {
  const std::int64_t streamed = roofline::run_stream(run.layers);
  if (observed.cache_bytes <= 0 || streamed <= observed.cache_bytes) return;
  std::vector<const Layer*> waiting;
  for (const Layer& layer : run.layers)
    if (layer.bound.kind == "memory:memory" && layer.least.streamed.value_or(0) > 0)
      waiting.push_back(&layer);
  const double time_ns = time_of(waiting);
  if (time_ns < kMinOverhead * run.latency.ns.value) return;
  out.push_back({.id = "weights_reread",
                 .question = "",
                 .kind = "weights_reread",
                 .nodes = nodes_of_layers(waiting),
                 .evidence = fmt::format(
                     "a run reads {} of weights and inputs, the caches hold {}: every run reads at "
                     "least {} from memory; layers that memory limits take {} ({})",
                     si(static_cast<double>(streamed)) + "B",
                     si(static_cast<double>(observed.cache_bytes)) + "B",
                     si(static_cast<double>(streamed - observed.cache_bytes)) + "B",
                     duration(time_ns), share_text(time_ns, run)),
                 .gain_ns = {},
                 .no_price = "layers at another batch size were not measured",
                 .lossless = true,
                 .how = "read them once for several items (a larger batch), or in a narrower type",
                 .command = "ridge profile " + observed.model + " --bind batch=1,8",
                 .confidence = {},
                 .check = {}});
}

}  // namespace

std::vector<Finding> observations(const Profile& run, const Observed& observed) {
  std::vector<Finding> out;
  const double latency = run.latency.ns.value, least = kMinOverhead * latency;
  add_distance(run, observed, out);
  std::vector<const Layer*> inserted, shapes;
  for (const Layer& layer : run.layers) {
    if (layer.inserted) inserted.push_back(&layer);
    if (!layer.inserted && is_shape_arithmetic(layer)) shapes.push_back(&layer);
  }
  if (const double ns = time_of(inserted); ns >= least)
    out.push_back(overhead(
        "inserted", inserted, max_gain(ns, run),
        fmt::format("{} that the runtime inserted (reorders, casts, copies) "
                    "take {} ({})",
                    counted(std::ssize(inserted), "kernel"), duration(ns), share_text(ns, run)),
        "keep operators of one layout and one type beside each other", observed.model));
  if (const double ns = time_of(shapes); ns >= least)
    out.push_back(overhead(
        "shape_arithmetic", shapes, max_gain(ns, run),
        fmt::format("{} compute shapes and indices in {} ({})",
                    counted(std::ssize(shapes), "layer"), duration(ns), share_text(ns, run)),
        "fix the sizes of the inputs when the model is exported", observed.model));
  if (const double ns = run.profiling.gaps_ns; ns >= least)
    out.push_back(overhead("outside_layers", {}, max_gain(ns, run),
                           fmt::format("{} ({}) pass between layers: scheduling, "
                                       "input and output handling",
                                       duration(ns), share_text(ns, run)),
                           "run fewer and larger layers: a larger batch, or fused operators",
                           observed.model));
  add_weights(run, observed, out);
  return out;
}

}  // namespace ridge::advice
