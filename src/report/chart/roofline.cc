// SPDX-License-Identifier: Apache-2.0
#include "report/chart/roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "base/numeral.h"
#include "base/text.h"
#include "report/chart/free_labels.h"
#include "report/chart/plot.h"
#include "report/chart/svg.h"

namespace ridge::report {
namespace {

constexpr PlotSize kRooflineSize = {
    .width = 960, .height = 520, .left = 72, .right = 940, .top = 18, .floor = 436};
constexpr double kNameWidth = 104;
constexpr std::size_t kRooflineLongestName = 40;  ///< letters of a point's name
constexpr double kLargestBubble = 26, kSmallestBubble = 3.5;

bool drawable(const ChartPoint& p) { return p.intensity > 0 && p.flop_per_s > 0; }

double peak_of(const Chart& chart) {
  double peak = chart.roofs.flop_per_s(chart.dtype).value_or(0);
  for (const machine::Roof& roof : chart.roofs.compute) peak = std::max(peak, roof.value);
  return peak;
}

Plot plane_of(const Chart& chart) {
  const double peak = std::max(peak_of(chart), 1e9);
  ValueRange x, y;
  for (const double intensity : {0.1, 100.0}) x.take(intensity);
  for (const double rate : {peak / 100, peak}) y.take(rate);
  for (const ChartPoint& p : chart.points) {
    if (!drawable(p)) continue;
    x.take(p.intensity);
    y.take(p.flop_per_s);
  }
  return {decade_axis(x.low, x.high), decade_axis(y.low, y.high), kRooflineSize};
}

std::string roofline_grid(const Plot& plane) {
  std::string out;
  for (const double x : plane.x().ticks()) out += plane.upright(x, "");
  out += plane.grid([](double x) { return significant(x, 1); }, [](double y) { return si(y); },
                    "arithmetic intensity, FLOP/B");
  const double middle = (kRooflineSize.top + kRooflineSize.floor) / 2;
  return svg_group("class=\"grid\"", "",
                   out + svg_turned_text({14, middle}, -90, "middle", "FLOP/s"));
}

/// Marks of the roofs: lines are drawn below the bubbles, names above them.
struct RoofMarks {
  std::string lines, names;
  FreeLabels labels;
};

/// Adds a horizontal line that starts where the fastest memory level reaches the roof. Its name
/// stands at the right end of the line, or before the name of a roof close to it.
void compute_roof(const machine::Roof& roof, double fastest, const Plot& plane, RoofMarks& out) {
  const double y = plane.y().at(roof.value), right = kRooflineSize.right;
  const double from = fastest > 0 ? plane.x().at(roof.value / fastest) : kRooflineSize.left;
  out.lines += svg_line(from, y, right, y, "class=\"roof\"");
  const std::string name = fmt::format("{} {}FLOP/s", roof.dtype, si(roof.value));
  const double width = text_width(name), last = right - 4;
  TextBox box{.x = last - width, .y = y - 16, .width = width};
  while (!out.labels.is_free(box) && box.x > from) box.x -= 8;
  if (box.x <= from) box.x = last - width;  // no room: better on another name than lost
  out.labels.take(box);
  out.names += svg_text(box.x + width, y - 5, "roof-name end", name);
}

/// Adds a line of slope one from the left edge (or the bottom) up to the compute roof. Its name
/// stands on the first free place `along` pixels from its start or further on.
void memory_roof(const roofline::Level& level, double peak, const Plot& plane, double along,
                 bool below, RoofMarks& out) {
  const double x0 = std::max(plane.x().low, plane.y().low / level.bytes_per_s);
  const double x1 = std::min(plane.x().high, peak / level.bytes_per_s);
  if (x1 <= x0) return;
  const ChartPlace p = plane.at({x0, x0 * level.bytes_per_s});
  const ChartPlace q = plane.at({x1, x1 * level.bytes_per_s});
  const double slope = (q.y - p.y) / (q.x - p.x), above = below ? 15 : -6;
  const std::string name = fmt::format("{} {}B/s", level.name, si(level.bytes_per_s));
  const double end = std::max(p.x, q.x - 120);
  const auto boxes = [&](double at) {
    return FreeLabels::along(at, p.y + (at - p.x) * slope + above, slope,
                             text_width(name) / std::hypot(1, slope));
  };
  const auto taken = [&](double at) {
    return !std::ranges::all_of(boxes(at), [&](const TextBox& b) { return out.labels.is_free(b); });
  };
  double at = std::min(p.x + along, end);
  while (taken(at) && at < end) at += 12;
  for (const TextBox& box : boxes(at)) out.labels.take(box);
  out.lines += svg_line(p.x, p.y, q.x, q.y, "class=\"roof\"");
  out.names += svg_turned_text({at, p.y + (at - p.x) * slope + above},
                               std::atan(slope) * 180 / std::acos(-1.0), "roof-name", name);
}

RoofMarks roofs(const Chart& chart, const Plot& plane) {
  double fastest = 0;
  for (const auto& level : chart.roofs.levels) fastest = std::max(fastest, level.bytes_per_s);
  RoofMarks out;
  for (const auto& roof : chart.roofs.compute)
    if (roof.value > 0) compute_roof(roof, fastest, plane, out);
  const double peak = chart.roofs.flop_per_s(chart.dtype).value_or(peak_of(chart));
  double along = 8;
  for (const auto& level : chart.roofs.levels) {
    // L2 and L3 are often close together, so their names are on different sides of their lines.
    memory_roof(level, peak, plane, along, level.name == "L3", out);
    along += kNameWidth;
  }
  out.lines = svg_group("class=\"roofs\"", "", out.lines);
  out.names = svg_group("class=\"roof-names\"", "", out.names);
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

/// Bubble of a point: its place and radius.
PlacedMark bubble_of(const ChartPoint& p, const Plot& plane, double most) {
  const ChartPlace at = plane.at({p.intensity, p.flop_per_s});
  return {at.x, at.y, radius_of(p, most)};
}

std::string arrows(const Chart& chart, const Plot& plane, FreeLabels labels) {
  ArrowMarks marks(std::move(labels));
  const double most = largest_share(chart);
  for (const ChartArrow& arrow : chart.arrows) {
    const ChartPoint &from = chart.points.at(arrow.from), &to = chart.points.at(arrow.to);
    if (drawable(from) && drawable(to))
      marks.add(arrow, bubble_of(from, plane, most), bubble_of(to, plane, most));
  }
  return marks.svg();
}

std::string bubbles(const Chart& chart, const Plot& plane, const Series& series) {
  std::vector<const ChartPoint*> order;
  for (const ChartPoint& p : chart.points)
    if (drawable(p)) order.push_back(&p);
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [](const ChartPoint* p) { return p->share; });
  const double most = largest_share(chart);
  std::string out;
  for (const ChartPoint* p : order)
    out += plane.dot({p->intensity, p->flop_per_s}, radius_of(*p, most),
                     fmt::format("data-id=\"{}\" fill=\"{}\"", html_escape(p->id),
                                 series.color(p->series)),
                     fmt::format("{}\n{:.1f} % of the time, {:.2f} FLOP/B, {}FLOP/s", p->label,
                                 100 * p->share, p->intensity, si(p->flop_per_s))) +
           "\n";
  return svg_group("class=\"points\"", "", out);
}

/// Names beside the bubbles, largest first, each where no other name is.
std::string bubble_names(const Chart& chart, const Plot& plane, FreeLabels labels) {
  const double most = largest_share(chart);
  for (const ChartPoint& p : chart.points) {
    if (!drawable(p)) continue;
    const PlacedMark mark = bubble_of(p, plane, most);
    labels.take({mark.x - mark.radius, mark.y - mark.radius, 2 * mark.radius, 2 * mark.radius});
  }
  std::string out;
  for (const ChartPoint& p : chart.points) {
    if (!drawable(p)) continue;
    const std::string name = shorten_middle(printable(p.label), kRooflineLongestName);
    const TextBox box = labels.beside(bubble_of(p, plane, most), text_width(name),
                                      kRooflineSize.left, kRooflineSize.right);
    out += svg_text(box.x, box.y + 10, "point-name", name);
  }
  return svg_group("class=\"point-names\"", "", out);
}

/// Height that the legend needs beyond its first row.
double legend_growth(const Chart& chart, const Series& series) {
  return chart.names == PointNames::kBeside
             ? 0
             : series.legend_growth(kRooflineSize.left, kRooflineSize.right);
}

std::string roofline_legend(const Chart& chart, const Series& series) {
  std::string out;
  if (chart.names == PointNames::kInLegend)
    out = series.legend(kRooflineSize.left, kRooflineSize.height - 28, kRooflineSize.right);
  const auto hidden =
      std::ranges::count_if(chart.points, [](const ChartPoint& p) { return !drawable(p); });
  double share = 0;
  for (const ChartPoint& p : chart.points) share += drawable(p) ? 0 : p.share;
  if (hidden > 0)
    out += svg_text(kRooflineSize.left, kRooflineSize.height - 4 + legend_growth(chart, series),
                    "caption",
                    fmt::format("Not drawn: {} without arithmetic or time, {:.1f} % of the time.",
                                hidden, 100 * share));
  return svg_group("class=\"legend\"", "", out);
}

constexpr std::string_view kStyle =
    ".rl text{font:12px system-ui,sans-serif;fill:var(--ink,#333)}.rl "
    ".end{text-anchor:end}.rl .middle{text-anchor:middle}.rl .grid "
    "line{stroke:var(--grid,#ddd);stroke-width:1}"
    ".rl .roof{stroke:var(--ink,#333);stroke-width:1.8}.rl "
    ".roof-name,.rl "
    ".point-name{font-size:11px;paint-order:stroke;stroke:var(--paper,#fff);stroke-width:3px;"
    "pointer-events:none}.rl .points circle{fill-opacity:.62;stroke:var(--paper,#fff);"
    "stroke-width:.8}.rl .points "
    "circle.on{stroke:var(--ink,#000);stroke-width:2.5;fill-opacity:.95}.rl "
    ".caption{font-size:11px}";

}  // namespace

std::string roofline_svg(const Chart& chart) {
  const Plot plane = plane_of(chart);
  const Series series = series_of(chart);
  const RoofMarks roof_marks = roofs(chart, plane);
  std::string out = fmt::format("<style>{}</style>\n", kStyle);
  out += roofline_grid(plane) + roof_marks.lines + bubbles(chart, plane, series) + roof_marks.names;
  if (chart.names == PointNames::kBeside) out += bubble_names(chart, plane, roof_marks.labels);
  return svg_chart("rl", kRooflineSize.width, kRooflineSize.height + legend_growth(chart, series),
                   "roofline",
                   out + roofline_legend(chart, series) + arrows(chart, plane, roof_marks.labels),
                   "xmlns=\"http://www.w3.org/2000/svg\"");
}

std::string_view roofline_style() { return kStyle; }

}  // namespace ridge::report
