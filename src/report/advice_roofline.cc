#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text.h"
#include "report/advice_arrows.h"
#include "report/advice_sections.h"
#include "report/html.h"
#include "report/markup.h"
#include "report/svg.h"
#include "report/terms.h"

namespace ridge::report {
namespace {

constexpr std::size_t kMostBubbles = 400, kMostArrows = 12, kLongestLabel = 300;
constexpr double kHead = 7, kLetter = 6.6, kLine = 13;

/// A finding's arrow, and the ids of its two ends among the points of the chart.
struct Drawn {
  const advice::Finding* finding = nullptr;
  GainArrow arrow;
  std::string from, to;
};

struct Spot {
  double x = 0, y = 0;
  double radius = 0;
};

/// Value of an attribute of the tag that begins at `tag`; nullopt without one.
std::optional<double> attribute_of(std::string_view tag, std::string_view name) {
  const std::string key = fmt::format(" {}=\"", name);
  const std::size_t at = tag.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view text = tag.substr(at + key.size());
  double value = 0;
  const auto done = std::from_chars(text.data(), text.data() + text.size(), value);
  return done.ec == std::errc() ? std::optional(value) : std::nullopt;
}

/// Place of the point with that id: only the chart knows its axes.
std::optional<Spot> spot_of(std::string_view chart, std::string_view id) {
  const std::size_t at = chart.find(fmt::format("<circle data-id=\"{}\"", id));
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view tag = chart.substr(at, chart.find('>', at) - at);
  const std::optional<double> x = attribute_of(tag, "cx"), y = attribute_of(tag, "cy");
  if (!x || !y) return std::nullopt;
  return Spot{*x, *y, attribute_of(tag, "r").value_or(0)};
}

std::string gain_words(const Drawn& d) {
  return fmt::format("{} gain {}", d.arrow.achieved ? "achieved" : "predicted",
                     duration(d.arrow.gain_ns));
}

std::string tooltip(const Drawn& d) {
  const GainArrow& a = d.arrow;
  std::string out = fmt::format(
      "{}: {}\n{} together: {} now, {} then\n{}FLOP/s now, {}FLOP/s then, at {:.2f} FLOP/B",
      short_name(d.finding->id), gain_words(d),
      counted(static_cast<std::int64_t>(a.layers), "layer"), duration(a.time_ns),
      duration(a.time_ns - a.gain_ns), si(a.now), si(a.then), a.intensity);
  if (d.finding->check) out += "\ncheck: " + state_words(*d.finding->check);
  return out;
}

/// Both ends of the arrow as points of the chart, so that its axes contain them.
void add_ends(const Drawn& d, double all_ns, Chart& chart) {
  const GainArrow& a = d.arrow;
  const std::string name = fmt::format("{}: {}", short_name(d.finding->id),
                                       counted(static_cast<std::int64_t>(a.layers), "layer"));
  const double whole = std::max(all_ns, 1e-9);
  chart.points.push_back(
      {a.intensity, a.now, a.time_ns / whole, name + " together, now", a.type, d.from});
  chart.points.push_back({a.intensity, a.then, (a.time_ns - a.gain_ns) / whole,
                          name + " together, after " + gain_words(d), a.type, d.to});
}

/// Labels of arrows, each moved down until it is clear of those before it.
class Labels {
 public:
  Spot place(Spot at, std::size_t letters) {
    const double wide = kLetter * static_cast<double>(letters);
    const auto meets = [&](const Box& b) {
      return at.x < b.x + b.wide && b.x < at.x + wide && std::abs(at.y - b.y) < kLine;
    };
    for (std::size_t i = 0; i <= boxes_.size() && std::ranges::any_of(boxes_, meets); ++i)
      at.y += kLine;
    boxes_.push_back({at.x, at.y, wide});
    return at;
  }

