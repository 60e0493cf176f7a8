#include "report/chart/roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "base/text.h"
#include "report/chart/free_labels.h"
#include "report/chart/svg.h"

namespace ridge::report {
namespace {

constexpr double kRooflineWidth = 960, kRooflineHeight = 520, kRooflineLeft = 72,
                 kRooflineRight = 20, kRooflineTop = 18, kRooflineBottom = 84;
constexpr double kNameWidth = 104;
constexpr std::size_t kRooflineLongestName = 40;  ///< letters of a point's name
constexpr double kLargestBubble = 26, kSmallestBubble = 3.5;

/// Logarithmic axis over whole decades.
struct DecadeAxis {
  double low = 0, high = 1;  // exponents of ten
  double from = 0, to = 1;   // pixels
  double at(double value) const {
    return from + (std::log10(value) - low) / (high - low) * (to - from);
  }
};

DecadeAxis covering(double least, double most, double from, double to) {
  DecadeAxis axis{std::floor(std::log10(least)), std::ceil(std::log10(most)), from, to};
  if (axis.high <= axis.low) axis.high = axis.low + 1;
  return axis;
}

struct RooflinePlane {
  DecadeAxis x, y;
};

bool drawable(const ChartPoint& p) { return p.intensity > 0 && p.flop_per_s > 0; }

double peak_of(const Chart& chart) {
  double peak = chart.roofs.flop_per_s(chart.dtype).value_or(0);
  for (const profile::Roof& roof : chart.roofs.compute) peak = std::max(peak, roof.value);
  return peak;
}

RooflinePlane plane_of(const Chart& chart) {
  double x_low = 0.1, x_high = 100, y_high = std::max(peak_of(chart), 1e9), y_low = y_high / 100;
  for (const ChartPoint& p : chart.points) {
    if (!drawable(p)) continue;
    x_low = std::min(x_low, p.intensity);
    x_high = std::max(x_high, p.intensity);
    y_low = std::min(y_low, p.flop_per_s);
    y_high = std::max(y_high, p.flop_per_s);
  }
  return {covering(x_low, x_high, kRooflineLeft, kRooflineWidth - kRooflineRight),
          covering(y_low, y_high, kRooflineHeight - kRooflineBottom, kRooflineTop)};
}

std::string roofline_grid(const RooflinePlane& plane) {
  std::string out = "<g class=\"grid\">\n";
  for (double e = plane.x.low; e <= plane.x.high; ++e) {
    const double x = plane.x.at(std::pow(10, e));
    out += fmt::format(
        "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/><text x=\"{0:.1f}\" y=\"{3}\" "
        "text-anchor=\"middle\">{4}</text>\n",
        x, kRooflineTop, kRooflineHeight - kRooflineBottom, kRooflineHeight - kRooflineBottom + 18,
        e >= 0 ? fmt::format("{:.0f}", std::pow(10, e))
               : fmt::format("{:.{}f}", std::pow(10, e), static_cast<int>(-e)));
  }
  for (double e = plane.y.low; e <= plane.y.high; ++e) {
    const double y = plane.y.at(std::pow(10, e));
    out += fmt::format(
        "<line x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/><text x=\"{3}\" y=\"{4:.1f}\" "
        "text-anchor=\"end\">{5}</text>\n",
        kRooflineLeft, kRooflineWidth - kRooflineRight, y, kRooflineLeft - 8, y + 4,
        si(std::pow(10, e)));
  }
  out += fmt::format(
      "<text class=\"axis\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">arithmetic intensity, "
      "FLOP/B</text>\n",
      (kRooflineLeft + kRooflineWidth - kRooflineRight) / 2,
      kRooflineHeight - kRooflineBottom + 38);
  out += fmt::format(
      "<text class=\"axis\" transform=\"translate(14 {}) rotate(-90)\" "
      "text-anchor=\"middle\">FLOP/s</text>\n</g>\n",
      (kRooflineTop + kRooflineHeight - kRooflineBottom) / 2);
  return out;
}

/// Marks of the roofs: lines are drawn below the bubbles, names above them.
struct RoofMarks {
  std::string lines, names;
  FreeLabels labels;
};

/// Adds a horizontal line that starts where the fastest memory level reaches the roof. Its name
/// stands at the right end of the line, or before the name of a roof close to it.
void compute_roof(const profile::Roof& roof, double fastest, const RooflinePlane& plane,
                  RoofMarks& out) {
  const double y = plane.y.at(roof.value);
  const double from =
      fastest > 0 ? std::max(plane.x.at(roof.value / fastest), kRooflineLeft) : kRooflineLeft;
  out.lines +=
      fmt::format("<line class=\"roof\" x1=\"{:.1f}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
                  from, kRooflineWidth - kRooflineRight, y, y);
  const std::string name = fmt::format("{} {}FLOP/s", roof.dtype, si(roof.value));
  const double width = text_width(name), last = kRooflineWidth - kRooflineRight - 4;
  TextBox box{.x = last - width, .y = y - 16, .width = width};
  while (!out.labels.is_free(box) && box.x > from) box.x -= 8;
  if (box.x <= from) box.x = last - width;  // no room: better on another name than lost
  out.labels.take(box);
  out.names += fmt::format(
      "<text class=\"roof-name\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
      box.x + width, y - 5, html_escape(name));
}

/// Adds a line of slope one from the left edge (or the bottom) up to the compute roof. Its name
/// stands on the first free place `along` pixels from its start or further on.
void memory_roof(const roofline::Level& level, double peak, const RooflinePlane& plane,
                 double along, bool below, RoofMarks& out) {
  const double least = std::pow(10, plane.x.low), floor = std::pow(10, plane.y.low);
  const double x0 = std::max(least, floor / level.bytes_per_s);
  const double x1 = std::min(std::pow(10, plane.x.high), peak / level.bytes_per_s);
  if (x1 <= x0) return;
  const double px = plane.x.at(x0), py = plane.y.at(x0 * level.bytes_per_s);
  const double qx = plane.x.at(x1), qy = plane.y.at(x1 * level.bytes_per_s);
  const double slope = (qy - py) / (qx - px);
  const std::string name = fmt::format("{} {}B/s", level.name, si(level.bytes_per_s));
  const double end = std::max(px, qx - 120);
  const auto boxes = [&](double at) {
    return FreeLabels::along(at, py + (at - px) * slope + (below ? 15 : -6), slope,
                             text_width(name) / std::hypot(1, slope));
  };
  const auto taken = [&](double at) {
    return !std::ranges::all_of(boxes(at), [&](const TextBox& b) { return out.labels.is_free(b); });
  };
  double at = std::min(px + along, end);
  while (taken(at) && at < end) at += 12;
  for (const TextBox& box : boxes(at)) out.labels.take(box);
  out.lines += fmt::format(
      "<line class=\"roof\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", px, py,
      qx, qy);
  out.names += fmt::format(
      "<text class=\"roof-name\" transform=\"translate({:.1f} {:.1f}) "
      "rotate({:.2f})\">{}</text>\n",
      at, py + (at - px) * slope + (below ? 15 : -6), std::atan(slope) * 180 / std::acos(-1.0),
      html_escape(name));
}

RoofMarks roofs(const Chart& chart, const RooflinePlane& plane) {
  double fastest = 0;
  for (const auto& level : chart.roofs.levels) fastest = std::max(fastest, level.bytes_per_s);
  RoofMarks out{"<g class=\"roofs\">\n", "<g class=\"roof-names\">\n", {}};
  for (const auto& roof : chart.roofs.compute)
    if (roof.value > 0) compute_roof(roof, fastest, plane, out);
  const double peak = chart.roofs.flop_per_s(chart.dtype).value_or(peak_of(chart));
  double along = 8;
  for (const auto& level : chart.roofs.levels) {
    // L2 and L3 are often close together, so their names are on different sides of their lines.
    memory_roof(level, peak, plane, along, level.name == "L3", out);
    along += kNameWidth;
  }
  out.lines += "</g>\n";
  out.names += "</g>\n";
  return out;
}

Series series_of(const Chart& chart) {
  std::map<std::string, double> share;
  for (const ChartPoint& p : chart.points) share[p.series] += drawable(p) ? p.share : 0;
  return Series(share);
}

/// Radius of a bubble beside one with the largest share.
double radius_of(const ChartPoint& p, double most) {
  return std::max(kSmallestBubble, kLargestBubble * std::sqrt(std::max(0.0, p.share) / most));
}

double largest_share(const Chart& chart) {
  double most = 0;
  for (const ChartPoint& p : chart.points)
    if (drawable(p)) most = std::max(most, p.share);
  return most > 0 ? most : 1;
}

std::string arrows(const Chart& chart, const RooflinePlane& plane) {
  ArrowMarks marks;
  const double most = largest_share(chart);
  const auto spot = [&](const ChartPoint& p) {
    return PlacedMark{plane.x.at(p.intensity), plane.y.at(p.flop_per_s), radius_of(p, most)};
  };
  for (const ChartArrow& arrow : chart.arrows) {
    const ChartPoint &from = chart.points.at(arrow.from), &to = chart.points.at(arrow.to);
    if (drawable(from) && drawable(to)) marks.add(arrow, spot(from), spot(to));
  }
  return marks.svg();
}

std::string bubbles(const Chart& chart, const RooflinePlane& plane, const Series& series) {
  std::vector<const ChartPoint*> order;
  for (const ChartPoint& p : chart.points)
    if (drawable(p)) order.push_back(&p);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto* a, const auto* b) { return a->share > b->share; });
  const double most = largest_share(chart);
  std::string out = "<g class=\"points\">\n";
  for (const ChartPoint* p : order) {
    out += fmt::format(
        "<circle data-id=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" "
        "fill=\"{}\"><title>{}\n{:.1f} % of the time, {:.2f} FLOP/B, {}FLOP/s</title></circle>\n",
        html_escape(p->id), plane.x.at(p->intensity), plane.y.at(p->flop_per_s),
        radius_of(*p, most), series.color(p->series), html_escape(p->label), 100 * p->share,
        p->intensity, si(p->flop_per_s));
  }
  return out + "</g>\n";
}

