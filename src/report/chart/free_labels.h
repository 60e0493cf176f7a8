// SPDX-License-Identifier: Apache-2.0
// Places for the labels of a chart, so that none lies on another.
//
//   FreeLabels labels;
//   const TextBox box = labels.beside({.x = 10, .y = 20, .radius = 5}, text_width("resnet50"));
//
// Coordinates: as in an SVG, y downwards. Cost: O(labels) for each question. Thread rule: plain
// data.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace ridge::report {

struct PlacedMark {
  double x = 0, y = 0;
  double radius = 0;  ///< radius of the bubble there
};

/// Rectangle of a line of text; `y` is its upper edge.
struct TextBox {
  double x = 0, y = 0, width = 0, height = 13;
};

/// About the width in pixels of a text of 11 to 12 pixels.
double text_width(std::string_view text);

class FreeLabels {
 public:
  bool is_free(const TextBox& box) const;
  void take(const TextBox& box) { taken_.push_back(box); }

  /// Boxes along a text that rises by `slope` pixels a pixel; `x` and `y` are the left end of its
  /// baseline.
  static std::vector<TextBox> along(double x, double y, double slope, double width);

  /// Takes and returns the first free place of a label: right of the mark, left, above, below, then
  /// lower and lower at its right. Stays between `left` and `right`.
  TextBox beside(const PlacedMark& mark, double width, double left, double right);

  /// Takes and returns the first free place of a label at or below `box`.
  TextBox below(TextBox box);

 private:
  std::vector<TextBox> taken_;
};

}  // namespace ridge::report
