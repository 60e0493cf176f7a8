// SPDX-License-Identifier: Apache-2.0
// Handlers of the API for experiments and agents.
#include "lab/serve/service.h"
#include "record/json_write.h"
#include "store/describe_experiment.h"

namespace ridge::lab::serve {
namespace {

template <typename T>
Answer document_answer(const T& document) {
  return Answer::json(record::json_text(record::kType<T>, &document));
}

}  // namespace

Result<Answer> list_experiments(Service& service, const Call&) {
  return document_answer(store::ExperimentList{
      TRY(service.stores.with([](const store::Store& store) { return store.experiments(); }))});
}

Result<Answer> show_experiment(Service& service, const Call& call) {
  return document_answer(TRY(
      service.stores.with([&](const store::Store& store) { return store.experiment(call.id); })));
}

Result<Answer> list_agents(Service& service, const Call&) {
  return document_answer(store::AgentList{
      TRY(service.stores.with([](const store::Store& store) { return store.agents(); }))});
}

}  // namespace ridge::lab::serve