/// Names beside the bubbles, largest first, each where no other name is.
std::string bubble_names(const Chart& chart, const RooflinePlane& plane, FreeLabels labels) {
  const double most = largest_share(chart);
  for (const ChartPoint& p : chart.points) {
    if (!drawable(p)) continue;
    const double r = radius_of(p, most);
    labels.take({plane.x.at(p.intensity) - r, plane.y.at(p.flop_per_s) - r, 2 * r, 2 * r});
  }
  std::string out = "<g class=\"point-names\">\n";
  for (const ChartPoint& p : chart.points) {
    if (!drawable(p)) continue;
    const std::string name = shorten_middle(printable(p.label), kRooflineLongestName);
    const PlacedMark mark{plane.x.at(p.intensity), plane.y.at(p.flop_per_s), radius_of(p, most)};
    const TextBox box =
        labels.beside(mark, text_width(name), kRooflineLeft, kRooflineWidth - kRooflineRight);
    out += svg_text(box.x, box.y + 10, "point-name", name);
  }
  return out + "</g>\n";
}

/// Height that the legend needs beyond its first row.
double legend_growth(const Chart& chart, const Series& series) {
  return chart.names == PointNames::kBeside
             ? 0
             : series.legend_growth(kRooflineLeft, kRooflineWidth - kRooflineRight);
}

