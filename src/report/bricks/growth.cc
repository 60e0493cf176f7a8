// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/text.h"
#include "report/bricks/sections.h"
#include "report/chart/keys.h"
#include "report/chart/plot.h"
#include "report/chart/svg.h"
#include "report/kit/markup.h"
#include "report/kit/terms.h"

namespace ridge::report {
namespace {

using bricks::Amount;
using bricks::ModelSharing;

/// Planes of the sums and, below it, of each model alone.
constexpr PlotSize kSums = {.width = 1200, .left = 64, .right = 1036, .top = 12, .floor = 210};
constexpr PlotSize kSingle = {.width = 1200, .left = 64, .right = 1036, .top = 240, .floor = 330};
constexpr double kWidestBar = 46, kLabelPitch = 11, kLineHeight = 15, kLetter = 6.9;
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
          [](double v) { return count_text(static_cast<std::int64_t>(std::llround(v))); }};
}
Counted macs() {
  return {"MACs", [](const Amount& a) { return a.macs; }, [](double v) { return si(v); }};
}

/// Cumulative values as steps: at the left edge of its slot each model raises the line.
std::string growth_steps(const std::vector<double>& values, const Plot& plot,
                         std::string_view look) {
  std::vector<ChartPlace> steps = {{0, 0}};
  for (std::size_t i = 0; i < values.size(); ++i) {
    steps.push_back({static_cast<double>(i), values[i]});
    steps.push_back({static_cast<double>(i + 1), values[i]});
  }
  return plot.line(steps, look);
}

/// Both totals at the ends of their lines, apart by the height of a line at least.
std::string ends(double all, double once, const Plot& plot, const Counted& counted) {
  const double x = kSums.right + 8, upper = plot.y().at(all) + 4;
  const double lower = std::max(plot.y().at(once) + 4, upper + kLineHeight);
  const std::string_view bricks = counted.unit == "pieces" ? "bricks" : "MACs of bricks";
  return svg_text(x, upper, "all", fmt::format("{} {}", counted.text(all), counted.unit)) +
         svg_text(x, lower, "once", fmt::format("{} {}", counted.text(once), bricks));
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
  const ChartAxis slots{.low = 0, .high = static_cast<double>(models.size())};
  const Plot sum(slots, {.low = 0, .high = all.back()}, kSums);
  const Plot single(slots, {.low = 0, .high = most}, kSingle);
  const double slot = sum.x().at(1) - sum.x().at(0);
  const double half = std::min(0.35, kWidestBar / slot / 2);
  const auto every = static_cast<std::size_t>(std::ceil(kLabelPitch / slot));
  std::string out = sum.grid_y(counted.text) + single.grid_y(counted.text, 2) +
                    growth_steps(all, sum, "class=\"all\"") +
                    growth_steps(once, sum, "class=\"once\"") +
                    ends(all.back(), once.back(), sum, counted) +
                    svg_text(kSingle.right + 8, kSingle.top + 10, "", "per model");
  const int angle = slot < kUprightBelow ? 90 : 45;
  std::string names;
  for (std::size_t i = 0; i < models.size(); ++i) {
    const double left = sum.x().at(static_cast<double>(i)), at = static_cast<double>(i) + 0.5;
    const double own = counted.value(models[i].pieces()), fresh = counted.value(models[i].fresh);
    out += svg_group("class=\"slot\"",
                     fmt::format("{}: {} {}, {} new\nup to here {} {}, {} once each", view.names[i],
                                 counted.text(own), counted.unit, counted.text(fresh),
                                 counted.text(all[i]), counted.unit, counted.text(once[i])),
                     svg_rect({left, kSums.top, slot, kSingle.floor - kSums.top}, "class=\"hit\"") +
                         single.bar(at - half, at + half, own, "class=\"all\"") +
                         single.bar(at - half, at + half, fresh, "class=\"once\""));
    if (i % every == 0)
      names += svg_turned_text({sum.x().at(at) + 4, kSingle.floor + 12}, -angle, "slant",
                               shorten_middle(view.names[i], kGrowthNameLength));
  }
  return svg_chart("bk", kSums.width, kSingle.floor + names_height(view, angle),
                   fmt::format("{} and bricks in the order of the plan", counted.unit),
                   out + names);
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
