// SPDX-License-Identifier: Apache-2.0
// Pages that start a measurement and watch it.
#include <fmt/format.h>

#include "base/date_text.h"
#include "base/text.h"
#include "lab/serve/pages/frame.h"
#include "lab/serve/queries.h"
#include "lab/serve/service.h"
#include "report/kit/markup.h"
#include "zoo/zoo.h"

namespace ridge::lab::serve {
namespace {

using report::column;
using report::text_cell;

/// Input of the form; its name is the key of the request.
struct FormInput {
  std::string_view name, label, value;
};
constexpr FormInput kEvaluationInputs[] = {{"runtime", "runtimes", "ort"},
                                           {"threads", "threads", "1"},
                                           {"batch", "batch", ""},
                                           {"qps", "queries per second (server)", ""},
                                           {"bound", "bound", ""},
                                           {"duration", "duration", "10s"},
                                           {"seed", "seed", ""}};
constexpr std::string_view kScenarios[] = {"single-stream", "multi-stream", "server", "offline",
                                           "closed-loop"};

std::string start_form(const std::string& registry) {
  std::string out =
      "<form id=\"start\"><label>model <input name=\"model\" list=\"names\" required "
      "placeholder=\"zoo:resnet18\"></label><datalist id=\"names\">";
  for (const ServedModel& model : models_of(registry).models)
    out += fmt::format("<option value=\"{}\">", html_escape(model.model));
  for (const zoo::Entry& entry : zoo::entries())
    out += fmt::format("<option value=\"zoo:{}\">", html_escape(entry.name));
  out += "</datalist><label>scenario <select name=\"scenario\">";
  for (const std::string_view scenario : kScenarios)
    out += fmt::format("<option>{}</option>", scenario);
  out += "</select></label>";
  for (const auto& [name, label, value] : kEvaluationInputs)
    out += fmt::format("<label>{} <input name=\"{}\" value=\"{}\"></label>", label, name, value);
  return out + "<button>evaluate</button><output id=\"refusal\"></output></form>\n";
}

std::string job_row(const Job& job) {
  return fmt::format("<tr><td class=\"n\"><a href=\"/jobs/{0}\">{0}</a></td>", job.id) +
         text_cell(job.verb) + text_cell(word(job.state)) + text_cell(date_text(job.started_s)) +
         text_cell(job.request.text) + "</tr>\n";
}

}  // namespace

Result<Answer> jobs_page(Service& service, const Call&) {
  std::string markup = "<h1>Measure</h1>\n";
  if (service.jobs)
    markup += start_form(service.registry);
  else
    markup +=
        "<p class=\"sub\">This server starts no measurements: ridge serve --allow-run does."
        "</p>\n";
  std::string rows;
  for (const Job& job : service.jobs ? service.jobs->list() : std::vector<Job>())
    rows += job_row(job);
  markup += report::scrolled(
      "<table id=\"jobs\"><thead><tr><th class=\"n\">job</th><th>verb</th>"
      "<th>state</th><th>started (UTC)</th><th>request</th></tr></thead>"
      "<tbody>\n" +
      rows + "</tbody></table>\n");
  return page_answer("measure", {"ridge: measure", std::move(markup), kServedFooter});
}

Result<Answer> job_page(Service& service, const Call& call) {
  if (!service.jobs) return jobs_page(service, call);
  const Job job = TRY(service.jobs->find(call.id));
  return page_answer(
      "measure",
      {fmt::format("ridge: job {}", job.id),
       fmt::format("<h1>Job {0}: ridge {1}</h1>\n<p class=\"sub\" id=\"state\">{2}</p>\n"
                   "<pre id=\"said\">{3}</pre>\n<p><button id=\"cancel\" data-job=\"{0}\"{4}>cancel"
                   "</button> <a href=\"/evaluations\">evaluations</a> <a href=\"/\">runs</a></p>\n"
                   "<h2>Request</h2>\n<pre id=\"request\">{5}</pre>\n",
                   job.id, html_escape(job.verb), word(job.state), html_escape(job.said),
                   job.state == JobState::kRunning ? "" : " disabled",
                   html_escape(job.request.text)),
       kServedFooter});
}

}  // namespace ridge::lab::serve
