// SPDX-License-Identifier: Apache-2.0
#include "report/chart/arrows.h"

#include <fmt/format.h>

#include "report/chart/svg.h"

namespace ridge::report {
namespace {

constexpr double kHead = 7;

}  // namespace

void ArrowMarks::add(const ChartArrow& arrow, const PlacedMark& from, const PlacedMark& to) {
  const double down = to.y > from.y ? 1 : -1;  // a loss points down
  // Bold letters are wider.
  const TextBox label = labels_.below({.x = to.x + to.radius + 4,
                                       .y = to.y - TextBox().height / 2,
                                       .width = 1.1 * text_width(arrow.label)});
  marks_ += svg_group(fmt::format("class=\"{}\"", arrow.css), arrow.tooltip,
                      svg_line(from.x, from.y, to.x, to.y) +
                          fmt::format("<path d=\"M{:.1f} {:.1f} l{:.1f} {:.1f} l{:.1f} 0 z\"/>",
                                      to.x, to.y, -kHead * 0.6, -down * kHead, kHead * 1.2) +
                          svg_text(label.x, label.y + 10.5, "", arrow.label));
}

std::string ArrowMarks::svg() const {
  return marks_.empty() ? "" : svg_group("class=\"arrows\"", "", marks_);
}

}  // namespace ridge::report
