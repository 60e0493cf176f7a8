// SPDX-License-Identifier: Apache-2.0
#include "report/accelerator/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/text.h"
#include "export/analysis/figure_text.h"
#include "report/accelerator/charts.h"
#include "report/accelerator/sections.h"
#include "report/chart/plot.h"
#include "report/chart/svg.h"
#include "report/kit/markup.h"
#include "report/kit/page.h"

namespace ridge::report {
namespace {

using accelerator::Study;
using accelerator::StudyPoint;
using exports::Axis;

constexpr std::size_t kMaxStudyBars = 64;  ///< limit of layers in a chart

constexpr std::string_view kFooterOfModels =
    "<footer>All figures are modeled by the stated rules, none is measured. Made by "
    "ridge.</footer>\n";

/// Range of a measure, "4.06 ms to 4.34 ms, Latency, least at pad none"; "" where no points differ.
std::string range_tile(const Study& view, const std::vector<Axis>& axes, const Measure& m) {
  if (!varies(view, m)) return "";
  std::optional<double> low, high;
  std::size_t least = 0;
  for (std::size_t i = 0; i < view.points.size(); ++i) {
    const auto value = m.of_point(view.points[i]);
    if (!value) continue;
    if (!low || *value < *low) low = value, least = i;
    if (!high || *value > *high) high = value;
  }
  if (!low) return "";
  return tile(m.text(*low) + " to " + m.text(*high),
              exports::one_network(view)
                  ? fmt::format("{}, least at {}", m.title, point_text(view, axes, least))
                  : std::string(m.title));
}

std::string study_summary(const Study& view, const std::vector<Axis>& axes) {
  const StudyPoint& p = view.points.front();
  const std::string stored = exports::stored_text(*p.network);
  std::string tiles;
  if (view.points.size() == 1) {
    for (const Measure& m : measures(view))
      if (const auto value = m.of_point(p))
        tiles += tile(m.text(*value), m.title.starts_with("Stored ")
                                          ? fmt::format("{}, {}", m.title.substr(7), stored)
                                          : std::string(m.title));
    tiles += tile(exports::percent_text(p.estimate.totals.utilization), "of the array used");
  } else {
    tiles = tile(std::to_string(view.points.size()), "points");
    for (const Measure& m : {duration_measure(view), energy_measure(view), edp_measure(view)})
      tiles += range_tile(view, axes, m);
  }
  const std::vector<std::string> machines = exports::machine_texts(view);
  std::string on = view.points.size() == 1 ? " on " : "; machine of the first point: ";
  if (machines.size() > 1) on = fmt::format(", {}:<br>", counted(std::ssize(machines), "machine"));
  for (const std::string& machine : machines)
    on += (&machine == &machines.front() ? "" : "<br>") + html_escape(machine);
  std::string out = fmt::format(
      "<h1>{}</h1>\n<p class=\"sub\">modelled by the {} convention{}</p>\n"
      "<div class=\"tiles\">\n{}</div>\n",
      html_escape(printable(view.subject)), name(view.convention), on, tiles);
  if (const std::string pole = exports::pole_text(p.estimate);
      !pole.empty() && view.points.size() == 1)
    out += "<p class=\"lever\">The network is " + html_escape(pole) + ".</p>\n";
  if (const std::string left_out = exports::left_out_text(p); !left_out.empty())
    out += "<p class=\"lever\">" + left_out + ".</p>\n";
  return out;
}

/// Layers in the charts: at most kMaxStudyBars, those with most cycles, in file order.
std::vector<LayerRow> charted(const Study& view, std::vector<LayerRow> rows) {
  const auto cycles = [&](const LayerRow& row) { return row.cost(view).total_cycles(); };
  std::erase_if(rows, [&](const LayerRow& row) { return cycles(row) == 0; });
  if (rows.size() <= kMaxStudyBars) return rows;
  std::vector<std::int64_t> most;
  for (const LayerRow& row : rows) most.push_back(cycles(row));
  std::nth_element(most.begin(), most.begin() + kMaxStudyBars - 1, most.end(), std::greater<>());
  const std::int64_t least = most[kMaxStudyBars - 1];
  auto spare = std::count(most.begin(), most.begin() + kMaxStudyBars, least);  // ties to keep
  std::erase_if(rows, [&](const LayerRow& row) {
    return cycles(row) < least || (cycles(row) == least && spare-- <= 0);
  });
  return rows;
}

std::string bars_section(const Study& view, const std::vector<Axis>& axes) {
  if (view.points.size() > kSeriesColors) return "";
  std::vector<NamedColor> keys;
  for (std::size_t p = 0; p < view.points.size(); ++p)
    keys.push_back({point_text(view, axes, p), series_color(p)});
  const std::vector<LayerRow> rows = layer_rows(view), layers = charted(view, rows);
  std::string out;
  if (layers.size() < rows.size())
    out += fmt::format("<p class=\"sub\">{} of {} layers: those with most cycles.</p>\n",
                       layers.size(), rows.size());
  out += color_keys(keys);
  for (const Measure& m : measures(view))
    out += figure(std::string(m.title) + (m.logarithmic ? ", logarithmic" : ""),
                  layer_bars(view, m, layers, keys), Folded::kOpen);
  return section("Layer by layer", out);
}

std::string lines_section(const Study& view, const std::vector<Axis>& axes) {
  std::string out;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    if (!numeric(axes[a])) continue;
    const std::vector<NamedColor> keys = line_keys(view, axes, a);
    if (keys.size() > kSeriesColors) continue;
    std::string charts;
    std::string same;
    for (const Measure& m : measures(view)) {
      if (!varies(view, m)) {
        same += fmt::format("{}{}", same.empty() ? "" : ", ", m.title);
        continue;
      }
      charts += captioned(m.title, sweep_lines(view, axes, a, m));
    }
    if (!same.empty())
      same = fmt::format("<p class=\"sub\">The same at every point: {}.</p>\n", html_escape(same));
    out += section("Over " + axes[a].title, fmt::format("{}{}<div class=\"charts\">\n{}</div>\n",
                                                        same, color_keys(keys), charts));
  }
  return out;
}

/// Measures of both coordinates of a point.
struct StudyPlane {
  Measure duration, energy;
};

std::optional<Spot> spot(const std::optional<double>& x, const std::optional<double>& y,
                         const StudyPlane& plane, const std::string& label, bool best,
                         std::size_t series) {
  if (!x || !y) return std::nullopt;
  return Spot{*x, *y, label + "\n" + plane.duration.text(*x) + ", " + plane.energy.text(*y), best,
              series};
}

/// Sizes of a point's network: "sequence 64".
std::string sizes_text(const Study& view, const std::vector<Axis>& axes, std::size_t point) {
  const auto& sizes = view.points.front().network->bindings;
  std::string out;
  for (const Axis& axis : axes)
    if (sizes.find(axis.title) != sizes.end())
      out += (out.empty() ? "" : ", ") + axis.title + " " + axis.values[point];
  return out;
}

/// Networks by their sizes, in the order of the points; a single one has no name.
std::vector<NamedColor> network_keys(const Study& view, const std::vector<Axis>& axes) {
  std::vector<NamedColor> out;
  for (std::size_t i = 0; i < view.points.size(); ++i) {
    std::string sizes = sizes_text(view, axes, i);
    const bool known =
        std::any_of(out.begin(), out.end(), [&](const NamedColor& k) { return k.name == sizes; });
    if (!known) out.push_back({std::move(sizes), series_color(out.size())});
  }
  return out;
}

/// Plot of latency against energy for the points, or for the mappings of the costliest layer of a
/// single point.
std::string front_section(const Study& view, const std::vector<Axis>& axes) {
  const StudyPlane plane{duration_measure(view), energy_measure(view)};
  std::vector<Spot> all;
  std::string what = exports::some_beaten(view)
                         ? "Points: lines join the Pareto-optimal ones of equal sizes."
                         : "Points: all are Pareto-optimal for their sizes.";
  std::string keys;
  if (view.points.size() > 1) {
    const std::vector<NamedColor> networks = network_keys(view, axes);
    if (networks.size() > 1 && networks.size() <= kSeriesColors) keys = color_keys(networks);
    for (std::size_t i = 0; i < view.points.size(); ++i) {
      const auto own = std::find_if(networks.begin(), networks.end(), [&](const NamedColor& k) {
        return k.name == sizes_text(view, axes, i);
      });
      const StudyPoint& p = view.points[i];
      if (auto s = spot(plane.duration.of_point(p), plane.energy.of_point(p), plane,
                        point_text(view, axes, i), p.best,
                        static_cast<std::size_t>(own - networks.begin())))
        all.push_back(std::move(*s));
    }
  } else if (const StudyPoint& p = view.points.front(); !p.fronts.empty()) {
    const auto most = std::max_element(
        p.estimate.layers.begin(), p.estimate.layers.end(),
        [](const auto& a, const auto& b) { return a.total_cycles() < b.total_cycles(); });
    const auto i = static_cast<std::size_t>(most - p.estimate.layers.begin());
    what = "Mappings of " + printable(p.network->lowered.layers[i].name) +
           " that no other beats in both.";
    for (const accelerator::Found& f : p.fronts[i])
      if (auto s = spot(f.cost.latency_ns,
                        f.cost.energy ? std::optional(f.cost.energy->total()) : std::nullopt, plane,
                        exports::mapping_text(f.cost), true, 0))
        all.push_back(std::move(*s));
  }
  if (all.size() < 2) return "";
  return section("Latency and energy", "<p class=\"sub\">" + html_escape(what) + "</p>\n" + keys +
                                           scrolled(spots(all, plane.duration, plane.energy)));
}

}  // namespace

std::string accelerator_page(const Study& view) {
  const std::vector<Axis> told = exports::axes(view);
  return page("ridge accel: " + view.subject,
              study_summary(view, told) +
                  (view.points.size() > 1 ? point_section(view, told) : "") +
                  lines_section(view, told) + front_section(view, told) + bars_section(view, told) +
                  accelerator_layers(view, told) + accelerator_origin(view),
              kFooterOfModels);
}

}  // namespace ridge::report
