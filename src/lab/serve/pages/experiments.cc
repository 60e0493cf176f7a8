// SPDX-License-Identifier: Apache-2.0
// Pages of experiments: their list, and one with its points, failures and agents.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/date_text.h"
#include "base/text.h"
#include "lab/serve/agent_age.h"
#include "lab/serve/pages/agents.h"
#include "lab/serve/pages/cells.h"
#include "lab/serve/pages/frame.h"
#include "lab/serve/service.h"
#include "report/kit/markup.h"
#include "session/run_recorder.h"

namespace ridge::lab::serve {
namespace {

using report::column;
using report::text_cell;
using store::ExperimentPoint;
using store::PointState;

double share_of(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string progress_bar(const store::PointCounts& c) {
  return fmt::format(
      "<div class=\"progress\" role=\"progressbar\" aria-label=\"points measured\" "
      "aria-valuemin=\"0\" aria-valuemax=\"{}\" aria-valuenow=\"{}\"><span style=\"width:{:.1f}%\">"
      "</span><span class=\"failed\" style=\"width:{:.1f}%\"></span></div>",
      c.points, c.measured, share_of(c.measured, c.points), share_of(c.failed, c.points));
}

std::string progress_text(const store::PointCounts& c) {
  std::string out = fmt::format("{} of {} measured", c.measured, counted(c.points, "point"));
  if (c.failed > 0) out += fmt::format(", {} failed", c.failed);
  if (c.waiting > 0) out += fmt::format(", {} waiting", c.waiting);
  return out;
}

std::string experiment_row(const store::ExperimentRow& row, std::int64_t now_s) {
  return "<tr>" + link_cell("experiments", row.id) + text_cell(row.head.name) +
         text_cell(word(row.head.state)) + "<td>" + progress_bar(row.counts) + "</td>" +
         count_cell(row.counts.points) + count_cell(row.counts.measured) +
         count_cell(row.counts.failed) + count_cell(row.counts.waiting) +
         date_cell(row.head.started_s) +
         date_cell(row.head.last_s, age_text(row.head.last_s, now_s)) + text_cell(row.head.lab) +
         "</tr>\n";
}

/// Markup of a point in the column of one machine.
std::string entry_of(const ExperimentPoint& point, const std::string& machine,
                     const std::vector<store::Agent>& agents) {
  if (point.state == PointState::kMeasured) {
    if (point.machine != machine) return "";
    if (point.run) return fmt::format("<a href=\"/runs/{0}\">run {0}</a>", *point.run);
    if (point.evaluation)
      return fmt::format("<a href=\"/evaluations/{0}\">evaluation {0}</a>", *point.evaluation);
    return fmt::format("generation {}", point.generation.value_or(0));
  }
  if (point.state == PointState::kFailed) return "<span class=\"failed\">failed</span>";
  const bool is_at_it = std::ranges::any_of(agents, [&](const store::Agent& agent) {
    return agent.name == machine && agent.state == store::AgentState::kMeasuring &&
           agent.doing == point.label;
  });
  return is_at_it ? "measuring" : "waiting";
}

/// Cells of the points of one label, by machine; points of equal labels share a row.
using Cells = std::map<std::string, std::vector<std::string>>;

std::string points_table(const store::ExperimentReport& e) {
  std::vector<std::string> machines, labels;
  std::map<std::string, Cells> rows;
  for (const ExperimentPoint& point : e.points) {
    const auto [row, fresh] = rows.try_emplace(point.label);
    if (fresh) labels.push_back(point.label);
    for (const std::string& machine : point.machines) {
      if (std::ranges::find(machines, machine) == machines.end()) machines.push_back(machine);
      if (std::string entry = entry_of(point, machine, e.agents); !entry.empty())
        row->second[machine].push_back(std::move(entry));
    }
  }
  std::ranges::sort(machines);
  std::string out = "<table class=\"sortable\" id=\"points\"><thead><tr>" + column("point", false);
  for (const std::string& machine : machines) out += column(machine, false);
  out += "</tr></thead><tbody>\n";
  for (const std::string& label : labels) {
    out += "<tr>" + text_cell(label);
    for (const std::string& machine : machines) {
      out += fmt::format("<td>{}</td>", fmt::join(rows[label][machine], ", "));
    }
    out += "</tr>\n";
  }
  return report::scrolled(out + "</tbody></table>\n");
}

std::string failures_section(const store::ExperimentReport& e) {
  std::string rows;
  for (const ExperimentPoint& point : e.points) {
    if (point.state != PointState::kFailed) continue;
    rows += "<tr>" + text_cell(point.label) +
            text_cell(fmt::format("{}", fmt::join(point.machines, ", "))) +
            "<td class=\"failed\">" + html_escape(point.error) + "</td></tr>\n";
  }
  if (rows.empty()) return "";
  return report::section(
      "Failures",
      report::scrolled("<table id=\"failures\"><thead><tr><th>point</th><th>machine</th>"
                       "<th>message</th></tr></thead><tbody>\n" +
                       rows + "</tbody></table>\n"));
}

std::string requests_section(const store::ExperimentReport& e) {
  std::string out;
  for (const store::AskedRequest& request : e.requests)
    out +=
        fmt::format("<p class=\"sub\">{}: ridge {}</p>\n<pre>{}</pre>\n", html_escape(request.path),
                    html_escape(request.verb), html_escape(request.text));
  return report::section("Requests", out);
}

/// The part that changes while the experiment goes on; the script replaces it.
std::string body_of(const store::ExperimentReport& e, std::int64_t now_s) {
  std::vector<store::AgentRow> agents;
  for (const store::Agent& agent : e.agents) agents.push_back({e.row.id, agent});
  const bool runs = e.row.head.state == store::ExperimentState::kRunning;
  return fmt::format("<div id=\"experiment\"{}>\n", runs ? " data-follow" : "") +
         fmt::format(
             "<p class=\"sub\">{}; last sign of life {}. Begun {} (UTC), {}, hosts {}. "
             "<a href=\"/?experiment={}\">runs</a> "
             "<a href=\"/evaluations?experiment={}\">evaluations</a></p>\n",
             word(e.row.head.state), age_text(e.row.head.last_s, now_s),
             date_text(e.row.head.started_s), html_escape(e.row.head.lab),
             html_escape(e.row.head.spread), e.row.id, e.row.id) +
         progress_bar(e.row.counts) +
         fmt::format("<p id=\"counts\">{}</p>\n", progress_text(e.row.counts)) +
         report::section("Points", points_table(e)) + failures_section(e) +
         report::section("Agents", agents_table(agents, now_s)) + "</div>\n";
}

}  // namespace

Result<Answer> experiments_page(Service& service, const Call&) {
  const auto experiments =
      TRY(service.stores.with([](const store::Store& store) { return store.experiments(); }));
  const std::int64_t now_s = session::seconds_now();
  std::string rows;
  for (const store::ExperimentRow& row : experiments) rows += experiment_row(row, now_s);
  const bool any_runs = std::ranges::any_of(experiments, [](const store::ExperimentRow& row) {
    return row.head.state == store::ExperimentState::kRunning;
  });
  return page_answer(
      "experiments",
      {"ridge: experiments",
       fmt::format("<h1>Experiments</h1>\n<p class=\"sub\">What ridge submit was asked for, newest "
                   "first.</p>\n<div id=\"experiment\"{}>\n",
                   any_runs ? " data-follow" : "") +
           report::scrolled("<table class=\"sortable\" id=\"experiments\"><thead><tr>" +
                            column("experiment", true) + column("name", false) +
                            column("state", false) + "<th></th>" + column("points", true) +
                            column("measured", true) + column("failed", true) +
                            column("waiting", true) + column("begun (UTC)", true) +
                            column("last sign of life", true) + column("machines", false) +
                            "</tr></thead><tbody>\n" + rows + "</tbody></table>\n") +
           "</div>\n",
       kServedFooter});
}

Result<Answer> experiment_page(Service& service, const Call& call) {
  const store::ExperimentReport e = TRY(
      service.stores.with([&](const store::Store& store) { return store.experiment(call.id); }));
  return page_answer("experiments",
                     {"ridge: experiment " + e.row.head.name,
                      fmt::format("<h1>Experiment {}</h1>\n", html_escape(e.row.head.name)) +
                          body_of(e, session::seconds_now()) + requests_section(e),
                      kServedFooter});
}

}  // namespace ridge::lab::serve
