// SPDX-License-Identifier: Apache-2.0
#include "report/profile/page.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "compare/run_labels.h"
#include "export/profile/table.h"
#include "report/chart/sweep.h"
#include "report/chart/timeline.h"
#include "report/kit/layer_id.h"
#include "report/kit/markup.h"
#include "report/kit/page.h"
#include "report/kit/terms.h"
#include "report/profile/sections.h"
#include "report/profile/verification_chart.h"

namespace ridge::report {
namespace {

std::string body(const profile::Profile& p, const roofline::Roofs& roofs) {
  return summary_section(p) + section("Roofline", scrolled(roofline_svg(layer_chart(p, roofs)))) +
         layer_section(p) + verification_section(p) + timeline_section(p) + type_section(p) +
         module_section(p) + unplaced_section(p) + roof_section(p) + method_section(p);
}

std::vector<compare::RunFacts> facts_of(const profile::Sweep& sweep) {
  std::vector<compare::RunFacts> out;
  for (const profile::Profile& p : sweep.profiles) out.push_back(compare::facts_of(p));
  return out;
}

/// Labels of the points: the settings that differ.
std::vector<std::string> sweep_point_names(const profile::Sweep& sweep) {
  if (sweep.profiles.size() < 2) return {sweep.points()[0].label};
  return compare::distinguishing_labels(facts_of(sweep));
}

/// Heading: model, runtime and machine, other settings that all points share, findings per axis.
std::string sweep_head(const profile::Sweep& sweep) {
  const profile::Subject& subject = sweep.profiles[0].subject;
  std::string shared;
  for (const std::string& text : compare::shared_texts(facts_of(sweep), "model"))
    shared += text + " · ";
  std::string out =
      fmt::format("<h1>{}</h1>\n<p class=\"sub\">{}{} · ridge {}</p>\n", html_escape(subject.path),
                  html_escape(shared), counted(std::ssize(sweep.profiles), "point"),
                  html_escape(subject.ridge_version));
  for (const std::string& finding : sweep.findings())
    out += "<p class=\"lever\">" + html_escape(finding) + "</p>\n";
  return out;
}

std::string points_table(const std::vector<profile::SweepPoint>& points,
                         const std::vector<std::string>& names) {
  std::string rows;
  double best = 0;
  for (const profile::SweepPoint& point : points) best = std::max(best, point.items_per_s);
  for (const profile::SweepPoint& point : points)
    rows += "<tr>" + text_cell(names[static_cast<std::size_t>(&point - points.data())]) +
            number_cell(point.latency_ns.value, duration(point.latency_ns.value)) +
            fmt::format("<td class=\"n\">{} .. {}</td>", duration(point.latency_ns.low()),
                        duration(point.latency_ns.high())) +
            fmt::format("<td data-v=\"{:.9g}\">{} {:.2f}</td></tr>\n", point.items_per_s,
                        bar(point.items_per_s / std::max(best, 1e-9), 220), point.items_per_s);
  return legend({"point"}) + scrolled(
                                 "<table class=\"sortable\"><thead><tr><th "
                                 "data-sort=\"text\">point</th><th class=\"n\" "
                                 "data-sort=\"number\">latency</th>"
                                 "<th class=\"n\">95 % interval</th><th "
                                 "data-sort=\"number\">items/s</th></tr></thead><tbody>\n" +
                                 rows + "</tbody></table>\n");
}

}  // namespace

Chart layer_chart(const profile::Profile& p, const roofline::Roofs& roofs, std::string_view point) {
  Chart chart{.roofs = roofs, .dtype = "float32", .points = {}};
  for (const profile::Layer& l : p.layers)
    chart.points.push_back({l.intensity.value_or(0), l.flop_per_s.value_or(0), l.share,
                            l.type + ": " + exports::member_names(p, l), l.type,
                            layer_id(l, point)});
  return chart;
}

PageContent profile_content(const profile::Profile& p, const roofline::Roofs& roofs) {
  return {"ridge: " + p.subject.path, body(p, roofs), kFooter};
}

std::string profile_page(const profile::Profile& p, const roofline::Roofs& roofs) {
  return page(profile_content(p, roofs));
}

std::string sweep_page(const profile::Sweep& sweep, const std::vector<roofline::Roofs>& roofs) {
  const std::vector<std::string> names = sweep_point_names(sweep);
  std::string out = sweep_head(sweep) + sweep_charts(sweep) + points_table(sweep.points(), names);
  for (std::size_t i = 0; i < sweep.profiles.size(); ++i) {
    const profile::Profile& p = sweep.profiles[i];
    const roofline::Roofs& roof = i < roofs.size() ? roofs[i] : roofs.back();
    const std::string id = fmt::format("point-{}-", i + 1);
    out += fmt::format("<details class=\"point\"><summary>{}</summary>\n{}{}{}</details>\n",
                       html_escape(names[i]), figures_section(p),
                       scrolled(roofline_svg(layer_chart(p, roof, id))), layer_section(p, id));
  }
  return page("ridge: " + sweep.profiles[0].subject.path + ", sweep", out, kFooter);
}

std::string chart_page(const std::string& title, const std::string& shared,
                       const std::vector<TitledChart>& charts,
                       const std::vector<std::string>& notes) {
  std::string out = fmt::format("<h1>{}</h1>\n", html_escape(title));
  if (!shared.empty()) out += "<p class=\"sub\">" + html_escape(shared) + "</p>\n";
  for (const TitledChart& c : charts) {
    const std::string chart = scrolled(roofline_svg(c.chart));
    out += c.title.empty() ? chart : section(c.title, chart);
  }
  for (const std::string& note : notes)
    out += "<p class=\"sub\">note: " + html_escape(note) + "</p>\n";
  return page("ridge: " + title, out, kFooter);
}

}  // namespace ridge::report
