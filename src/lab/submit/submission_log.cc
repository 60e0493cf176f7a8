// SPDX-License-Identifier: Apache-2.0
#include "lab/submit/submission_log.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/version.h"
#include "machine/describe.h"
#include "profile/summary.h"
#include "record/json_write.h"

namespace ridge::lab {
namespace {

using store::AgentState;

AgentState state_of(const Seat& seat) {
  if (!seat.away.empty()) return AgentState::kGone;  // also while it is started again
  switch (seat.stage) {
    case Seat::Stage::kUnfit:
      return AgentState::kUnfit;
    case Seat::Stage::kGone:
    case Seat::Stage::kLost:
      return AgentState::kGone;
    case Seat::Stage::kStarting:
    case Seat::Stage::kPlanning:
      return AgentState::kConnecting;
    case Seat::Stage::kReady:
      return seat.leases.empty() ? AgentState::kIdle : AgentState::kMeasuring;
  }
  return AgentState::kConnecting;
}

void add_facts(const Candidate& candidate, store::Agent& out) {
  out.ridge_version = version();  // agents of another version are refused
  out.machine =
      profile::machine_name(record::json_text(record::kType<machine::Host>, &candidate.host));
  out.runtimes = candidate.facts.runtimes;
  out.models = candidate.facts.models;
}

store::Agent agent_of(const Seat& seat, const Ledger& ledger) {
  store::Agent out{.name = seat.worker->name(),
                   .state = state_of(seat),
                   .doing = {},
                   .reason = {},
                   .done = seat.done,
                   .last_s = seat.last_s};
  if (seat.candidate) add_facts(*seat.candidate, out);
  for (const auto& [name, model] : seat.models)
    if (std::ranges::find(out.models, name, &store::AgentModel::model) == out.models.end())
      out.models.push_back(model);
  if (!seat.leases.empty())
    out.doing = ledger.tasks()[ledger.task_of(seat.leases.begin()->first)].label;
  const bool is_away = out.state == AgentState::kGone || out.state == AgentState::kUnfit;
  if (is_away)
    out.reason = seat.away.empty() && !seat.reasons.empty() ? seat.reasons.back() : seat.away;
  return out;
}

store::PlannedPoint planned(std::size_t task, const std::vector<Seat>& seats,
                            const Ledger& ledger) {
  const Task& t = ledger.tasks()[task];
  store::PlannedPoint out{.name = t.name, .label = t.label, .error = {}, .places = {}};
  for (const std::size_t i : t.workers)
    out.places.push_back({seats[i].worker->name(), seats[i].points.at(task).store_key});
  return out;
}

}  // namespace

Result<void> SubmissionLog::plan(const std::vector<Seat>& seats, const Ledger& ledger) {
  if (log_ == nullptr || numbers_.size() == ledger.tasks().size()) return {};
  std::vector<store::PlannedPoint> points;
  for (std::size_t t = numbers_.size(); t < ledger.tasks().size(); ++t)
    points.push_back(planned(t, seats, ledger));
  for (const std::int64_t number : TRY(log_->plan(points))) numbers_.push_back(number);
  settled_.resize(numbers_.size());
  return {};
}

void SubmissionLog::tell(const std::vector<Seat>& seats, const Ledger& ledger) {
  if (log_ == nullptr || !log_->is_due()) return;
  for (const Seat& seat : seats) log_->tell(agent_of(seat, ledger));
  note_points(seats, ledger);
  log_->write_if_due();
}

void SubmissionLog::finish(const std::vector<Seat>& seats, const Ledger& ledger) {
  if (log_ == nullptr) return;
  for (const Seat& seat : seats) {
    store::Agent agent = agent_of(seat, ledger);
    agent.doing.clear();
    if (agent.state != AgentState::kGone && agent.state != AgentState::kUnfit)
      agent.state = AgentState::kEnded;
    log_->tell(std::move(agent));
  }
  note_points(seats, ledger);
}

void SubmissionLog::note_points(const std::vector<Seat>& seats, const Ledger& ledger) {
  for (std::size_t t = 0; t < numbers_.size(); ++t) {
    const Task& task = ledger.tasks()[t];
    if (settled_[t]) continue;
    if (task.state == TaskState::kFailed)
      log_->failed(numbers_[t], task.reason);
    else if (task.state == TaskState::kDone && task.by)
      log_->measured(numbers_[t], {.machine = seats[*task.by].worker->name(), .key = {}});
    else
      continue;
    settled_[t] = true;
  }
}

store::AgentModel model_of(const std::string& model, const Job& job) {
  const std::string path = std::filesystem::path(model).lexically_normal().string();
  const auto file = std::ranges::find(job.files, path, &JobFile::path);
  if (file == job.files.end()) return {.model = model, .sha256 = {}, .bytes = {}};
  return {.model = model, .sha256 = file->sha256, .bytes = file->bytes};
}

}  // namespace ridge::lab
