// SPDX-License-Identifier: Apache-2.0
#include "report/chart/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/numeral.h"
#include "base/text.h"
#include "report/chart/keys.h"
#include "report/chart/plot.h"
#include "report/chart/svg.h"

namespace ridge::report {
namespace {

using profile::Profile;

/// Values of a profile by axis: its sizes, its threads.
using SweepPlace = std::map<std::string, std::int64_t>;

constexpr const char* kThreads = "threads";
constexpr double kLogarithmicFrom = 8;  ///< ratio of the largest value to the smallest

SweepPlace place_of(const Profile& p) {
  SweepPlace out;
  for (const auto& [size, binding] : p.subject.bindings) out[size] = binding.value;
  out.emplace(kThreads, p.subject.threads.value_or(1));  // unless a size has that name
  return out;
}

/// Axes with more than one value, without those whose value follows from an earlier axis' value.
std::vector<std::string> swept_axes(const std::vector<SweepPlace>& places) {
  std::map<std::string, std::set<std::int64_t>> values;
  for (const SweepPlace& place : places)
    for (const auto& [axis, value] : place) values[axis].insert(value);
  std::vector<std::string> out;
  for (const auto& [axis, of_axis] : values) {
    if (of_axis.size() < 2) continue;
    const bool follows = std::ranges::any_of(out, [&](const std::string& earlier) {
      std::map<std::int64_t, std::set<std::int64_t>> with;
      for (const SweepPlace& place : places)
        if (place.contains(axis) && place.contains(earlier))
          with[place.at(earlier)].insert(place.at(axis));
      return std::ranges::all_of(with, [](const auto& w) { return w.second.size() == 1; });
    });
    if (!follows) out.push_back(axis);
  }
  return out;
}

struct Line {
  std::string name;  ///< values of the other axes: "ONNX Runtime, 2 threads"
  std::vector<const Profile*> points;
};

/// Lines over an axis, of at least two points each, in order of the points.
std::vector<Line> lines_over(const std::string& axis, const std::vector<std::string>& axes,
                             const profile::Sweep& sweep) {
  const bool runtimes = std::ranges::any_of(sweep.profiles, [&](const Profile& p) {
    return p.subject.runtime != sweep.profiles[0].subject.runtime;
  });
  std::vector<Line> out;
  for (const Profile& p : sweep.profiles) {
    const SweepPlace place = place_of(p);
    if (!place.contains(axis)) continue;
    std::string name = runtimes ? p.subject.runtime : "";
    for (const std::string& other : axes)
      if (other != axis && place.contains(other))
        name += (name.empty() ? "" : ", ") + (other == kThreads
                                                  ? counted(place.at(other), "thread")
                                                  : fmt::format("{}={}", other, place.at(other)));
    auto line = std::ranges::find(out, name, &Line::name);
    if (line == out.end()) line = out.insert(out.end(), {name, {}});
    line->points.push_back(&p);
  }
  for (Line& line : out)
    std::ranges::stable_sort(line.points, {}, [&](const Profile* p) { return place_of(*p)[axis]; });
  std::erase_if(out, [](const Line& line) { return line.points.size() < 2; });
  return out;
}

ChartAxis axis_over(const std::vector<double>& values, bool from_zero) {
  const auto [least, most] = std::ranges::minmax(values);
  if (least > 0 && most >= kLogarithmicFrom * least) return log_axis(least, most);
  if (from_zero) return axis_from_zero(most);
  const double room = 0.04 * (most - least);
  return {.low = least - room, .high = most + room};
}

std::string spacing_words(const ChartAxis& x, const ChartAxis& y) {
  if (x.logarithmic() && y.logarithmic()) return " (both axes logarithmic)";
  return x.logarithmic()   ? " (sizes on a logarithmic axis)"
         : y.logarithmic() ? " (logarithmic axis)"
                           : "";
}

struct SweepMeasure {
  const char* title;
  double (*value)(const Profile&);
  TickText text;
};

std::string sweep_line_chart(const std::string& axis, const std::vector<Line>& lines,
                             const SweepMeasure& measure) {
  std::vector<double> xs, ys;
  for (const Line& line : lines)
    for (const Profile* p : line.points) {
      xs.push_back(static_cast<double>(place_of(*p)[axis]));
      ys.push_back(measure.value(*p));
    }
  const ChartAxis x = axis_over(xs, false), y = axis_over(ys, true);
  const Plot plot(x, y);
  std::ranges::sort(xs);  // ticks where points are
  std::string out = plot.grid_y(measure.text) + plot.x_labels(xs, [](double v) {
    return fmt::format("{:.0f}", v);
  }) + plot.x_title(printable(axis));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::vector<ChartPlace> points;
    for (const Profile* p : lines[i].points)
      points.push_back({static_cast<double>(place_of(*p)[axis]), measure.value(*p)});
    out += plot.line(points, stroke(series_color(i)));
    for (const ChartPlace& p : points)
      out += plot.dot(p, 3.5, filled(series_color(i)),
                      fmt::format("{}{}{} {:.0f}: {}", lines[i].name,
                                  lines[i].name.empty() ? "" : ", ", axis, p.x, measure.text(p.y)));
  }
  const std::string what = fmt::format("{} over {}", measure.title, printable(axis));
  return captioned(what + spacing_words(x, y), plot.svg("ac ev", what, out));
}

}  // namespace

std::string sweep_charts(const profile::Sweep& sweep) {
  std::vector<SweepPlace> places;
  for (const Profile& p : sweep.profiles) places.push_back(place_of(p));
  const std::vector<std::string> axes = swept_axes(places);
  const SweepMeasure latency = {"latency", [](const Profile& p) { return p.latency.ns.value; },
                                short_duration};
  const SweepMeasure rate = {"items per second", [](const Profile& p) { return p.items_per_s; },
                             [](double v) { return significant(v, 3); }};
  std::string out;
  for (const std::string& axis : axes) {
    const std::vector<Line> lines = lines_over(axis, axes, sweep);
    if (lines.empty()) continue;
    std::vector<NamedColor> keys;
    for (std::size_t i = 0; lines.size() > 1 && i < lines.size(); ++i)
      keys.push_back({lines[i].name, series_color(i)});
    out += color_keys(keys) + "<div class=\"charts ev\">\n" +
           sweep_line_chart(axis, lines, latency) + sweep_line_chart(axis, lines, rate) +
           "</div>\n";
  }
  return out;
}

}  // namespace ridge::report