 private:
  struct Box {
    double x = 0, y = 0, wide = 0;
  };
  std::vector<Box> boxes_;
};

std::string arrow_markup(const Drawn& d, Spot from, Spot to, Labels& labels) {
  const double down = to.y > from.y ? 1 : -1;  // a loss points down
  std::string out =
      fmt::format("<g class=\"{}\"><title>{}</title>\n",
                  d.arrow.achieved ? "achieved" : "predicted", html_escape(tooltip(d)));
  out += svg_line(from.x, from.y, to.x, to.y);
  out += fmt::format("<path d=\"M{:.1f} {:.1f} l{:.1f} {:.1f} l{:.1f} 0 z\"/>\n", to.x, to.y,
                     -kHead * 0.6, -down * kHead, kHead * 1.2);
  const std::string name = shorten_middle(printable(d.finding->id), 24);
  const Spot label = labels.place({.x = to.x + to.radius + 4, .y = to.y + 4}, name.size());
  return out + svg_text(label.x, label.y, "", name) + "</g>\n";
}

std::string arrows_markup(std::string_view chart, const std::vector<Drawn>& drawn) {
  std::string out = "<g class=\"arrows\">\n";
  Labels labels;
  for (const Drawn& d : drawn) {
    const std::optional<Spot> from = spot_of(chart, d.from), to = spot_of(chart, d.to);
    if (from && to) out += arrow_markup(d, *from, *to, labels);
  }
  return out + "</g>\n";
}

/// Bubbles with the largest shares; returns the share of those left out.
double keep_largest(std::vector<ChartPoint>& points) {
  if (points.size() <= kMostBubbles) return 0;
  std::ranges::stable_sort(points, std::ranges::greater{}, &ChartPoint::share);
  double share = 0;
  for (std::size_t i = kMostBubbles; i < points.size(); ++i) share += points[i].share;
  points.resize(kMostBubbles);
  return share;
}

struct Choice {
  std::vector<Drawn> drawn;
  std::string left_out;  ///< sentences about findings without an arrow
};

Choice choose(const AdviceView& view) {
  Choice out;
  std::size_t beyond = 0;
  for (const advice::Finding* f : view.findings) {
    if (f->nodes.empty()) continue;
    GainArrow arrow = gain_arrow(view, *f);
    if (!arrow.why_not.empty()) {
      out.left_out += fmt::format(" No arrow for {}: {}.", short_name(f->id), arrow.why_not);
    } else if (out.drawn.size() == kMostArrows) {
      ++beyond;
    } else {
      const std::size_t i = out.drawn.size();
      out.drawn.push_back(
          {f, std::move(arrow), fmt::format("now-{}", i), fmt::format("then-{}", i)});
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
  const Choice choice = choose(view);
  double layers_ns = 0;
  for (const profile::Layer& layer : view.run.layers) layers_ns += layer.corrected_ns;
  for (const Drawn& d : choice.drawn) add_ends(d, layers_ns, chart);
  std::string svg = roofline_svg(chart);
  if (!choice.drawn.empty()) svg.insert(svg.rfind("</svg>"), arrows_markup(svg, choice.drawn));
  std::string sub = "A bubble per layer, its area the share of the time.";
  if (!choice.drawn.empty())
    sub +=
        " An arrow moves the layers that contain a finding's nodes, taken together, from where "
        "they "
        "are to where its gain takes them.";
  sub += choice.left_out;
  if (all > kMostBubbles)
    sub +=
        fmt::format(" Left out: {} with {:.1f} % of the time.",
                    counted(static_cast<std::int64_t>(all - kMostBubbles), "layer"), 100 * hidden);
  std::string out = "<p class=\"sub\">" + html_escape(sub) + "</p>\n" + legend({"layer", "roof"});
  if (!choice.drawn.empty())
    out +=
        "<p class=\"keys\"><span class=\"key arrow\">arrow, solid: achieved in a check</span>"
        "<span class=\"key arrow dashed\">arrow, dashed: predicted</span><span class=\"key "
        "ring\">ring: the layers of a finding together, now and then</span></p>\n";
  return section("Roofline", out + scrolled(svg));
}

}  // namespace ridge::report
