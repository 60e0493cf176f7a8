// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/routes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/hash/sha256.h"
#include "base/list.h"
#include "base/number.h"
#include "base/text.h"
#include "base/trim.h"
#include "evaluation/record/describe.h"
#include "export/comparison/describe.h"
#include "lab/grid/describe.h"
#include "lab/serve/describe.h"
#include "lab/serve/pages/frame.h"
#include "lab/serve/trial/describe.h"
#include "profile/describe.h"
#include "store/describe_experiment.h"

namespace ridge::lab::serve {
namespace {

using record::kType;

constexpr std::string_view kJson = "application/json", kHtml = "text/html; charset=utf-8",
                           kScript = "text/javascript; charset=utf-8";

constexpr Route kRoutes[] = {
    {"GET", "/api/v1/runs", "Runs of the store, newest first.", kJson, &kType<ListQuery>,
     &kType<RunPage>, list_runs},
    {"GET", "/api/v1/runs/{run}", "One run, whole.", kJson, nullptr, &kType<profile::Profile>,
     show_run},
    {"GET", "/api/v1/evaluations", "Evaluations of the store, newest first.", kJson,
     &kType<ListQuery>, &kType<EvaluationPage>, list_evaluations},
    {"GET", "/api/v1/evaluations/{evaluation}", "One evaluation, whole.", kJson, nullptr,
     &kType<evaluation::Evaluation>, show_evaluation},
    {"GET", "/api/v1/compare", "Runs compared over the nodes of their model.", kJson,
     &kType<CompareQuery>, &kType<exports::ComparisonView>, compare_runs},
    {"GET", "/api/v1/grid", "What was measured, as rows by columns: models by machines.", kJson,
     &kType<GridQuery>, &kType<Grid>, show_grid},
    {"GET", "/api/v1/hosts", "Machines with their runtimes and their last sign of life.", kJson,
     nullptr, &kType<HostPage>, list_hosts},
    {"GET", "/api/v1/experiments", "Experiments of the store, newest first.", kJson, nullptr,
     &kType<store::ExperimentList>, list_experiments},
    {"GET", "/api/v1/experiments/{experiment}", "One experiment: its points and its agents.", kJson,
     nullptr, &kType<store::ExperimentReport>, show_experiment},
    {"GET", "/api/v1/agents", "Agents of all experiments, each as it was last heard of.", kJson,
     nullptr, &kType<store::AgentList>, list_agents},
    {"GET", "/api/v1/models", "Models of the registry.", kJson, nullptr, &kType<ModelPage>,
     list_models},
    {"GET", "/api/v1/jobs", "Measurements that clients started, newest first.", kJson, nullptr,
     &kType<JobPage>, list_jobs},
    {"POST", "/api/v1/jobs", "Starts a measurement; needs --allow-run. One runs at a time.", kJson,
     nullptr, &kType<Job>, start_job,
     "a request of ridge eval or bench (ridge.request/1), whose models are names", kAccepted},
    {"GET", "/api/v1/jobs/{job}", "One measurement.", kJson, nullptr, &kType<Job>, show_job},
    {"DELETE", "/api/v1/jobs/{job}", "Interrupts it; what was measured is kept.", kJson, nullptr,
     &kType<Job>, cancel_job},
    {"GET", "/api/v1/jobs/{job}/events", "Its state (ridge.job/1) whenever it changes.",
     "text/event-stream", nullptr, nullptr, watch_job},
    {"POST", "/api/v1/try",
     "Tries models on one's own picture or tensor; needs --allow-run. One at a time.", kJson,
     nullptr, &kType<Trial>, start_trial, "models, runtimes and a sample (ridge.try_request/1)",
     kAccepted, &kType<TrialRequest>, kTrialRequestBytes},
    {"GET", "/api/v1/try/{try}", "One try: latency and outputs of each model and runtime.", kJson,
     nullptr, &kType<Trial>, show_trial},
    {"DELETE", "/api/v1/try/{try}", "Ends it; what is there already is kept.", kJson, nullptr,
     &kType<Trial>, cancel_trial},
    {"GET", "/api/v1/openapi.json", "This description.", kJson, nullptr, nullptr, show_openapi},
    {"GET", "/metrics", "Figures of the server and its store, for Prometheus.",
     "application/openmetrics-text; version=1.0.0; charset=utf-8", nullptr, nullptr, show_metrics},
    {"GET", "/", "The page of runs.", kHtml, &kType<ListQuery>, nullptr, runs_page},
    {"GET", "/runs/{run}", "The page of a run.", kHtml, nullptr, nullptr, run_page},
    {"GET", "/evaluations", "The page of evaluations.", kHtml, &kType<ListQuery>, nullptr,
     evaluations_page},
    {"GET", "/evaluations/{evaluation}", "The page of an evaluation.", kHtml, nullptr, nullptr,
     evaluation_page},
    {"GET", "/compare", "The page of compared runs.", kHtml, &kType<CompareQuery>, nullptr,
     compare_page},
    {"GET", "/grid", "The page of models by machines.", kHtml, &kType<GridQuery>, nullptr,
     grid_page},
    {"GET", "/hosts", "The page of machines.", kHtml, nullptr, nullptr, hosts_page},
    {"GET", "/experiments", "The page of experiments.", kHtml, nullptr, nullptr, experiments_page},
    {"GET", "/experiments/{experiment}", "The page of an experiment.", kHtml, nullptr, nullptr,
     experiment_page},
    {"GET", "/models", "The page of the registry's models.", kHtml, nullptr, nullptr, models_page},
    {"GET", "/jobs", "The page that starts measurements.", kHtml, nullptr, nullptr, jobs_page},
    {"GET", "/jobs/{job}", "The page of a measurement.", kHtml, nullptr, nullptr, job_page},
    {"GET", "/try", "The page that tries models.", kHtml, nullptr, nullptr, try_page},
    {"GET", "/try/{try}", "The page of a try.", kHtml, nullptr, nullptr, trial_page},
    {"GET", "/style.css", "The pages' style.", "text/css; charset=utf-8", nullptr, nullptr,
     style_sheet},
    {"GET", "/report.js", "The behavior of results.", kScript, nullptr, nullptr, report_script},
    {"GET", "/serve.js", "The behavior of the other pages.", kScript, nullptr, nullptr,
     page_script},
};

/// Handlers whose answers follow from the store and the target alone: they hold while the store
/// does not change. A handler that looks at anything else must not stand here.
constexpr Handle kOfStore[] = {
    list_runs,  show_run,         list_evaluations, show_evaluation, compare_runs, show_grid,
    list_hosts, runs_page,        evaluations_page, evaluation_page, run_page,     compare_page,
    grid_page,  list_experiments, show_experiment,  list_agents};
/// Handlers whose answers are parts of the program. A browser may keep these if it asks each time
/// whether they are still the same.
constexpr Handle kOfProgram[] = {show_openapi, style_sheet, report_script, page_script};

bool is_one_of(const Handle handle, std::span<const Handle> handlers) {
  return std::ranges::find(handlers, handle) != handlers.end();
}

/// A name of the body, for If-None-Match (RFC 9110, 8.8.3).
void add_tag(Answer& answer) {
  constexpr std::size_t kDigits = 32;
  answer.headers.emplace_back("ETag",
                              fmt::format("\"{}\"", sha256_of(answer.body).substr(0, kDigits)));
}

/// Whether the client has the answer already: one of the tags that it names is the answer's.
bool has_already(const Request& request, const Answer& answer) {
  const auto asked = request.header("If-None-Match");
  const auto tag =
      std::ranges::find(answer.headers, "ETag", &std::pair<std::string, std::string>::first);
  if (!asked || tag == answer.headers.end()) return false;
  for (std::string_view named : split(*asked, ",")) {
    named = trimmed(named);
    if (named.starts_with("W/")) named.remove_prefix(2);
    if (named == tag->second || named == "*") return true;
  }
  return false;
}

Answer not_modified(const Answer& answer) {
  return {.status = kNotModified, .type = "", .body = "", .headers = answer.headers};
}

Result<Answer> made_answer(Service& service, const Route& route, const Call& call) {
  Answer out = TRY(route.handle(service, call));
  if (out.type.empty() && out.status == route.status) out.type = route.type;
  return out;
}

/// The answer that was made before for the same target, or a new one.
Result<Answer> kept_answer(Service& service, const Route& route, const Call& call) {
  const std::string& target = call.request.raw_target;
  const std::optional<StoreState> state = service.stores.state();
  if (!state) return made_answer(service, route, call);
  if (const auto known = service.kept.find(*state, target)) return *known;
  Answer out = TRY(made_answer(service, route, call));
  add_tag(out);
  if (out.status == kOk) service.kept.keep(*state, target, out);
  return out;
}

Result<Answer> answer_of(Service& service, const Route& route, const Call& call) {
  if (is_one_of(route.handle, kOfStore)) return kept_answer(service, route, call);
  Answer out = TRY(made_answer(service, route, call));
  if (!is_one_of(route.handle, kOfProgram)) return out;
  add_tag(out);
  out.headers.emplace_back("Cache-Control", "private, no-cache");
  return out;
}

/// The number in the path (0 without one) if the path is the route's.
std::optional<std::int64_t> match(const Route& route, const Target& target) {
  std::vector<std::string_view> parts;
  if (route.path != "/") parts = split(route.path.substr(1), "/");
  if (parts.size() != target.segments.size()) return std::nullopt;
  std::int64_t id = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].starts_with('{')) {
      const auto number = whole_number<std::int64_t>(target.segments[i]);
      if (!number || *number < 1) return std::nullopt;
      id = *number;
    } else if (parts[i] != target.segments[i]) {
      return std::nullopt;
    }
  }
  return id;
}

