// SPDX-License-Identifier: Apache-2.0
#include "lab/slurm/node_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/paths.h"
#include "session/matrix.h"
#include "session/run_recorder.h"

namespace ridge::lab::slurm {
namespace {

using store::AgentState;

/// Adds a row that equals none of those that are there.
template <typename Row, typename Same>
void add_once(std::vector<Row>& rows, Row row, Same same) {
  if (std::ranges::none_of(rows, [&](const Row& known) { return same(known, row); }))
    rows.push_back(std::move(row));
}

void add_runtime(std::vector<store::AgentRuntime>& out, store::AgentRuntime runtime) {
  add_once(out, std::move(runtime), [](const auto& a, const auto& b) {
    return a.title == b.title && a.version == b.version;
  });
}

void add_model(std::vector<store::AgentModel>& out, store::AgentModel model) {
  add_once(out, std::move(model), [](const auto& a, const auto& b) { return a.model == b.model; });
}

store::AgentRuntime runtime_of(const std::string& title, const std::string& version) {
  for (const runtime::KnownRuntime& known : runtime::known_runtimes())
    if (known.title == title) return {std::string(known.name), title, version};
  return {title, title, version};
}

}  // namespace

Result<OwnResults> results_in(const store::Store& own) {
  OwnResults out;
  for (const store::RunRow& run : TRY(own.list())) {
    out.keys.push_back(run.point);
    out.machine = run.machine;
    out.ridge_version = run.ridge_version;
    add_runtime(out.runtimes, runtime_of(run.runtime, run.runtime_version));
    add_model(out.models, {.model = run.path, .sha256 = {}, .bytes = {}});
  }
  for (const profile::EvaluationKind kind : profile::kEvaluationKinds)
    for (const store::EvaluationRow& row : TRY(own.evaluations(kind))) {
      const profile::EvaluationRecord& e = row.record;
      out.keys.push_back(e.point);
      out.machine = e.host;
      out.ridge_version = e.ridge_version;
      add_runtime(out.runtimes, runtime_of(e.runtime, e.runtime_version));
      add_model(out.models, {.model = e.model, .sha256 = e.model_sha256, .bytes = {}});
    }
  return out;
}

NodeLog::NodeLog(LoggedPoints points) : points_(std::move(points)) {
  partition_.name = points_.partition;
}

store::Agent* NodeLog::node(const std::string& name) {
  if (points_.log == nullptr || name.empty()) return nullptr;
  store::Agent& out = nodes_[name];
  out.name = fmt::format("{}/{}", points_.partition, name);
  out.last_s = session::seconds_now();
  out.reason.clear();
  return &out;
}

void NodeLog::alive(const std::string& name, const std::string& label) {
  store::Agent* agent = node(name);
  if (agent == nullptr) return;
  agent->state = AgentState::kMeasuring;
  agent->doing = label;
}

void NodeLog::over(const std::string& name) {
  store::Agent* agent = node(name);
  if (agent == nullptr) return;
  agent->state = AgentState::kIdle;
  agent->doing.clear();
}

void NodeLog::stored(std::size_t point, const std::string& name, const OwnResults& results) {
  if (points_.log == nullptr) return;
  over(name);
  if (store::Agent* agent = node(name)) {
    ++agent->done;
    agent->machine = results.machine;
    agent->ridge_version = results.ridge_version;
    for (const store::AgentRuntime& r : results.runtimes) add_runtime(agent->runtimes, r);
    for (const store::AgentModel& m : results.models) add_model(agent->models, m);
    ++partition_.done;
  }
  const std::string key = results.keys.empty() ? "" : results.keys.back();
  points_.log->measured(points_.numbers[point], {.machine = points_.partition, .key = key});
}

void NodeLog::failed(std::size_t point, const std::string& name, const Error& error) {
  if (points_.log == nullptr) return;
  over(name);
  points_.log->failed(points_.numbers[point], session::reason_of(error));
}

void NodeLog::lost(const std::string& name, const std::string& why) {
  if (points_.log == nullptr || name.empty()) return;
  store::Agent& agent = nodes_[name];
  agent.name = fmt::format("{}/{}", points_.partition, name);
  agent.state = AgentState::kGone;
  agent.doing.clear();
  agent.reason = why;
}

void NodeLog::queue_answered() {
  partition_.last_s = session::seconds_now();
  partition_.reason.clear();
}

void NodeLog::unreachable(const Error& error) { partition_.reason = session::reason_of(error); }

void NodeLog::tell(std::size_t waiting, std::size_t away) {
  if (points_.log == nullptr) return;
  partition_.state = !partition_.reason.empty() ? AgentState::kGone
                     : away > 0                 ? AgentState::kMeasuring
                     : waiting > 0              ? AgentState::kConnecting
                                                : AgentState::kIdle;
  partition_.doing = away > 0 ? fmt::format("{} submitted, {} waiting", away, waiting) : "";
  points_.log->tell(partition_);
  for (const auto& [name, agent] : nodes_) points_.log->tell(agent);
  points_.log->write_if_due();
}

}  // namespace ridge::lab::slurm
