#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "export/figure_text.h"
#include "report/evaluation_sections.h"
#include "report/markup.h"
#include "report/svg.h"

namespace ridge::report {
namespace {

constexpr double kWidth = 1200, kLabels = 230, kValues = 100, kTop = 8, kRow = 34, kBar = 22;
/// Steps with a color of their own; wait and run have two more.
constexpr std::size_t kMostSteps = kSeriesColors - 2;

/// A part of what a query takes.
struct Part {
  std::string name;
  double mean_ns = 0;
  std::int64_t count = 0;
  std::string how;
};

/// Steps, those beyond kMostSteps as one, then wait and run of the queries.
std::vector<Part> parts_of(const EvaluationPoint& p) {
  std::vector<Part> out;
  for (const StepTime& step : p.steps) {
    if (out.size() == kMostSteps) {
      out.back().name = "other steps";
      out.back().mean_ns += step.mean_ns;
      continue;
    }
    out.push_back({printable(step.name), step.mean_ns, step.count,
                   "made ahead of the load, once for each sample"});
  }
  double wait = 0, run = 0;
  std::int64_t queries = 0;
  for (const scenario::Query& q : p.load->queries) {
    if (q.failed == 1) continue;
    wait += static_cast<double>(q.issued_ns - q.scheduled_ns);
    run += static_cast<double>(q.done_ns - q.issued_ns);
    ++queries;
  }
  if (queries == 0) return {};
  const auto n = static_cast<double>(queries);
  out.push_back({"wait", wait / n, queries, "from the scheduled moment to issue, under load"});
  out.push_back({"run", run / n, queries, "from issue to answer, in its lane"});
  return out;
}

double sum_of(const std::vector<Part>& parts) {
  double sum = 0;
  for (const Part& part : parts) sum += part.mean_ns;
  return sum;
}

std::size_t color_of(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
}

std::string bar(const EvaluationPoint& p, const std::vector<Part>& parts,
                const std::vector<std::string>& names, double most, double y) {
  std::string out =
      svg_text(kLabels - 10, y + kBar / 2 + 4, "end", shorten_middle(title_of(p), 28));
  double x = kLabels;
  for (const Part& part : parts) {
    const double width = part.mean_ns / most * (kWidth - kLabels - kValues);
    out += fmt::format(
        "<rect style=\"fill:{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.2f}\" "
        "height=\"{}\"><title>{}</title></rect>\n",
        series_color(color_of(names, part.name)), x, y, width, kBar,
        html_escape(fmt::format("{}: {}", part.name, duration(part.mean_ns))));
    x += width;
  }
  return out + svg_text(x + 8, y + kBar / 2 + 4, "start", duration(sum_of(parts)));
}

std::string table_rows(const EvaluationPoint& p, const std::vector<Part>& parts) {
  std::string out;
  const double sum = sum_of(parts);
  for (const Part& part : parts)
    out += "<tr>" + text_cell(title_of(p)) + "<td>" + html_escape(part.name) + "</td>" +
           number_cell(part.mean_ns, duration(part.mean_ns)) +
           number_cell(part.mean_ns / sum, exports::percent_text(part.mean_ns / sum)) +
           number_cell(static_cast<double>(part.count), count_text(part.count)) + "<td>" +
           html_escape(part.how) + "</td></tr>\n";
  return out;
}

}  // namespace

std::string evaluation_steps_section(const EvaluationView& view) {
  std::vector<std::pair<const EvaluationPoint*, std::vector<Part>>> all;
  std::vector<std::string> names;
  double most = 0;
  for (const EvaluationPoint& p : view.points) {
    if (!has_queries(p)) continue;
    std::vector<Part> parts = parts_of(p);
    if (!(sum_of(parts) > 0)) continue;
    most = std::max(most, sum_of(parts));
    for (const Part& part : parts)
      if (std::ranges::find(names, part.name) == names.end()) names.push_back(part.name);
    all.emplace_back(&p, std::move(parts));
  }
  if (all.empty()) return "";
  std::string bars, table, keys;
  double y = kTop;
  for (const auto& [point, parts] : all) {
    bars += bar(*point, parts, names, most, y);
    table += table_rows(*point, parts);
    y += kRow;
  }
  for (std::size_t i = 0; i < names.size(); ++i) keys += colored_key(series_color(i), names[i]);
  return section(
      "Steps of the application",
      "<p class=\"sub\">Means. Steps before the model run ahead of the load and are not part of a "
      "query's latency; a service that makes them for each query adds them to it.</p>\n"
      "<p class=\"keys ev\">" +
          keys + "</p>\n" +
          scrolled(fmt::format("<svg class=\"ac ev wide\" viewBox=\"0 0 {} {:.0f}\" role=\"img\" "
                               "aria-label=\"steps of the application\">\n{}</svg>\n",
                               kWidth, y, bars)) +
          scrolled("<table class=\"packed\" id=\"steps\"><thead><tr>" + column("runtime", false) +
                   column("step", false) + column("mean", true) + column("share", true) +
                   column("spans", true) + "<th>what it is</th></tr></thead><tbody>\n" + table +
                   "</tbody></table>"));
}

}  // namespace ridge::report
