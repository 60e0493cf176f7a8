// SPDX-License-Identifier: Apache-2.0
// Layer rows of an accelerator's page: the layers of all its networks, each once.
//
//   for (const LayerRow& row : layer_rows(view))
//     if (const auto i = row.at[p]) view.points[p].estimate.layers[*i] ...
//
// Networks of other sizes may have other layers: an addition is fused with a product only where the
// shapes allow it. Layers are the same if they begin with the same node. Thread rule: pure.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "accelerator/study/result.h"
#include "report/accelerator/measures.h"

namespace ridge::report {

struct LayerRow {
  const accelerator::Layer* layer = nullptr;   ///< from the first point that has it, in the view
  std::vector<std::optional<std::size_t>> at;  ///< position in the layers of each point

  std::optional<double> value(const accelerator::Study& view, const Measure& measure,
                              std::size_t point) const {
    return at[point] ? measure.of_layer(view.points[point], *at[point]) : std::nullopt;
  }
  /// Cost at the first point that has the layer.
  const accelerator::LayerCost& cost(const accelerator::Study& view) const;
  /// True if the layer has a cost at some point.
  bool costed(const accelerator::Study& view) const;
};

/// Rows of all layers, in file order.
std::vector<LayerRow> layer_rows(const accelerator::Study& view);

}  // namespace ridge::report
