// SPDX-License-Identifier: Apache-2.0
#include "bricks/kernels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"
#include "bricks/brick_model.h"
#include "bricks/form/kernel_text.h"

namespace ridge::bricks {
namespace {

KernelKind kernel_kind_of(const attribution::OptimizedGraph& graph, graph::NodeId k) {
  const graph::Node kernel = graph.kernel(k);
  const auto given =
      std::ranges::count_if(kernel.inputs, [](graph::ValueId v) { return v != graph::kNone; });
  // Bricks of opset 7 and 8 are raised to 9, in which Upsample has its scales as an input.
  const std::string inputs =
      kernel.op_type == "Upsample" ? "" : fmt::format(" of {}", counted(given, "input"));
  return {.op_type = std::string(kernel.op_type),
          .text = operator_text(kernel) + inputs + details_text(graph, k)};
}

/// In execution order.
template <typename Wanted>
std::vector<KernelKind> kinds_of(const Network& network, const Wanted& wanted) {
  std::vector<KernelKind> out;
  for (const graph::NodeId k : network.optimized.order)
    if (wanted(k)) out.push_back(kernel_kind_of(network.optimized, k));
  return out;
}

std::vector<std::string> sorted_texts(const std::vector<KernelKind>& kernels) {
  std::vector<std::string> out;
  for (const KernelKind& k : kernels) out.push_back(k.text);
  std::ranges::sort(out);
  return out;
}

}  // namespace

std::vector<KernelKind> all_kernels(const Network& network) {
  return kinds_of(network, [](graph::NodeId) { return true; });
}

std::vector<KernelKind> kernels_inside(const Network& network, const Piece& piece) {
  return kinds_of(network,
                  [&](graph::NodeId k) { return std::ranges::binary_search(piece.kernels, k); });
}

std::vector<graph::NodeId> core_kernels(const Network& brick) {
  std::vector<graph::NodeId> out;
  const graph::Model& model = brick.resolved.model();
  for (const FusedLayer& layer : brick.layers)
    if (std::ranges::any_of(layer.nodes,
                            [&](graph::NodeId n) { return is_core_name(model.node(n).name); }))
      out.insert(out.end(), layer.kernels.begin(), layer.kernels.end());
  std::ranges::sort(out);
  return out;
}

std::vector<KernelKind> kernels_alone(const Network& brick) {
  Piece core;
  core.kernels = core_kernels(brick);
  return kernels_inside(brick, core);
}

std::string kernel_difference(const std::vector<KernelKind>& inside,
                              const std::vector<KernelKind>& alone) {
  const std::vector<std::string> wanted = sorted_texts(inside), got = sorted_texts(alone);
  std::vector<std::string> missing, added;
  std::ranges::set_difference(wanted, got, std::back_inserter(missing));
  std::ranges::set_difference(got, wanted, std::back_inserter(added));
  if (missing.empty() && added.empty()) return {};
  std::string out;
  if (!missing.empty()) out = fmt::format("alone it lacks {}", fmt::join(missing, "; "));
  if (!added.empty())
    out += fmt::format("{}it runs {} in addition", out.empty() ? "alone " : ", ",
                       fmt::join(added, "; "));
  return out;
}

}  // namespace ridge::bricks
