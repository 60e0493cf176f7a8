// SPDX-License-Identifier: Apache-2.0
#include "report/profile/verification_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "export/profile/verification_text.h"
#include "report/chart/keys.h"
#include "report/chart/plot.h"
#include "report/chart/row_plot.h"
#include "report/kit/markup.h"
#include "report/kit/terms.h"

namespace ridge::report {
namespace {

using profile::Profile;
using profile::VerifiedCut;

constexpr PlotSize kVerificationSize = {
    .width = 900, .height = 380, .left = 80, .right = 880, .top = 16, .floor = 340};

/// Times that the layers are said to take, from the first to each of them; the time outside layers
/// is distributed in proportion.
std::vector<ChartPlace> said_times(const Profile& p) {
  std::vector<ChartPlace> out = {{0, 0}};
  const double outside =
      p.profiling.outside_layers_ns / std::max(p.profiling.corrected_sum_ns, 1.0);
  double layers = 0;
  for (const profile::Layer& layer : p.layers) {
    layers += layer.corrected_ns;
    out.push_back({layers * (1 + outside), layers * (1 + outside)});
  }
  return out;
}

double said_ns(const VerifiedCut& cut) { return cut.layers_ns + cut.outside_ns; }

std::string mark(const Profile& p, const VerifiedCut& cut, const Plot& plot) {
  const double x = said_ns(cut);
  std::string out;
  if (const auto& interval = cut.part_ns.interval)
    out += plot.segment({x, interval->hi}, {x, interval->lo});
  out += plot.dot({x, cut.part_ns.value}, 4.5, "");
  if (cut.explained_ns) out += plot.dot({x, cut.explained_ns->value}, 4.5, "class=\"cold\"");
  return svg_group(
      fmt::format("class=\"cut {}\" data-node=\"{}\"", profile::name(cut.verdict), cut.node),
      exports::cut_text(p, cut), out);
}

std::string verification_chart_svg(const Profile& p) {
  const std::vector<ChartPlace> said = said_times(p);
  ValueRange range;
  range.take(p.latency.ns.value);
  range.take(said.back().y);
  for (const VerifiedCut& cut : p.verification.cuts) {
    range.take(said_ns(cut));
    range.take(cut.part_ns.value);
    if (std::isfinite(cut.part_ns.high())) range.take(cut.part_ns.high());
    if (cut.explained_ns) range.take(cut.explained_ns->value);
  }
  const ChartAxis axis{.low = 0, .high = range.high};
  const Plot plot(axis, axis, kVerificationSize);
  std::string out = plot.grid_y(short_duration) + plot.x_labels(axis.ticks(), short_duration) +
                    plot.line(said, "class=\"said\"");
  for (const VerifiedCut& cut : p.verification.cuts) out += mark(p, cut, plot);
  return plot.svg("vf", "layer times against parts of the model", out);
}

std::string verification_table(const Profile& p) {
  std::string rows;
  for (const VerifiedCut& cut : p.verification.cuts)
    rows += fmt::format(
        "<tr><td class=\"name\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
        "<td class=\"n\">{} .. {}</td><td class=\"n\">{:+.1f} %</td>"
        "<td class=\"n\">{}</td><td>{}</td></tr>\n",
        html_escape(exports::cut_name(p, cut)), cut.layers,
        duration(cut.layers_ns + cut.outside_ns), duration(cut.part_ns.low()),
        duration(cut.part_ns.high()), 100 * cut.difference.value,
        cut.explained_ns ? duration(cut.explained_ns->value) : "", profile::name(cut.verdict));
  return "<div class=\"scroll\"><table><thead><tr><th>up to</th><th class=\"n\">layers</th><th "
         "class=\"n\">said to take</th><th class=\"n\">the part takes</th><th "
         "class=\"n\">difference"
         "</th><th class=\"n\">behind the whole model</th><th>verdict</th></tr></thead><tbody>\n" +
         rows + "</tbody></table></div>\n";
}

}  // namespace

std::string verification_section(const Profile& p) {
  if (!p.verification.asked()) return "";
  std::string markup = "<p class=\"sub\">" + html_escape(exports::verification_text(p)) + "</p>\n";
  if (!p.verification.cuts.empty())
    markup += legend({"cut", "turn"}) + scrolled(verification_chart_svg(p)) + verification_table(p);
  return section("Layer times against parts of the model", markup);
}

}  // namespace ridge::report
