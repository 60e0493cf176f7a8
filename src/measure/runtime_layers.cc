// SPDX-License-Identifier: Apache-2.0
#include "measure/runtime_layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "attribution/listed.h"
#include "profile/precision.h"
#include "runtime/abi.h"

namespace ridge::measure {
std::string layout_word(std::string_view layout) {
  const std::size_t rank = std::min(layout.find_first_not_of("abcdefgh"), layout.size());
  if (rank == layout.size()) {
    if (std::ranges::is_sorted(layout)) return "plain";
    // The channel is the second dimension, b.
    const bool last = layout.size() > 2 && layout.front() == 'a' && layout.back() == 'b';
    return last ? "channels_last" : std::string(layout);
  }
  const std::size_t digit = layout.find_first_of("0123456789");
  if (layout.find('B') == std::string_view::npos || digit == std::string_view::npos)
    return std::string(layout);
  const std::size_t end = std::min(layout.find_first_not_of("0123456789", digit), layout.size());
  return fmt::format("blocked:{}", layout.substr(digit, end - digit));
}

Result<attribution::OptimizedGraph> optimized_of(const runtime::RuntimeGraph& graph,
                                                 const runtime::RuntimeInfo& info) {
  if ((info.capabilities & RIDGE_HAS_LAYERS) == 0) return attribution::read_optimized(graph.model);
  std::vector<attribution::ListedLayer> layers;
  for (const runtime::RuntimeLayer& l : graph.layers)
    layers.push_back({l.name,
                      l.type,
                      {l.originals, profile::precision_word(l.precision), layout_word(l.layout)},
                      l.inputs,
                      l.outputs});
  std::vector<attribution::ListedTensor> tensors;
  for (const runtime::TensorType& t : graph.tensors) tensors.push_back({t.name, t.type, t.dims});
  std::vector<std::string> inputs;
  for (const runtime::TensorType& t : graph.inputs) inputs.push_back(t.name);
  return attribution::make_listed(layers, tensors, inputs);
}

std::vector<bool> timed(const Collected& collected, const std::vector<graph::NodeId>& kernels,
                        const attribution::OptimizedGraph& graph) {
  std::vector<bool> out(graph.model->nodes().size(), false);
  for (const ProcessRuns& process : collected.processes)
    for (const Run& run : process.profiled)
      for (const Event& e : run.events)
        if (e.duration_ns > 0 && kernels[e.kernel] != graph::kNone) out[kernels[e.kernel]] = true;
  return out;
}

}  // namespace ridge::measure
