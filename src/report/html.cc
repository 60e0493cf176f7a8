#include "report/html.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "compare/run_labels.h"
#include "export/profile_table.h"
#include "report/markup.h"
#include "report/sections.h"
#include "report/timeline.h"
#include "report/verification_chart.h"

namespace ridge::report {
namespace {

std::string body(const profile::Profile& p, const roofline::Roofs& roofs) {
  return summary_section(p) + section("Roofline", roofline_svg(layer_chart(p, roofs))) +
         layer_section(p) + verification_section(p) + timeline_section(p) + type_section(p) +
         module_section(p) + unplaced_section(p) + roof_section(p) + method_section(p);
}

/// "ONNX Runtime 1.31.1, OpenVINO 2026.4": those of the points, each once.
std::string runtimes_of(const profile::Sweep& sweep) {
  std::vector<std::string> out;
  for (const profile::Profile& p : sweep.profiles)
    if (std::string runtime = compare::facts_of(p).runtime; !std::ranges::count(out, runtime))
      out.push_back(std::move(runtime));
  return fmt::format("{}", fmt::join(out, ", "));
}

/// Model and machine, which all points share, their runtimes, and what the axes did.
std::string sweep_head(const profile::Sweep& sweep) {
  const profile::Subject& subject = sweep.profiles[0].subject;
  const compare::RunFacts facts = compare::facts_of(sweep.profiles[0]);
  std::string out =
      fmt::format("<h1>{}</h1>\n<p class=\"sub\">{}{}{} · {} · ridge {}</p>\n",
                  html_escape(subject.path), html_escape(runtimes_of(sweep)),
                  facts.machine.empty() ? "" : " · ", html_escape(facts.machine),
                  counted(std::ssize(sweep.profiles), "point"), html_escape(subject.ridge_version));
  for (const std::string& finding : sweep.findings())
    out += "<p class=\"lever\">" + html_escape(finding) + "</p>\n";
  return out;
}

std::string points_table(const std::vector<profile::SweepPoint>& points) {
  std::string rows;
  double best = 0;
  for (const profile::SweepPoint& point : points) best = std::max(best, point.items_per_s);
  for (const profile::SweepPoint& point : points)
    rows += "<tr>" + text_cell(point.label) +
            number_cell(point.latency_ns.median, duration(point.latency_ns.median)) +
            fmt::format("<td class=\"n\">{} .. {}</td>", duration(point.latency_ns.low),
                        duration(point.latency_ns.high)) +
            fmt::format("<td data-v=\"{:.9g}\">{} {:.2f}</td></tr>\n", point.items_per_s,
                        bar(point.items_per_s / std::max(best, 1e-9), 220), point.items_per_s);
  return "<table class=\"sortable\"><thead><tr><th data-sort=\"text\">point</th><th class=\"n\" "
         "data-sort=\"number\">latency</th>"
         "<th class=\"n\">95 % interval</th><th "
         "data-sort=\"number\">items/s</th></tr></thead><tbody>\n" +
         rows + "</tbody></table>\n";
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

std::string profile_page(const profile::Profile& p, const roofline::Roofs& roofs) {
  return page("ridge: " + p.subject.path, body(p, roofs) + std::string(kFooter));
}

std::string sweep_page(const profile::Sweep& sweep, const std::vector<roofline::Roofs>& roofs) {
  std::string out = sweep_head(sweep) + points_table(sweep.points());
  for (std::size_t i = 0; i < sweep.profiles.size(); ++i) {
    const profile::Profile& p = sweep.profiles[i];
    const roofline::Roofs& roof = i < roofs.size() ? roofs[i] : roofs.back();
    const std::string id = fmt::format("point-{}-", i + 1);
    out += fmt::format("<details class=\"point\"><summary>{}</summary>\n{}{}{}</details>\n",
                       html_escape(sweep.points()[i].label), figures_section(p),
                       roofline_svg(layer_chart(p, roof, id)), layer_section(p, id));
  }
  return page("ridge: " + sweep.profiles[0].subject.path + ", sweep", out + std::string(kFooter));
}

std::string chart_page(const std::string& title, const std::vector<TitledChart>& charts,
                       const std::vector<std::string>& notes) {
  std::string out = fmt::format("<h1>{}</h1>\n", html_escape(title));
  for (const TitledChart& c : charts)
    out += c.title.empty() ? roofline_svg(c.chart) : section(c.title, roofline_svg(c.chart));
  for (const std::string& note : notes)
    out += "<p class=\"sub\">note: " + html_escape(note) + "</p>\n";
  return page("ridge: " + title, out + std::string(kFooter));
}

}  // namespace ridge::report
