// SPDX-License-Identifier: Apache-2.0
#include "accelerator/nests/registry.h"

#include <algorithm>
#include <array>

#include "accelerator/nests/operators.h"

namespace ridge::accelerator {
namespace {

using analysis::Resolved;

constexpr std::array kTables = {
    &kAttentionNests, &kAttentiveNests, &kCausalNests,     &kConvolutionNests, &kEinsumNests,
    &kExpertNests,    &kPackedNests,    &kProductNests,    &kProjectedNests,   &kRecurrentNests,
    &kSmallNests,     &kStateNests,     &kTransposedNests,
};

const NestRow* find_nest(std::string_view domain, std::string_view op) {
  for (const auto* table : kTables)
    for (const NestRow& row : *table)
      if (row.op == op && row.domain == domain) return &row;
  return nullptr;
}

}  // namespace

std::optional<LayerNest> layer_nest(const Resolved& resolved, graph::NodeId node,
                                    PaddingForm padding) {
  NestBuilder builder(resolved, node);
  const ops::Dim repeat = resolved.repeat(node);
  if (!repeat.known()) return std::nullopt;
  const graph::Node& of = builder.form().node();
  const NestRow* row = find_nest(of.domain, of.op_type);
  if (row == nullptr || !row->build(builder, padding)) return std::nullopt;
  LayerNest out = std::move(builder).finish();
  out.repeat = repeat.value();
  return out;
}

bool has_layer_nest(std::string_view domain, std::string_view op) {
  return find_nest(domain, op) != nullptr;
}

Result<Profiles> profile_nests(const Lowered& lowered, const Resolved& resolved,
                               PaddingForm padding) {
  ProfileCollector collector;
  std::vector<LayerProfile> without;
  for (const Layer& layer : lowered.layers) {
    if (layer.node == graph::kNone) continue;
    const auto nest = layer_nest(resolved, layer.node, padding);
    if (nest) {
      TRY(collector.add(nest->nest, nest->parameters, nest->repeat));
      continue;
    }
    LayerProfile none;
    none.node = layer.node;
    const graph::Node of = resolved.model().node(layer.node);
    none.reason = has_layer_nest(of.domain, of.op_type)
                      ? "its sizes do not tell its loop nest"
                      : "no loop nest is written for this operator";
    without.push_back(std::move(none));
  }
  Profiles out = collector.finish(ProfileSource::kNest);
  out.layers.insert(out.layers.end(), without.begin(), without.end());
  std::sort(out.layers.begin(), out.layers.end(),
            [](const auto& a, const auto& b) { return a.node < b.node; });
  return out;
}

}  // namespace ridge::accelerator
