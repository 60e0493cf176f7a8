// SPDX-License-Identifier: Apache-2.0
// Small profiles for tests of comparisons.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compare/run.h"

namespace ridge::compare::testing {

struct LayerSketch {
  std::vector<std::uint32_t> nodes;
  std::vector<std::int64_t> runs_ns;
  bool inserted = false;
};

/// Parses nodes "name:operator"; the module is the part of the name before the last '/'.
inline std::vector<profile::Node> nodes_of(const std::vector<std::string>& texts) {
  std::vector<profile::Node> out;
  for (const std::string& text : texts) {
    const std::size_t colon = text.rfind(':'), slash = text.rfind('/');
    profile::Node n;
    n.index = static_cast<std::uint32_t>(out.size());
    n.name = text.substr(0, colon);
    n.op_type = text.substr(colon + 1);
    n.module = slash == std::string::npos ? "" : text.substr(0, slash);
    n.work.macs = n.op_type == "Conv" || n.op_type == "Gemm" ? 100 : 0;
    out.push_back(std::move(n));
  }
  return out;
}

/// Run of one process whose latencies are the sums over the layers.
inline Run run_of(std::string label, const std::vector<std::string>& nodes,
                  const std::vector<LayerSketch>& layers) {
  Run run{.label = std::move(label)};
  run.profile.nodes = nodes_of(nodes);
  std::vector<std::int64_t> sums;
  for (const LayerSketch& sketch : layers) {
    profile::Layer layer;
    for (const std::uint32_t n : sketch.nodes) layer.members.push_back({.node = n});
    layer.runs_ns = sketch.runs_ns;
    layer.inserted = sketch.inserted;
    std::vector<std::int64_t> ascending = sketch.runs_ns;
    std::sort(ascending.begin(), ascending.end());
    if (!ascending.empty())
      layer.corrected_ns = static_cast<double>(ascending[ascending.size() / 2]);
    sums.resize(std::max(sums.size(), sketch.runs_ns.size()));
    for (std::size_t i = 0; i < sketch.runs_ns.size(); ++i) sums[i] += sketch.runs_ns[i];
    run.profile.layers.push_back(std::move(layer));
  }
  run.profile.latency.processes.push_back({.samples_ns = sums});
  std::sort(sums.begin(), sums.end());
  if (!sums.empty())
    run.profile.latency.ns.value =
        0.5 * static_cast<double>(sums[(sums.size() - 1) / 2] + sums[sums.size() / 2]);
  return run;
}

}  // namespace ridge::compare::testing
