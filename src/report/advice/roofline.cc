// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "export/advice/words.h"
#include "report/advice/arrows.h"
#include "report/advice/sections.h"
#include "report/kit/markup.h"
#include "report/kit/terms.h"
#include "report/profile/page.h"

namespace ridge::report {
namespace {

constexpr std::size_t kMaxBubbles = 400, kMaxArrows = 12, kLongestLabel = 300;

struct Drawn {
  const advice::Finding* finding = nullptr;
  GainArrow arrow;
};

std::string gain_words(const Drawn& d) {
  return fmt::format("{} gain {}", d.arrow.achieved ? "achieved" : "predicted",
                     duration(d.arrow.gain_ns));
}

std::string layer_tooltip(const Drawn& d) {
  const GainArrow& a = d.arrow;
  std::string out = fmt::format(
      "{}: {}\n{} together: {} now, {} then\n{}FLOP/s now, {}FLOP/s then, at {:.2f} FLOP/B",
      short_name(d.finding->id), gain_words(d),
      counted(static_cast<std::int64_t>(a.layers), "layer"), duration(a.time_ns),
      duration(a.time_ns - a.gain_ns), si(a.now), si(a.then), a.intensity);
  if (d.finding->check) out += "\ncheck: " + exports::state_words(*d.finding->check);
  return out;
}

/// Adds an arrow and its ends, which are points of the chart, so that its axes contain them.
void add_arrow(const Drawn& d, double all_ns, Chart& chart) {
  const GainArrow& a = d.arrow;
  const std::string name = fmt::format("{}: {}", short_name(d.finding->id),
                                       counted(static_cast<std::int64_t>(a.layers), "layer"));
  const double whole = std::max(all_ns, 1e-9);
  const std::size_t i = chart.arrows.size(), from = chart.points.size();
  chart.points.push_back({a.intensity, a.now, a.time_ns / whole, name + " together, now", a.type,
                          fmt::format("now-{}", i)});
  chart.points.push_back({a.intensity, a.then, (a.time_ns - a.gain_ns) / whole,
                          name + " together, after " + gain_words(d), a.type,
                          fmt::format("then-{}", i)});
  chart.arrows.push_back({.from = from,
                          .to = from + 1,
                          .label = shorten_middle(printable(d.finding->id), 24),
                          .tooltip = layer_tooltip(d),
                          .css = a.achieved ? "achieved" : "predicted"});
}

/// Bubbles with the largest shares; returns the share of those left out.
double keep_largest(std::vector<ChartPoint>& points) {
  if (points.size() <= kMaxBubbles) return 0;
  std::ranges::stable_sort(points, std::ranges::greater{}, &ChartPoint::share);
  double share = 0;
  for (std::size_t i = kMaxBubbles; i < points.size(); ++i) share += points[i].share;
  points.resize(kMaxBubbles);
  return share;
}

struct Choice {
  std::vector<Drawn> drawn;
  std::string left_out;  ///< sentences about findings without an arrow
};

Choice choose_layers(const AdviceView& view) {
  Choice out;
  std::size_t beyond = 0;
  for (const advice::Finding* f : view.findings) {
    if (f->nodes.empty()) continue;
    GainArrow arrow = gain_arrow(view, *f);
    if (!arrow.why_not.empty()) {
      out.left_out += fmt::format(" No arrow for {}: {}.", short_name(f->id), arrow.why_not);
    } else if (out.drawn.size() == kMaxArrows) {
      ++beyond;
    } else {
      out.drawn.push_back({f, std::move(arrow)});
    }
  }
  if (beyond > 0)
    out.left_out += fmt::format(" {} with less gain have no arrow.",
                                counted(static_cast<std::int64_t>(beyond), "finding"));
  return out;
}

}  // namespace

std::string advice_roofline_section(const AdviceView& view) {
  Chart chart = layer_chart(view.run, view.roofs);
  const std::size_t all = chart.points.size();
  const double hidden = keep_largest(chart.points);
  for (ChartPoint& point : chart.points)
    point.label = shorten_middle(printable(point.label), kLongestLabel);
  const Choice choice = choose_layers(view);
  double layers_ns = 0;
  for (const profile::Layer& layer : view.run.layers) layers_ns += layer.corrected_ns;
  for (const Drawn& d : choice.drawn) add_arrow(d, layers_ns, chart);
  std::string sub = "A bubble per layer, its area the share of the time.";
  if (!choice.drawn.empty())
    sub +=
        " An arrow moves the layers that contain a finding's nodes, taken together, from where "
        "they "
        "are to where its gain takes them.";
  sub += choice.left_out;
  if (all > kMaxBubbles)
    sub +=
        fmt::format(" Left out: {} with {:.1f} % of the time.",
                    counted(static_cast<std::int64_t>(all - kMaxBubbles), "layer"), 100 * hidden);
  std::string out = "<p class=\"sub\">" + html_escape(sub) + "</p>\n" + legend({"layer", "roof"});
  if (!choice.drawn.empty())
    out +=
        "<p class=\"keys\"><span class=\"key arrow\">arrow, solid: achieved in a check</span>"
        "<span class=\"key arrow dashed\">arrow, dashed: predicted</span><span class=\"key "
        "ring\">ring: the layers of a finding together, now and then</span></p>\n";
  return section("Roofline", out + scrolled(roofline_svg(chart)));
}

}  // namespace ridge::report
