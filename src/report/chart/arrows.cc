#include "report/chart/arrows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "report/chart/svg.h"

namespace ridge::report {
namespace {

constexpr double kHead = 7, kArrowLetter = 6.6, kLine = 13;

}  // namespace

/// Place of a label, moved down until it is clear of those before it.
PlacedMark ArrowMarks::place(PlacedMark at, std::size_t letters) {
  const double wide = kArrowLetter * static_cast<double>(letters);
  const auto meets = [&](const Box& b) {
    return at.x < b.x + b.wide && b.x < at.x + wide && std::abs(at.y - b.y) < kLine;
  };
  for (std::size_t i = 0; i <= labels_.size() && std::ranges::any_of(labels_, meets); ++i)
    at.y += kLine;
  labels_.push_back({at.x, at.y, wide});
  return at;
}

void ArrowMarks::add(const ChartArrow& arrow, const PlacedMark& from, const PlacedMark& to) {
  const double down = to.y > from.y ? 1 : -1;  // a loss points down
  marks_ +=
      fmt::format("<g class=\"{}\"><title>{}</title>\n", arrow.css, html_escape(arrow.tooltip));
  marks_ += svg_line(from.x, from.y, to.x, to.y);
  marks_ += fmt::format("<path d=\"M{:.1f} {:.1f} l{:.1f} {:.1f} l{:.1f} 0 z\"/>\n", to.x, to.y,
                        -kHead * 0.6, -down * kHead, kHead * 1.2);
  const PlacedMark label = place({.x = to.x + to.radius + 4, .y = to.y + 4}, arrow.label.size());
  marks_ += svg_text(label.x, label.y, "", arrow.label) + "</g>\n";
}

std::string ArrowMarks::svg() const {
  return marks_.empty() ? "" : "<g class=\"arrows\">\n" + marks_ + "</g>\n";
}

}  // namespace ridge::report
