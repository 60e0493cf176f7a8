// SPDX-License-Identifier: Apache-2.0
#include "lab/baseline/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/text.h"
#include "lab/baseline/judge.h"
#include "lab/baseline/subjects.h"
#include "lab/baseline/words.h"
#include "report/chart/axis.h"
#include "report/chart/plot.h"
#include "report/chart/row_plot.h"
#include "report/chart/svg.h"
#include "report/kit/markup.h"
#include "report/kit/page.h"

namespace ridge::lab {
namespace {

/// Rows of the chart, and letters of their names.
constexpr std::size_t kMostRows = 60, kNameLetters = 44;
constexpr report::RowSize kChartSize = {.labels = 340, .values = 200, .top = 42, .row = 20};

using SubjectList = std::vector<const Subject*>;

bool is_outside(const Subject& s, std::uint32_t machine) {
  return std::ranges::find(s.outside, machine) != s.outside.end();
}

std::string number(std::size_t n) { return fmt::format("{}", n); }

std::string head(const Baseline& b) {
  const std::string off = off_machines(b);
  std::size_t left_out = 0;
  for (const LeftOut& l : b.left_out) left_out += l.count;
  return fmt::format(
      "<h1>{}</h1>\n<p class=\"sub\">{} · ridge {}</p>\n<div class=\"tiles\">\n{}{}{}{}</div>\n",
      html_escape(off.empty() ? "No machine lies outside" : "Outside: " + printable(off)),
      html_escape(summary_of(b)), html_escape(printable(b.ridge_version)),
      report::tile(number(b.machines.size()), "machines"),
      report::tile(number(b.subjects.size()), "tests"),
      report::tile(number(b.findings.size()), "tests in which a machine is slower"),
      report::tile(number(left_out), "runs or tests that could not be compared"));
}

std::string table_of(const std::string& columns, const std::string& rows) {
  return report::scrolled(
      fmt::format("<table><thead><tr>{}</tr></thead><tbody>\n{}</tbody></table>", columns, rows));
}

std::string findings_section(const Baseline& b) {
  if (b.findings.empty()) return "";
  std::string rows;
  for (const OffFinding& f : b.findings)
    rows += "<tr>" + report::text_cell(printable(f.machine)) +
            report::text_cell(printable(f.subject)) +
            report::number_cell(f.slowness, slowness_text(f.slowness)) +
            report::number_cell(f.limit, slowness_text(f.limit)) +
            report::number_cell(f.machines, number(f.machines)) +
            report::text_cell(printable(evidence_text(f))) + "</tr>\n";
  return report::section(
      "Machines that lie outside",
      table_of(report::column("machine", false) + report::column("what is slower", false) +
                   report::column("slower", true) + report::column("expected up to", true) +
                   report::column("machines", true) + report::column("evidence", false),
               rows));
}

/// Subjects of the chart: those in which a machine lies outside, then roofs and latencies.
SubjectList charted(const Baseline& b) {
  SubjectList out;
  for (const bool outside : {true, false})
    for (const Subject& s : b.subjects)
      if (!s.outside.empty() == outside && (outside || s.kind != SubjectKind::kLayer) &&
          out.size() < kMostRows)
        out.push_back(&s);
  return out;
}

/// Range of all that the chart draws.
report::ValueRange range_of(const Baseline& b, const SubjectList& subjects) {
  report::ValueRange out;
  out.take(1);
  for (const Subject* s : subjects) {
    out.take(std::min(s->limit, 10.0));
    for (std::uint32_t m = 0; m < b.machines.size(); ++m)
      if (const auto slowness = slowness_in(*s, m))
        out.take(std::clamp(slowness->value, 0.1, 10.0));
  }
  out.low /= 1.01;
  out.high *= 1.01;
  return out;
}

std::string chart_row(const Baseline& b, const Subject& s, std::size_t row,
                      const report::RowPlot& plot) {
  const double y = plot.y(row);
  std::string out =
      plot.label(row, shorten_middle(printable(subject_name(s, b.points)), kNameLetters)) +
      report::svg_line(plot.x().at(s.limit), y - 8, plot.x().at(s.limit), y + 8, "class=\"limit\"");
  std::string names;
  for (std::uint32_t m = 0; m < b.machines.size(); ++m) {
    const auto slowness = slowness_in(s, m);
    if (!slowness) continue;
    const bool outside = is_outside(s, m);
    const std::string machine = printable(b.machines[m].name);
    if (outside) names += (names.empty() ? "" : ", ") + machine;
    out += report::svg_dot({plot.x().at(slowness->value), y}, outside ? 5 : 3.5,
                           outside ? "class=\"invalid\"" : "class=\"undecided\"",
                           machine + " " + slowness_text(slowness->value));
  }
  return out + plot.value(row, shorten(names, 28));
}

std::string chart_section(const Baseline& b) {
  const SubjectList subjects = charted(b);
  const report::ValueRange range = range_of(b, subjects);
  const report::RowPlot plot(report::log_axis(range.low, range.high), kChartSize, subjects.size());
  std::string out = report::svg_text((plot.x().from + plot.x().to) / 2, 11, "middle",
                                     "times slower than the median machine, logarithmic axis") +
                    plot.grid(plot.x().ticks(), [](double v) { return fmt::format("{:.3g}", v); });
  for (std::size_t row = 0; row < subjects.size(); ++row)
    out += chart_row(b, *subjects[row], row, plot);
  return report::section(
      "Each machine in each test",
      "<p class=\"sub\">A dot is a machine, larger and colored where it lies outside; the dashed "
      "mark is the limit for another machine.</p>\n" +
          report::scrolled(plot.svg("ac ev wide", "slowness of each machine in each test", out)));
}

std::string cell(const Subject& s, std::uint32_t machine) {
  const auto slowness = slowness_in(s, machine);
  if (!slowness) return report::number_cell(std::nullopt, "?");
  return fmt::format("<td class=\"n{}\" data-v=\"{:.9g}\">{:.3f}</td>",
                     is_outside(s, machine) ? " wrong" : "", slowness->value, slowness->value);
}

std::string matrix_of(const Baseline& b, const SubjectList& subjects) {
  std::string columns = report::column("test", false) + report::column("limit", true), rows;
  for (const BaselineMachine& m : b.machines) columns += report::column(printable(m.name), true);
  for (const Subject* s : subjects) {
    rows += "<tr>" + report::text_cell(printable(subject_name(*s, b.points))) +
            report::number_cell(s->limit, fmt::format("{:.3f}", s->limit));
    for (std::uint32_t m = 0; m < b.machines.size(); ++m) rows += cell(*s, m);
    rows += "</tr>\n";
  }
  return table_of(columns, rows);
}

std::string matrix_section(const Baseline& b) {
  SubjectList main, layers;
  for (const Subject& s : b.subjects) (s.kind == SubjectKind::kLayer ? layers : main).push_back(&s);
  std::string out =
      "<p class=\"sub\">Times slower than the median machine; colored where it lies "
      "outside.</p>\n";
  if (!main.empty()) out += matrix_of(b, main);
  if (!layers.empty())
    out += report::figure("Layer groups", matrix_of(b, layers), report::Folded::kClosed);
  return report::section("Machines and tests", out);
}

std::string notes_section(const Baseline& b) {
  std::string items;
  for (const LeftOut& l : b.left_out)
    items += "<li>" + html_escape(printable(left_out_text(l))) + "</li>\n";
  const std::string left_out =
      items.empty() ? ""
                    : report::section("Left out", "<ul class=\"notes\">\n" + items + "</ul>\n");
  return left_out +
         report::section(
             "The rule",
             fmt::format("<p>{} Chance of any false accusation where all machines are equal: {:g} "
                         "%; least difference: {:g} %; least number of machines: {}.</p>\n",
                         html_escape(printable(b.rule.method)), 100 * b.rule.false_accusations,
                         100 * b.rule.least_difference, b.rule.least_machines));
}

}  // namespace

std::string baseline_page(const Baseline& b) {
  return report::page(
      "ridge: baseline of machines",
      head(b) + findings_section(b) + chart_section(b) + matrix_section(b) + notes_section(b),
      report::kFooter);
}

}  // namespace ridge::lab
