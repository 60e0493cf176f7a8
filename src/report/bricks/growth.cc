#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/text.h"
#include "report/bricks/sections.h"
#include "report/chart/svg.h"
#include "report/kit/markup.h"
#include "report/kit/terms.h"

namespace ridge::report {
namespace {

using bricks::Amount;
using bricks::ModelSharing;

constexpr double kGrowthWidth = 1200, kGrowthLeft = 64, kGrowthRight = 150, kGrowthTop = 12,
                 kFloor = 210, kGrowthBarsTop = 240, kGrowthBarsFloor = 330, kWidestBar = 46,
                 kLabelPitch = 11, kLineHeight = 15, kLetter = 6.9;
/// Width of a model below which its name stands upright instead of at 45 degrees.
constexpr double kUprightBelow = 18;
constexpr std::size_t kGrowthNameLength = 24;

/// Quantity that a chart counts: pieces, or their MACs.
struct Counted {
  std::string_view unit;  ///< "pieces", "MACs"
  std::function<double(const Amount&)> value;
  std::function<std::string(double)> text;
};

Counted pieces() {
  return {"pieces", [](const Amount& a) { return static_cast<double>(a.pieces); },
          [](double v) { return count_words(static_cast<std::int64_t>(std::llround(v))); }};
}
Counted macs() {
  return {"MACs", [](const Amount& a) { return a.macs; }, [](double v) { return si(v); }};
}

/// Vertical scale from 0.
struct GrowthAxis {
  double high = 1, floor = 0, top = 0;
  double y(double value) const { return floor - value / high * (floor - top); }
};

std::string growth_grid(const GrowthAxis& axis, const Counted& counted, std::size_t every) {
  std::string out;
  const std::vector<double> values = round_values(0, axis.high);
  for (std::size_t i = 0; i < values.size(); i += every)
    out +=
        svg_line(kGrowthLeft, axis.y(values[i]), kGrowthWidth - kGrowthRight, axis.y(values[i])) +
        svg_text(kGrowthLeft - 8, axis.y(values[i]) + 4, "end",
                 values[i] == 0 ? "0" : counted.text(values[i]));
  return out;
}

/// Cumulative values as steps: at the left edge of its slot each model raises the line.
std::string growth_steps(const std::vector<double>& values, double slot, const GrowthAxis& axis,
                         std::string_view css) {
  std::string path = fmt::format("M{:.1f} {:.1f}", kGrowthLeft, axis.y(0));
  for (std::size_t i = 0; i < values.size(); ++i)
    path += fmt::format(" V{:.1f} H{:.1f}", axis.y(values[i]),
                        kGrowthLeft + slot * static_cast<double>(i + 1));
  return fmt::format("<path class=\"{}\" d=\"{}\"/>\n", css, path);
}

std::string growth_bar(double x, double width, const GrowthAxis& axis, double value,
                       std::string_view css) {
  return fmt::format(
      "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n", css,
      x - width / 2, axis.y(value), width, axis.floor - axis.y(value));
}

/// Both totals at the ends of their lines, apart by the height of a line at least.
std::string ends(double all, double once, const GrowthAxis& axis, const Counted& counted) {
  const double x = kGrowthWidth - kGrowthRight + 8, upper = axis.y(all) + 4;
  const double lower = std::max(axis.y(once) + 4, upper + kLineHeight);
  const std::string_view bricks = counted.unit == "pieces" ? "bricks" : "MACs of bricks";
  return svg_text(x, upper, "all", fmt::format("{} {}", counted.text(all), counted.unit)) +
         svg_text(x, lower, "once", fmt::format("{} {}", counted.text(once), bricks));
}

std::string name_below(const BricksView& view, std::size_t model, double x, int angle) {
  return fmt::format(
      "<text class=\"slant\" transform=\"translate({:.1f} {:.0f}) rotate(-{})\">{}</text>\n", x + 4,
      kGrowthBarsFloor + 12, angle,
      html_escape(shorten_middle(view.names[model], kGrowthNameLength)));
}

double names_height(const BricksView& view, int angle) {
  std::size_t longest = 0;
  for (const std::string& name : view.names)
    longest = std::max(longest, std::min(kGrowthNameLength, name.size()));
  const double length = kLetter * static_cast<double>(longest);
  return 26 + (angle == 90 ? length : 0.72 * length);
}

std::string growth_chart(const BricksView& view, const Counted& counted) {
  const std::vector<ModelSharing>& models = view.sharing.models;
  std::vector<double> all, once;
  double most = 0;
  Amount pieces, bricks;
  for (const ModelSharing& m : models) {
    pieces += m.pieces();
    bricks += m.fresh;
    all.push_back(counted.value(pieces));
    once.push_back(counted.value(bricks));
    most = std::max(most, counted.value(m.pieces()));
  }
  if (!(most > 0)) return "";
  const GrowthAxis sum{all.back(), kFloor, kGrowthTop},
      single{most, kGrowthBarsFloor, kGrowthBarsTop};
  const double slot =
      (kGrowthWidth - kGrowthLeft - kGrowthRight) / static_cast<double>(models.size());
  const double width = std::min(slot * 0.7, kWidestBar);
  const auto every = static_cast<std::size_t>(std::ceil(kLabelPitch / slot));
  std::string out = growth_grid(sum, counted, 1) + growth_grid(single, counted, 2) +
                    growth_steps(all, slot, sum, "all") + growth_steps(once, slot, sum, "once") +
                    ends(all.back(), once.back(), sum, counted) +
                    svg_text(kGrowthWidth - kGrowthRight + 8, kGrowthBarsTop + 10, "", "per model");
  const int angle = slot < kUprightBelow ? 90 : 45;
  std::string names;
  for (std::size_t i = 0; i < models.size(); ++i) {
    const double x = kGrowthLeft + slot * (static_cast<double>(i) + 0.5);
    const double own = counted.value(models[i].pieces()), fresh = counted.value(models[i].fresh);
    out += fmt::format(
        "<g class=\"slot\"><title>{}</title><rect class=\"hit\" x=\"{:.1f}\" y=\"{:.0f}\" "
        "width=\"{:.1f}\" height=\"{:.0f}\"/>\n{}{}</g>\n",
        html_escape(fmt::format("{}: {} {}, {} new\nup to here {} {}, {} once each", view.names[i],
                                counted.text(own), counted.unit, counted.text(fresh),
                                counted.text(all[i]), counted.unit, counted.text(once[i]))),
        x - slot / 2, kGrowthTop, slot, kGrowthBarsFloor - kGrowthTop,
        growth_bar(x, width, single, own, "all"), growth_bar(x, width, single, fresh, "once"));
    if (i % every == 0) names += name_below(view, i, x, angle);
  }
  return fmt::format(
      "<svg class=\"bk\" viewBox=\"0 0 {} {:.0f}\" role=\"img\" aria-label=\"{} and bricks in the "
      "order of the plan\">\n{}</svg>\n",
      kGrowthWidth, kGrowthBarsFloor + names_height(view, angle), counted.unit, out + names);
}

}  // namespace

std::string growth_section(const BricksView& view) {
  if (view.plan->models.size() < 2) return "";
  const std::string by_pieces = growth_chart(view, pieces()), by_macs = growth_chart(view, macs());
  if (by_pieces.empty()) return "";
  return section(
      "What a new model adds",
      "<p class=\"sub\">Sums over the models in the order of the plan, and below them each model "
      "alone.</p>\n" +
          legend({"piece", "brick"}) +
          "<p class=\"keys\"><span class=\"key known\">pieces</span><span class=\"key "
          "fresh\">bricks: pieces that no model before has, once each</span></p>\n" +
          scrolled(by_pieces) +
          (by_macs.empty()
               ? std::string()
               : figure("In multiply-accumulates", scrolled(by_macs), Folded::kClosed)));
}

}  // namespace ridge::report
