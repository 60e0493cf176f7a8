// SPDX-License-Identifier: Apache-2.0
// Arrows between points of a chart, with labels that do not overlap.
//
//   ArrowMarks marks(labels);  // the labels of the chart
//   marks.add(arrow, from, to);
//   out += marks.svg()
//
// Coordinates: as in the SVG, y downwards. Texts are untrusted and escaped here. Thread rule: plain
// data.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "report/chart/free_labels.h"

namespace ridge::report {

struct ChartArrow {
  std::size_t from = 0, to = 0;  ///< positions in the chart's points
  std::string label, tooltip;
  std::string css;  ///< class of the group: "achieved", "predicted"
};

class ArrowMarks {
 public:
  explicit ArrowMarks(FreeLabels labels) : labels_(std::move(labels)) {}

  void add(const ChartArrow& arrow, const PlacedMark& from, const PlacedMark& to);
  /// "" without an arrow.
  std::string svg() const;

 private:
  FreeLabels labels_;
  std::string marks_;
};

}  // namespace ridge::report
