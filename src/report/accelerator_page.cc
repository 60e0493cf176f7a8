#include "report/accelerator_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/text.h"
#include "export/figure_text.h"
#include "report/accelerator_charts.h"
#include "report/accelerator_sections.h"
#include "report/markup.h"
#include "report/svg.h"

namespace ridge::report {
namespace {

using exports::AcceleratorPoint;
using exports::AcceleratorView;
using exports::Axis;

constexpr std::size_t kMostBars = 64;  ///< layers that charts show

constexpr std::string_view kFooterOfModels =
    "<footer>Every figure is modelled by the stated rules, none is measured. Made by "
    "ridge.</footer>\n";

std::string summary(const AcceleratorView& view) {
  const AcceleratorPoint& p = view.points.front();
  std::string tiles;
  if (view.points.size() == 1) {
    for (const Measure& m : measures(view))
      if (const auto value = m.of_point(p)) tiles += tile(m.text(*value), m.title);
    tiles += tile(exports::percent_text(p.estimate.totals.utilization), "of the array used");
  } else {
    tiles = tile(std::to_string(view.points.size()), "points");
  }
  std::string out = fmt::format(
      "<h1>{}</h1>\n<p class=\"sub\">modelled by the {} convention on {}</p>\n"
      "<div class=\"tiles\">\n{}</div>\n",
      html_escape(printable(view.subject)), name(view.convention),
      html_escape(exports::machine_text(p.machine)), tiles);
  if (const std::string pole = exports::pole_text(p.estimate);
      !pole.empty() && view.points.size() == 1)
    out += "<p class=\"lever\">The network is " + html_escape(pole) + ".</p>\n";
  if (const std::int64_t without = p.network->lowered.without_gemms; without > 0)
    out += fmt::format(
        "<p class=\"lever\">{} MACs are of layers without known products, which cost nothing "
        "here.</p>\n",
        exports::readable(without));
  return out;
}

/// Layers that charts show: those that cost most, in file order.
std::vector<std::size_t> charted(const AcceleratorView& view) {
  const auto& costs = view.points.front().estimate.layers;
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < costs.size(); ++i)
    if (costs[i].total_cycles() > 0) out.push_back(i);
  if (out.size() <= kMostBars) return out;
  std::stable_sort(out.begin(), out.end(), [&](std::size_t a, std::size_t b) {
    return costs[a].total_cycles() > costs[b].total_cycles();
  });
  out.resize(kMostBars);
  std::sort(out.begin(), out.end());
  return out;
}

std::string figure(std::string_view caption, const std::string& markup) {
  return fmt::format("<details class=\"figure\" open><summary>{}</summary>{}</details>\n",
                     html_escape(caption), markup);
}

std::string bars_section(const AcceleratorView& view, const std::vector<Axis>& axes) {
  if (view.points.size() > kSeriesColours) return "";
  std::vector<NamedColour> keys;
  for (std::size_t p = 0; p < view.points.size(); ++p)
    keys.push_back({point_text(view, axes, p), std::string(series_colour(p))});
  const std::vector<std::size_t> layers = charted(view);
  const std::size_t all = view.points.front().estimate.layers.size();
  std::string out;
  if (layers.size() < all)
    out += fmt::format("<p class=\"sub\">{} of {} layers: those with most cycles.</p>\n",
                       layers.size(), all);
  out += colour_keys(keys);
  for (const Measure& m : measures(view)) out += figure(m.title, layer_bars(view, m, layers, keys));
  return section("Layer by layer", out);
}

std::string lines_section(const AcceleratorView& view, const std::vector<Axis>& axes) {
  std::string out;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    if (!numeric(axes[a])) continue;
    const std::vector<NamedColour> keys = line_keys(view, axes, a);
    if (keys.size() > kSeriesColours) continue;
    std::string charts;
    for (const Measure& m : measures(view))
      charts += fmt::format("<figure><figcaption>{}</figcaption>{}</figure>\n", m.title,
                            sweep_lines(view, axes, a, m));
    out += section("Over " + axes[a].title,
                   colour_keys(keys) + "<div class=\"charts\">\n" + charts + "</div>\n");
  }
  return out;
}

std::optional<Spot> spot(const std::optional<double>& x, const std::optional<double>& y,
                         const Measure& duration, const std::string& label, bool best) {
  if (!x || !y) return std::nullopt;
  return Spot{*x, *y, label + "\n" + duration.text(*x) + ", " + energy_measure().text(*y), best};
}

/// Points against one another; of a single point the mappings of its costliest layer.
std::string front_section(const AcceleratorView& view, const std::vector<Axis>& axes) {
  const Measure& duration = duration_measure(view);
  std::vector<Spot> all;
  std::string what = "Points: the line joins those that no other beats in both.";
  if (view.points.size() > 1) {
    for (std::size_t i = 0; i < view.points.size(); ++i)
      if (auto s =
              spot(duration.of_point(view.points[i]), energy_measure().of_point(view.points[i]),
                   duration, point_text(view, axes, i), view.points[i].best))
        all.push_back(std::move(*s));
  } else if (const AcceleratorPoint& p = view.points.front(); !p.fronts.empty()) {
    const auto most = std::max_element(
        p.estimate.layers.begin(), p.estimate.layers.end(),
        [](const auto& a, const auto& b) { return a.total_cycles() < b.total_cycles(); });
    const auto i = static_cast<std::size_t>(most - p.estimate.layers.begin());
    what = "Mappings of " + printable(p.network->lowered.layers[i].name) +
           " that no other beats in both.";
    for (const accelerator::Found& f : p.fronts[i])
      if (auto s =
              spot(f.cost.latency_ns,
                   f.cost.energy ? std::optional(f.cost.energy->total()) : std::nullopt, duration,
                   fmt::format("{}, tile {} x {} x {}, loops {}", name(f.mapping.dataflow),
                               f.mapping.tile.m, f.mapping.tile.n, f.mapping.tile.k,
                               name(f.mapping.order)),
                   true))
        all.push_back(std::move(*s));
  }
  if (all.size() < 2) return "";
  return section("Latency and energy", "<p class=\"sub\">" + html_escape(what) + "</p>\n" +
                                           spots(all, duration, energy_measure()));
}

}  // namespace

std::string accelerator_page(const AcceleratorView& view) {
  const std::vector<Axis> told = axes(view);
  return page("ridge accel: " + view.subject,
              summary(view) + (view.points.size() > 1 ? point_section(view, told) : "") +
                  lines_section(view, told) + front_section(view, told) + bars_section(view, told) +
                  accelerator_layers(view, told) + accelerator_origin(view) +
                  std::string(kFooterOfModels));
}

}  // namespace ridge::report
