// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment/experiment_log.h"

#include <algorithm>
#include <utility>

#include "base/version.h"
#include "session/run_recorder.h"

namespace ridge::lab {
namespace {

/// Pause after a note, in multiples of the time that it took.
constexpr std::int64_t kPauseShare = 20;
/// Attempts to write the end.
constexpr int kLastTries = 10;

}  // namespace

Result<ExperimentLog> ExperimentLog::begin(store::Store& store, store::Experiment experiment,
                                           const Clock& clock) {
  experiment.started_s = experiment.last_s = session::seconds_now();
  experiment.state = store::ExperimentState::kRunning;
  experiment.ended_s.reset();
  experiment.ridge_version = version();
  const store::ExperimentId id = TRY(store.begin(experiment));
  store::Store own = TRY(store::Store::open(store.path(), store::Access::kWrite, kPatience));
  return ExperimentLog(store, std::move(own), id, clock);
}

Result<std::vector<std::int64_t>> ExperimentLog::plan(
    const std::vector<store::PlannedPoint>& points) {
  return store_.plan(id_, points);
}

void ExperimentLog::tell(store::Agent agent) {
  const std::string name = agent.name;
  agents_[name] = std::move(agent);
}

void ExperimentLog::failed(std::int64_t point, std::string error) {
  points_.push_back({.point = point, .error = std::move(error), .place = {}});
}

void ExperimentLog::measured(std::int64_t point, store::PointPlace place) {
  place.measured = true;
  points_.push_back({.point = point, .error = {}, .place = std::move(place)});
}

void ExperimentLog::write_if_due() {
  if (!is_due()) return;
  const Nanos begun = clock_.now();
  (void)write(store::ExperimentState::kRunning, std::nullopt);  // what failed is written later
  const Nanos took = clock_.now() - begun;
  next_ = clock_.now() + std::max(kPause, took * kPauseShare);
}

Result<void> ExperimentLog::write(store::ExperimentState state,
                                  std::optional<std::int64_t> ended_s) {
  store::ExperimentNews news{.state = state,
                             .last_s = session::seconds_now(),
                             .ended_s = ended_s,
                             .agents = {},
                             .points = points_};
  for (const auto& [name, agent] : agents_) news.agents.push_back(agent);
  TRY(own_.note(id_, news));
  points_.clear();
  return {};
}

Result<void> ExperimentLog::end(store::ExperimentState state) {
  using State = store::AgentState;
  for (auto& [name, agent] : agents_) {
    if (agent.state != State::kGone && agent.state != State::kUnfit) agent.state = State::kEnded;
    agent.doing.clear();
  }
  Result<void> done = write(state, session::seconds_now());
  for (int i = 1; i < kLastTries && !done.ok(); ++i) done = write(state, session::seconds_now());
  return done;
}

}  // namespace ridge::lab
