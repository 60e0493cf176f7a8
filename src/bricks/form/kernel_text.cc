// SPDX-License-Identifier: Apache-2.0
#include "bricks/form/kernel_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace ridge::bricks {

std::string operator_text(const graph::Node& kernel) {
  const std::string_view dot = kernel.domain.empty() ? "" : ".";
  return fmt::format("{}{}{}", kernel.domain, dot, kernel.op_type);
}

std::string details_text(const attribution::OptimizedGraph& graph, graph::NodeId k) {
  std::string out;
  if (const onnx::Attribute* a = graph::attribute(graph.kernel(k), "activation"); a != nullptr)
    out += fmt::format(", {}", a->s);
  if (!graph.listed.empty())
    out += fmt::format(", {} {}", graph.listed[k].precision, graph.listed[k].layout);
  return out;
}

std::string kernels_text(const Network& network, std::uint32_t layer) {
  std::vector<std::string> texts;
  for (const graph::NodeId k : network.layers[layer].kernels)
    texts.push_back(operator_text(network.optimized.kernel(k)) +
                    details_text(network.optimized, k));
  std::ranges::sort(texts);
  return fmt::format("{}", fmt::join(texts, "; "));
}

}  // namespace ridge::bricks