Answer method_refused(const Request& request, const std::vector<std::string_view>& methods) {
  const std::string allowed = fmt::format("{}", fmt::join(methods, ", "));
  Answer out = refusal_answer(
      request,
      input_error("RIDGE-SERVE-0022",
                  fmt::format("{} is not for {}", request.method, printable(request.target.path())))
          .hint("it takes " + allowed),
      kMethodNotAllowed);
  add_allowed(out, request);
  return out;
}

}  // namespace

std::span<const Route> routes() { return kRoutes; }

std::size_t body_limit(const Request& request) {
  for (const Route& route : kRoutes)
    if (route.method == request.method && match(route, request.target)) return route.body_bytes;
  return kBodyBytes;
}

void add_allowed(Answer& answer, const Request& request) {
  const Result<Target> target = parse_target(request.raw_target);
  std::vector<std::string_view> methods;
  for (const Route& route : kRoutes)
    if (target.ok() && match(route, *target)) methods.push_back(route.method);
  answer.headers.emplace_back("Allow", fmt::format("{}", fmt::join(methods, ", ")));
}

Answer refusal_answer(const Request& request, const Error& error, unsigned status) {
  const bool is_api =
      request.raw_target.starts_with("/api/") || request.raw_target.starts_with("/metrics");
  return is_api ? error_answer(error, status) : error_page(error, status);
}

Answer dispatch(Service& service, const Request& request) {
  const std::string method = request.method == "HEAD" ? "GET" : request.method;
  std::vector<std::string_view> others;
  for (const Route& route : kRoutes) {
    const auto id = match(route, request.target);
    if (!id) continue;
    if (route.method != method) {
      others.push_back(route.method);
      continue;
    }
    Result<Answer> answer = answer_of(service, route, {request, *id});
    if (!answer.ok()) return refusal_answer(request, answer.error(), status_of(answer.error()));
    return has_already(request, *answer) ? not_modified(*answer) : std::move(*answer);
  }
  if (!others.empty()) return method_refused(request, others);
  return refusal_answer(
      request,
      input_error("RIDGE-SERVE-0020", fmt::format("there is nothing at {}",
                                                  shorten(printable(request.target.path()), 60))),
      kNotFound);
}

}  // namespace ridge::lab::serve
