// The layers of an accelerator's page: those of all its networks, each once.
//
//   for (const LayerRow& row : layer_rows(view))
//     if (const auto i = row.at[p]) view.points[p].estimate.layers[*i] ...
//
// Networks of other sizes may have other layers: an addition rides with a product only where the
// shapes allow it. A layer is the same where it begins with the same node. Thread rule: pure.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "accelerator/study.h"
#include "report/accelerator_measures.h"

namespace ridge::report {

struct LayerRow {
  const accelerator::Layer* layer = nullptr;   ///< of the first point that has it; the view's
  std::vector<std::optional<std::size_t>> at;  ///< by point: its place there

  std::optional<double> value(const accelerator::Study& view, const Measure& measure,
                              std::size_t point) const {
    return at[point] ? measure.of_layer(view.points[point], *at[point]) : std::nullopt;
  }
  /// Of the first point that has it.
  const accelerator::LayerCost& cost(const accelerator::Study& view) const;
  /// Whether it costs anything at some point.
  bool costed(const accelerator::Study& view) const;
};

/// In file order.
std::vector<LayerRow> layer_rows(const accelerator::Study& view);

}  // namespace ridge::report
