// Arrows between points of a chart, with labels that do not overlap.
//
//   ArrowMarks marks;
//   marks.add(arrow, from, to);
//   out += marks.svg()
//
// Coordinates are those of the SVG, y downwards. Texts are untrusted and escaped here. Thread rule:
// plain data.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ridge::report {

struct ChartArrow {
  std::size_t from = 0, to = 0;  ///< positions in the chart's points
  std::string label, tooltip;
  std::string css;  ///< class of the group: "achieved", "predicted"
};

struct PlacedMark {
  double x = 0, y = 0;
  double radius = 0;  ///< radius of the bubble there
};

class ArrowMarks {
 public:
  void add(const ChartArrow& arrow, const PlacedMark& from, const PlacedMark& to);
  /// "" without an arrow.
  std::string svg() const;

 private:
  struct Box {
    double x = 0, y = 0, wide = 0;
  };
  PlacedMark place(PlacedMark at, std::size_t letters);

  std::vector<Box> labels_;
  std::string marks_;
};

}  // namespace ridge::report
