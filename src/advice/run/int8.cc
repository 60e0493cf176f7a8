// SPDX-License-Identifier: Apache-2.0
#include "advice/run/int8.h"

#include <fmt/format.h>

#include <algorithm>

#include "advice/model_bound.h"
#include "advice/outputs/calibrate.h"
#include "advice/record/share.h"
#include "base/text.h"
#include "machine/int8_dot.h"
#include "rewrite/quantize.h"

namespace ridge::advice {
namespace {

/// Share of the model's multiply-accumulates in these nodes; 0 if it is unknown.
double share_of_macs(const analysis::Resolved& resolved, const std::vector<graph::NodeId>& nodes) {
  const ops::Dim all = resolved.totals().macs;
  if (!all.known() || all.value() <= 0) return 0;
  double macs = 0;
  for (const graph::NodeId n : nodes)
    if (const ops::Dim own = resolved.counts(n).macs; own.known())
      macs += static_cast<double>(own.value());
  return macs / static_cast<double>(all.value());
}

/// Time of the layers that execute these nodes.
double time_of_nodes(const profile::Profile& run, const std::vector<graph::NodeId>& nodes) {
  double ns = 0;
  for (const profile::Layer& layer : run.layers)
    if (std::ranges::any_of(layer.members, [&](const profile::Member& m) {
          return m.role == profile::Role::kExecutes && std::ranges::binary_search(nodes, m.node);
        }))
      ns += layer.corrected_ns;
  return ns;
}

/// True if the model multiplies narrow types already: which of its products do was somebody's
/// choice.
bool is_quantized_model(const analysis::Resolved& resolved) {
  for (graph::NodeId n = 0; n < resolved.model().nodes().size(); ++n)
    if (multiplies_quantized(resolved, n)) return true;
  return false;
}

}  // namespace

std::optional<Finding> int8_finding(const analysis::Resolved& resolved, const profile::Profile& run,
                                    const machine::Host& host, const std::string& model) {
  if (!machine::has_int8_dot(host) || is_quantized_model(resolved) ||
      !rewrite::quantizable(resolved).ok())
    return std::nullopt;
  std::vector<graph::NodeId> nodes = rewrite::quantized_nodes(resolved);
  const double time_ns = time_of_nodes(run, nodes);
  if (time_ns < kMinInt8 * run.latency.ns.value) return std::nullopt;
  std::string evidence = fmt::format(
      "{} {} in float32 ({:.0f} % of the multiply-accumulates, {}), and this processor multiplies "
      "four bytes where it multiplies one float",
      counted(std::ssize(nodes), "node"), nodes.size() == 1 ? "multiplies" : "multiply",
      100 * share_of_macs(resolved, nodes), share_text(time_ns, run));
  return Finding{
      .id = kInt8,
      .question = "Q6",
      .kind = "narrow_type",
      .nodes = std::move(nodes),
      .evidence = std::move(evidence),
      .gain_ns = {},
      .no_price = "no int8 copy was made: --bricks or --check int8 make one",
      .lossless = false,
      .how =
          "quantize it with calibrated scales; its outputs differ, so judge its accuracy on data",
      .command = fmt::format("ridge advise {} --apply int8 --output int8.onnx", model),
      .confidence = {},
      .check = {}};
}

Result<Int8Model> int8_model(const measure::Column& model, bricks::Loader& loader) {
  analysis::Resolved copy = TRY(int8_copy(model));
  bricks::Network network = TRY(loader.load(copy));
  return Int8Model{std::move(copy), std::move(network)};
}

}  // namespace ridge::advice
