// SPDX-License-Identifier: Apache-2.0
// Pages of the lists of runs and evaluations, with their filters.
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "base/number.h"
#include "base/numeral.h"
#include "base/text.h"
#include "lab/serve/describe.h"
#include "lab/serve/pages/cells.h"
#include "lab/serve/pages/frame.h"
#include "lab/serve/queries.h"
#include "lab/serve/service.h"
#include "report/kit/markup.h"

namespace ridge::lab::serve {
namespace {

using report::column;
using report::number_cell;
using report::text_cell;

/// Rows of a page unless its address says how many. A browser takes a fifth of a millisecond to lay
/// out and draw one, at each letter that is typed into a filter.
constexpr std::int64_t kRowsOfPage = 50;

Result<ListQuery> page_query(const Request& request) {
  ListQuery out;
  out.window.limit = kRowsOfPage;
  TRY(read_query(request, record::kType<ListQuery>, &out));
  return out;
}

struct FilterInput {
  std::string_view name, hint;
};
constexpr FilterInput kInputs[] = {{"model", "a part of the model"},
                                   {"runtime", "runtime: ONNX Runtime, ort"},
                                   {"threads", "threads: 1,2"},
                                   {"host", "a part of the machine"},
                                   {"experiment", "number of an experiment"}};

/// Value of an input, as the request has it.
std::string value_in(const Request& request, std::string_view name) {
  std::string out;
  for (const QuerySetting& setting : request.target.query)
    if (setting.name == name) out = setting.value;
  return out;
}

std::string filter_form(const Request& request, std::string_view action) {
  std::string out = fmt::format("<form id=\"filters\" action=\"{}\" role=\"search\">", action);
  for (const auto& [name, hint] : kInputs)
    out += fmt::format(
        "<input type=\"search\" name=\"{0}\" placeholder=\"{1}\" aria-label=\"{0}\" value=\"{2}\">",
        name, hint, html_escape(value_in(request, name)));
  return out + "<button>filter</button></form>\n";
}

std::string encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

/// Address of the same list from another row on.
std::string address_from(const Request& request, std::int64_t offset) {
  std::string out = fmt::format("{}?offset={}", request.target.path(), offset);
  for (const auto& [name, value] : request.target.query)
    if (name != "offset" && !value.empty())
      out += fmt::format("&{}={}", encoded(name), encoded(value));
  return html_escape(out);
}

/// "rows 101 to 200 of 10,000", with the ways to the rows before and after.
std::string position(const Request& request, std::int64_t total, const store::Window& window,
                     std::int64_t shown) {
  std::string out = "<p class=\"sub\">";
  if (window.offset > 0)
    out +=
        fmt::format("<a rel=\"prev\" href=\"{}\">newer</a> ",
                    address_from(request, std::max<std::int64_t>(0, window.offset - window.limit)));
  out += shown == 0
             ? fmt::format("none of {}", total)
             : fmt::format("{} to {} of {}", window.offset + 1, window.offset + shown, total);
  if (window.offset + shown < total && shown > 0)
    out += fmt::format(" <a rel=\"next\" href=\"{}\">older</a>",
                       address_from(request, window.offset + window.limit));
  return out + "</p>\n";
}

std::string time_cell(double ns) {
  if (std::isnan(ns)) return number_cell({}, "");
  return number_cell(ns, duration(ns));
}

std::string interval_cell(const stats::Estimate& e) {
  if (!e.interval) return "<td class=\"n\">?</td>";
  return fmt::format("<td class=\"n\">{} .. {}</td>", duration(e.low()), duration(e.high()));
}

std::string rate_cell(double per_s) {
  if (std::isnan(per_s)) return number_cell({}, "");
  return number_cell(per_s, significant(per_s, 4));
}

std::string run_row(const store::RunRow& run) {
  return fmt::format(
             "<tr><td><input type=\"checkbox\" name=\"runs\" value=\"{0}\" form=\"comparison\" "
             "aria-label=\"compare run {0}\"></td>",
             run.id) +
         link_cell("runs", run.id) + date_cell(run.recorded_s) + text_cell(run.path) +
         text_cell(run.sizes) + text_cell(run.runtime + " " + run.runtime_version) +
         number_cell(finite_number(run.threads), run.threads) + time_cell(run.latency_ns.value) +
         interval_cell(run.latency_ns) + rate_cell(run.items_per_s) +
         number_cell(static_cast<double>(run.layers), fmt::format("{}", run.layers)) +
         text_cell(run.machine) + "</tr>\n";
}

std::string runs_table(const RunPage& page) {
  std::string rows;
  for (const store::RunRow& run : page.runs) rows += run_row(run);
  return report::scrolled(
      "<table class=\"sortable\" id=\"runs\"><thead><tr><th></th>" + column("run", true) +
      column("kept (UTC)", true) + column("model", false) + column("sizes", false) +
      column("runtime", false) + column("threads", true) + column("latency", true) +
      "<th class=\"n\">95 % interval</th>" + column("items/s", true) + column("layers", true) +
      column("host", false) + "</tr></thead><tbody>\n" + rows + "</tbody></table>\n");
}

std::string evaluation_row(const store::EvaluationRow& row) {
  const profile::EvaluationRecord& e = row.record;
  const double right = e.top1.value;
  return "<tr>" + link_cell("evaluations", row.id) + date_cell(e.recorded_s) + text_cell(e.model) +
         text_cell(e.scenario) + text_cell(e.runtime + " " + e.runtime_version) +
         number_cell(e.threads, fmt::format("{}", e.threads)) + rate_cell(e.queries_per_s.value) +
         time_cell(e.median_ns.value) +
         (std::isnan(right) ? number_cell({}, "")
                            : number_cell(right, fmt::format("{:.2f} %", 100 * right))) +
         text_cell(e.validity) + text_cell(e.host) + "</tr>\n";
}

std::string evaluations_table(const EvaluationPage& page) {
  std::string rows;
  for (const store::EvaluationRow& row : page.evaluations) rows += evaluation_row(row);
  return report::scrolled(
      "<table class=\"sortable\" id=\"evaluations\"><thead><tr>" + column("evaluation", true) +
      column("kept (UTC)", true) + column("model", false) + column("scenario", false) +
      column("runtime", false) + column("threads", true) + column("queries/s", true) +
      column("median", true) + column("top-1", true) + column("validity", false) +
      column("host", false) + "</tr></thead><tbody>\n" + rows + "</tbody></table>\n");
}

}  // namespace

Result<Answer> runs_page(Service& service, const Call& call) {
  const ListQuery query = TRY(page_query(call.request));
  const RunPage page = TRY(runs_of(service.stores, query));
  return page_answer(
      "runs",
      {"ridge: runs",
       "<h1>Runs</h1>\n" + filter_form(call.request, "/") + "<div id=\"rows\">" +
           position(call.request, page.total, query.window, std::ssize(page.runs)) +
           "<form id=\"comparison\" action=\"/compare\"><button>compare the marked runs</button>"
           "</form>\n" +
           runs_table(page) + "</div>\n",
       kServedFooter});
}

Result<Answer> evaluations_page(Service& service, const Call& call) {
  const ListQuery query = TRY(page_query(call.request));
  const EvaluationPage page = TRY(evaluations_of(service.stores, query));
  return page_answer(
      "evaluations",
      {"ridge: evaluations",
       "<h1>Evaluations</h1>\n" + filter_form(call.request, "/evaluations") + "<div id=\"rows\">" +
           position(call.request, page.total, query.window, std::ssize(page.evaluations)) +
           evaluations_table(page) + "</div>\n",
       kServedFooter});
}

}  // namespace ridge::lab::serve
