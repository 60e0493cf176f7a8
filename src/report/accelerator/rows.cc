// SPDX-License-Identifier: Apache-2.0
#include "report/accelerator/rows.h"

#include <algorithm>
#include <map>
#include <utility>

#include "export/accelerator/words.h"

namespace ridge::report {

using accelerator::Study;

const accelerator::LayerCost& LayerRow::cost(const Study& view) const {
  std::size_t p = 0;
  while (!at[p]) ++p;  // at least one point has it
  return view.points[p].estimate.layers[*at[p]];
}

bool LayerRow::costed(const Study& view) const {
  for (std::size_t p = 0; p < at.size(); ++p)
    if (at[p] && exports::costed(view.points[p], *at[p])) return true;
  return false;
}

std::vector<LayerRow> layer_rows(const Study& view) {
  // Layers from products and topologies have no nodes; there is one network, so the position
  // identifies them.
  std::map<std::pair<graph::NodeId, std::size_t>, LayerRow> rows;
  for (std::size_t p = 0; p < view.points.size(); ++p) {
    const std::vector<accelerator::Layer>& layers = view.points[p].network->lowered.layers;
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const graph::NodeId node = layers[i].node;
      LayerRow& row = rows[{node, node == graph::kNone ? i : 0}];
      if (row.layer == nullptr) {
        row.layer = &layers[i];
        row.at.resize(view.points.size());
      }
      row.at[p] = i;
    }
  }
  std::vector<LayerRow> out;
  for (auto& [key, row] : rows) out.push_back(std::move(row));
  return out;
}

}  // namespace ridge::report
