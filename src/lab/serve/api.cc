// SPDX-License-Identifier: Apache-2.0
// Handlers of the API whose answers are documents.
#include "export/comparison/json.h"
#include "lab/grid/describe.h"
#include "lab/serve/describe.h"
#include "lab/serve/queries.h"
#include "lab/serve/service.h"
#include "lab/serve/trial/describe.h"
#include "profile/describe.h"
#include "record/json_write.h"
#include "store/describe_experiment.h"

namespace ridge::lab::serve {
namespace {

template <typename T>
Answer json_answer(const T& document) {
  StringSink sink;
  record::write_json(document, sink);
  return Answer::json(sink.text());
}

/// The jobs of a server that starts some.
Result<Jobs*> jobs_of(Service& service) {
  if (service.jobs) return &*service.jobs;
  return input_error("RIDGE-SERVE-0037", "this server starts no measurements")
      .hint("start it by ridge serve --allow-run");
}

Result<Trials*> trials_of(Service& service) {
  TRY(jobs_of(service));
  return &*service.trials;
}

}  // namespace

Result<Answer> list_runs(Service& service, const Call& call) {
  return json_answer(TRY(runs_of(service.stores, TRY(query_of<ListQuery>(call.request)))));
}

Result<Answer> show_run(Service& service, const Call& call) {
  return json_answer(
      TRY(service.stores.with([&](const store::Store& store) { return store.read(call.id); })));
}

Result<Answer> list_evaluations(Service& service, const Call& call) {
  return json_answer(TRY(evaluations_of(service.stores, TRY(query_of<ListQuery>(call.request)))));
}

Result<Answer> show_evaluation(Service& service, const Call& call) {
  return Answer::json(TRY(service.stores.with([&](const store::Store& store) {
                        return store.evaluation(call.id);
                      })).document);
}

Result<Answer> compare_runs(Service& service, const Call& call) {
  const compare::Comparison comparison =
      TRY(comparison_of(service.stores, TRY(query_of<CompareQuery>(call.request))));
  StringSink sink;
  exports::write_comparison_document(comparison, sink);
  return Answer::json(sink.text());
}

Result<Answer> show_grid(Service& service, const Call& call) {
  return json_answer(TRY(grid_of(service.stores, TRY(query_of<GridQuery>(call.request)))));
}

Result<Answer> list_hosts(Service& service, const Call&) {
  return json_answer(TRY(hosts_of(service.stores)));
}

Result<Answer> list_experiments(Service& service, const Call&) {
  return json_answer(store::ExperimentList{
      TRY(service.stores.with([](const store::Store& store) { return store.experiments(); }))});
}

Result<Answer> show_experiment(Service& service, const Call& call) {
  return json_answer(TRY(
      service.stores.with([&](const store::Store& store) { return store.experiment(call.id); })));
}

Result<Answer> list_agents(Service& service, const Call&) {
  return json_answer(store::AgentList{
      TRY(service.stores.with([](const store::Store& store) { return store.agents(); }))});
}

Result<Answer> list_models(Service& service, const Call&) {
  return json_answer(models_of(service.registry));
}

Result<Answer> start_job(Service& service, const Call& call) {
  Jobs* jobs = TRY(jobs_of(service));
  const JobRequest request = TRY(read_job_request(call.request.body, service.registry));
  const store::RunId before = service.pusher ? TRY(service.pusher->last_run()) : 0;
  const Job job = TRY(jobs->start(request));
  if (service.pusher) service.pusher->watch(job.id, before);
  Answer out = json_answer(job);
  out.status = kAccepted;
  return out;
}

Result<Answer> list_jobs(Service& service, const Call&) {
  return json_answer(JobPage{service.jobs ? service.jobs->list() : std::vector<Job>()});
}

Result<Answer> show_job(Service& service, const Call& call) {
  return json_answer(TRY(TRY(jobs_of(service))->find(call.id)));
}

Result<Answer> cancel_job(Service& service, const Call& call) {
  return json_answer(TRY(TRY(jobs_of(service))->cancel(call.id)));
}

Result<Answer> watch_job(Service& service, const Call& call) {
  Answer out;
  out.events = TRY(TRY(jobs_of(service))->events(call.id));
  return out;
}

Result<Answer> start_trial(Service& service, const Call& call) {
  Trials* trials = TRY(trials_of(service));
  Answer out =
      json_answer(TRY(trials->start(TRY(read_trial_request(call.request.body, service.registry)))));
  out.status = kAccepted;
  return out;
}

Result<Answer> show_trial(Service& service, const Call& call) {
  return json_answer(TRY(TRY(trials_of(service))->find(call.id)));
}

Result<Answer> cancel_trial(Service& service, const Call& call) {
  return json_answer(TRY(TRY(trials_of(service))->cancel(call.id)));
}

}  // namespace ridge::lab::serve
