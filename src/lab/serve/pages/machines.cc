// SPDX-License-Identifier: Apache-2.0
// Pages of the machines that have results, and of the registry's models.
#include <fmt/format.h>

#include "base/date_text.h"
#include "lab/serve/pages/agents.h"
#include "lab/serve/pages/cells.h"
#include "lab/serve/pages/frame.h"
#include "lab/serve/queries.h"
#include "lab/serve/service.h"
#include "report/kit/markup.h"
#include "session/run_recorder.h"

namespace ridge::lab::serve {
namespace {

using report::column;
using report::number_cell;
using report::text_cell;

}  // namespace

Result<Answer> hosts_page(Service& service, const Call&) {
  const auto agents =
      TRY(service.stores.with([](const store::Store& store) { return store.agents(); }));
  const std::int64_t now_s = session::seconds_now();
  std::string rows;
  for (const store::HostRow& host : TRY(hosts_of(service.stores)).hosts)
    rows += "<tr>" + text_cell(host.machine.empty() ? "not recorded" : host.machine) +
            text_cell(host.runtime + " " + host.runtime_version) + count_cell(host.models) +
            count_cell(host.runs) + count_cell(host.evaluations) +
            number_cell(static_cast<double>(host.last_s), date_text(host.last_s)) + "</tr>\n";
  return page_answer(
      "machines",
      {"ridge: machines",
       "<h1>Machines</h1>\n<h2>Agents</h2>\n<p class=\"sub\">What measured points of experiments, "
       "with what it has; the last sign of life is the one that ridge submit saw.</p>\n"
       "<div id=\"live\"" +
           std::string(agents.empty() ? "" : " data-follow") + ">" + agents_table(agents, now_s) +
           "</div>\n<h2>Results</h2>\n<p class=\"sub\">Each machine that has results in this "
           "store; the last sign of life is its last result.</p>\n" +
           report::scrolled("<table class=\"sortable\" id=\"hosts\"><thead><tr>" +
                            column("machine", false) + column("runtime", false) +
                            column("models", true) + column("runs", true) +
                            column("evaluations", true) + column("last sign of life (UTC)", true) +
                            "</tr></thead><tbody>\n" + rows + "</tbody></table>\n"),
       kServedFooter});
}

Result<Answer> models_page(Service& service, const Call&) {
  std::string rows;
  for (const ServedModel& model : models_of(service.registry).models)
    rows += "<tr>" + text_cell(model.model) + count_cell(model.bytes) + text_cell(model.sha256) +
            "</tr>\n";
  return page_answer(
      "models",
      {"ridge: models",
       "<h1>Models</h1>\n<p class=\"sub\">Of the registry, by name and version (ridge registry)."
       "</p>\n" +
           report::scrolled("<table class=\"sortable\" id=\"models\"><thead><tr>" +
                            column("model", false) + column("bytes", true) +
                            column("SHA-256 of its files", false) + "</tr></thead><tbody>\n" +
                            rows + "</tbody></table>\n"),
       kServedFooter});
}

}  // namespace ridge::lab::serve
