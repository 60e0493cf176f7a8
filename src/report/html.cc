#include "report/html.h"

#include <fmt/format.h>

#include "base/text.h"
#include "export/profile_table.h"
#include "report/markup.h"
#include "report/sections.h"
#include "report/timeline.h"

namespace ridge::report {
namespace {

std::string body(const profile::Profile& p, const roofline::Roofs& roofs) {
  return summary_section(p) + section("Roofline", roofline_svg(layer_chart(p, roofs))) +
         layer_section(p) + timeline_section(p) + type_section(p) + module_section(p) +
         unplaced_section(p) + roof_section(p) + method_section(p);
}

}  // namespace

Chart layer_chart(const profile::Profile& p, const roofline::Roofs& roofs) {
  Chart chart{.roofs = roofs, .dtype = "float32", .points = {}};
  for (const profile::Layer& l : p.layers)
    chart.points.push_back({l.intensity.value_or(0), l.flop_per_s.value_or(0), l.share,
                            l.type + ": " + exports::member_names(p, l), l.type, layer_id(l)});
  return chart;
}

std::string profile_page(const profile::Profile& p, const roofline::Roofs& roofs) {
  return page("ridge: " + p.subject.path, body(p, roofs) + std::string(kFooter));
}

std::string sweep_page(const profile::Sweep& sweep, const std::vector<roofline::Roofs>& roofs) {
  std::string rows;
  double best = 0;
  for (const profile::SweepPoint& point : sweep.points()) best = std::max(best, point.items_per_s);
  for (const profile::SweepPoint& point : sweep.points())
    rows += "<tr>" + text_cell(point.label) +
            number_cell(point.latency_ns.median, duration(point.latency_ns.median)) +
            fmt::format("<td class=\"n\">{} .. {}</td>", duration(point.latency_ns.low),
                        duration(point.latency_ns.high)) +
            fmt::format("<td data-v=\"{:.9g}\">{} {:.2f}</td></tr>\n", point.items_per_s,
                        bar(point.items_per_s / std::max(best, 1e-9), 220), point.items_per_s);
  const auto knee = sweep.knee_batch();
  std::string out =
      "<h1>Sweep</h1>\n<p class=\"lever\">" +
      (knee
           ? fmt::format("Doubling the batch from {} adds at most 5 % throughput.", *knee)
           : std::string(
                 "Every doubling of the batch that was measured added more than 5 % throughput.")) +
      "</p>\n<table class=\"sortable\"><thead><tr><th data-sort=\"text\">point</th><th class=\"n\" "
      "data-sort=\"number\">latency</th>"
      "<th class=\"n\">95 % interval</th><th "
      "data-sort=\"number\">items/s</th></tr></thead><tbody>\n" +
      rows + "</tbody></table>\n";
  for (std::size_t i = 0; i < sweep.profiles.size(); ++i) {
    const roofline::Roofs& roof = i < roofs.size() ? roofs[i] : roofs.back();
    out += fmt::format("<details><summary>{}</summary>\n{}{}</details>\n",
                       html_escape(sweep.points()[i].label), summary_section(sweep.profiles[i]),
                       roofline_svg(layer_chart(sweep.profiles[i], roof)));
  }
  return page("ridge: sweep", out + std::string(kFooter));
}

std::string chart_page(const std::string& title, const Chart& chart) {
  return page("ridge: " + title, fmt::format("<h1>{}</h1>\n", html_escape(title)) +
                                     roofline_svg(chart) + std::string(kFooter));
}

}  // namespace ridge::report