std::string roofline_legend(const Chart& chart, const Series& series) {
  std::string out = "<g class=\"legend\">\n";
  if (chart.names == PointNames::kInLegend)
    out += series.legend(kRooflineLeft, kRooflineHeight - 28, kRooflineWidth - kRooflineRight);
  const auto hidden = std::count_if(chart.points.begin(), chart.points.end(),
                                    [](const ChartPoint& p) { return !drawable(p); });
  double share = 0;
  for (const ChartPoint& p : chart.points) share += drawable(p) ? 0 : p.share;
  if (hidden > 0)
    out += fmt::format(
        "<text x=\"{}\" y=\"{}\" class=\"caption\">Not drawn: {} without arithmetic or time, "
        "{:.1f} % of the time.</text>\n",
        kRooflineLeft, kRooflineHeight - 4 + legend_growth(chart, series), hidden, 100 * share);
  return out + "</g>\n";
}

constexpr std::string_view kStyle =
    "<style>.rl text{font:12px system-ui,sans-serif;fill:var(--ink,#333)}.rl .grid "
    "line{stroke:var(--grid,#ddd);stroke-width:1}"
    ".rl .roof{stroke:var(--ink,#333);stroke-width:1.8}.rl "
    ".roof-name,.rl "
    ".point-name{font-size:11px;paint-order:stroke;stroke:var(--paper,#fff);stroke-width:3px;"
    "pointer-events:none}.rl .points circle{fill-opacity:.62;stroke:var(--paper,#fff);"
    "stroke-width:.8}.rl .points "
    "circle.on{stroke:var(--ink,#000);stroke-width:2.5;fill-opacity:.95}.rl "
    ".caption{font-size:11px}</style>\n";

}  // namespace

std::string roofline_svg(const Chart& chart) {
  const RooflinePlane plane = plane_of(chart);
  const Series series = series_of(chart);
  std::string out = fmt::format(
      "<svg class=\"rl\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" "
      "aria-label=\"roofline\">\n",
      kRooflineWidth, kRooflineHeight + legend_growth(chart, series));
  const RoofMarks roof_marks = roofs(chart, plane);
  out += kStyle;
  out += roofline_grid(plane) + roof_marks.lines + bubbles(chart, plane, series) + roof_marks.names;
  if (chart.names == PointNames::kBeside) out += bubble_names(chart, plane, roof_marks.labels);
  return out + roofline_legend(chart, series) + arrows(chart, plane) + "</svg>\n";
}

}  // namespace ridge::report
