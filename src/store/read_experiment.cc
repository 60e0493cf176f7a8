// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/number.h"
#include "base/text.h"
#include "store/describe_experiment.h"
#include "store/errors.h"
#include "store/experiment_rows.h"
#include "store/rows.h"
#include "store/store.h"

namespace ridge::store {
namespace {

constexpr std::size_t kNamedExperiments = 12;

/// Results of each place of an experiment: their numbers, in the order of the table.
struct PlaceResults {
  std::optional<std::int64_t> run, evaluation, generation;

  bool any() const { return run || evaluation || generation; }
};

/// Newest result of a kind whose point is the place's.
std::string newest_of(std::string_view table, std::string_view kind) {
  const std::string of_kind = kind.empty() ? "" : fmt::format(" AND kind = '{}'", kind);
  return fmt::format("(SELECT MAX(id) FROM {0} WHERE {0}.point = p.key AND p.key <> ''{1})", table,
                     of_kind);
}

Result<std::vector<std::vector<PlaceResults>>> results_of(const Database& db, ExperimentId id,
                                                          const StoredExperiment& experiment) {
  std::vector<std::vector<PlaceResults>> out;
  for (const PlannedPoint& point : experiment.points) out.emplace_back(point.places.size());
  Statement rows = TRY(db.prepare(fmt::format(
      "SELECT point, position, {}, {}, {} FROM experiment_place AS p WHERE experiment = ?",
      newest_of("run", ""), newest_of("evaluation", "evaluation"),
      newest_of("evaluation", "generation"))));
  rows.bind(1, id);
  while (TRY(rows.step())) {
    const auto point = static_cast<std::size_t>(rows.integer(0).value_or(-1));
    const auto place = static_cast<std::size_t>(rows.integer(1).value_or(-1));
    if (point >= out.size() || place >= out[point].size()) continue;  // it came meanwhile
    out[point][place] = {rows.integer(2), rows.integer(3), rows.integer(4)};
  }
  return out;
}

ExperimentPoint point_of(std::int64_t number, const PlannedPoint& planned,
                         const std::vector<PlaceResults>& results) {
  ExperimentPoint out{.point = number, .label = planned.label, .machines = {}, .error = {}};
  std::optional<std::size_t> at;
  for (std::size_t i = 0; i < planned.places.size(); ++i) {
    out.machines.push_back(planned.places[i].machine);
    if (results[i].any() && (!at || (planned.places[i].measured && !planned.places[*at].measured)))
      at = i;
  }
  if (at) {
    out.state = PointState::kMeasured;
    out.machine = planned.places[*at].machine;
    out.run = results[*at].run;
    out.evaluation = results[*at].evaluation;
    out.generation = results[*at].generation;
  } else if (!planned.error.empty()) {
    out.state = PointState::kFailed;
    out.error = planned.error;
  }
  return out;
}

PointCounts counts_of(const std::vector<ExperimentPoint>& points) {
  PointCounts out{.points = std::ssize(points)};
  out.measured = std::ranges::count(points, PointState::kMeasured, &ExperimentPoint::state);
  out.failed = std::ranges::count(points, PointState::kFailed, &ExperimentPoint::state);
  out.waiting = out.points - out.measured - out.failed;
  return out;
}

/// Counts of all experiments, by their numbers; experiments without points are absent.
constexpr std::string_view kCounts =
    "SELECT experiment, COUNT(*), COUNT(CASE WHEN measured = 1 THEN 1 END), "
    "COUNT(CASE WHEN measured = 0 AND error <> '' THEN 1 END) FROM "
    "(SELECT experiment, error, CASE WHEN EXISTS (SELECT 1 FROM experiment_place AS p WHERE "
    "p.experiment = planned.experiment AND p.point = planned.position AND p.key <> '' AND "
    "(EXISTS (SELECT 1 FROM run WHERE run.point = p.key) OR EXISTS (SELECT 1 FROM evaluation "
    "WHERE evaluation.point = p.key))) THEN 1 ELSE 0 END AS measured FROM experiment_point AS "
    "planned) AS each_point GROUP BY experiment";

Result<bool> has_experiment(const Database& db, ExperimentId id) {
  Statement known = TRY(db.prepare("SELECT id FROM experiment WHERE id = ?"));
  known.bind(1, id);
  return known.step();
}

/// The error for an experiment that is not there.
Error no_experiment(const Database& db, std::string what) {
  std::vector<std::string> known;
  auto rows = RowReader<ExperimentHead>::make_all(db, "experiment", {"id"});
  while (rows.ok() && known.size() < kNamedExperiments) {
    const Result<bool> next = rows->next();
    if (!next.ok() || !*next) break;
    known.push_back(printable(rows->row().name));
  }
  return input_error(kNoSuchExperiment, std::move(what))
      .evidence(known.empty() ? std::string("it has no experiments")
                              : fmt::format("it has {}", fmt::join(known, ", ")))
      .hint("ridge runs experiments lists them")
      .in_file(db.path());
}

Result<void> read_points(const Database& db, ExperimentId id, StoredExperiment& out) {
  auto points =
      TRY(RowReader<PlannedPoint>::make(db, "experiment_point", {"position"}, "experiment", id));
  while (TRY(points.next())) {
    if (points.key(0) != std::ssize(out.points))
      return db.damaged(fmt::format("table experiment_point lacks position {}", out.points.size()));
    out.points.push_back(std::move(points.row()));
  }
  auto places = TRY(
      RowReader<PointPlace>::make(db, "experiment_place", {"point", "position"}, "experiment", id));
  while (TRY(places.next())) {
    const std::int64_t point = places.key(0);
    if (point < 0 || point >= std::ssize(out.points))
      return db.damaged(
          fmt::format("table experiment_place refers to point {}, which does not exist", point));
    std::vector<PointPlace>& all = out.points[static_cast<std::size_t>(point)].places;
    if (places.key(1) != std::ssize(all))
      return db.damaged(fmt::format("table experiment_place lacks position {}", all.size()));
    all.push_back(std::move(places.row()));
  }
  return {};
}

}  // namespace

Result<StoredExperiment> read_experiment(const Database& db, ExperimentId id) {
  StoredExperiment out;
  auto head = TRY(RowReader<Experiment>::make(db, "experiment", {}, "id", id));
  if (!TRY(head.next())) return db.damaged(fmt::format("experiment {} is gone", id));
  out.head = std::move(head.row());
  TRY(read_points(db, id, out));
  auto agents = TRY(RowReader<Agent>::make(db, "agent", {}, "experiment", id));
  while (TRY(agents.next())) out.agents.push_back(std::move(agents.row()));
  std::ranges::sort(out.agents, {}, &Agent::name);
  return out;
}

Result<std::vector<ExperimentRow>> Store::experiments() const {
  const Transaction seen = TRY(snapshot());
  std::map<ExperimentId, PointCounts> counts;
  Statement counted = TRY(db_.prepare(std::string(kCounts)));
  while (TRY(counted.step())) {
    PointCounts c{counted.integer(1).value_or(0), counted.integer(2).value_or(0),
                  counted.integer(3).value_or(0)};
    c.waiting = c.points - c.measured - c.failed;
    counts[counted.integer(0).value_or(0)] = c;
  }
  auto rows = TRY(RowReader<ExperimentHead>::make_all(db_, "experiment", {"id"}));
  std::vector<ExperimentRow> out;
  while (TRY(rows.next())) out.push_back({rows.key(0), std::move(rows.row()), counts[rows.key(0)]});
  std::ranges::reverse(out);
  return out;
}

Result<ExperimentReport> Store::experiment(ExperimentId id) const {
  const Transaction seen = TRY(snapshot());
  if (!TRY(has_experiment(db_, id)))
    return no_experiment(db_, fmt::format("there is no experiment {}", id));
  StoredExperiment stored = TRY(read_experiment(db_, id));
  const auto results = TRY(results_of(db_, id, stored));
  ExperimentReport out;
  for (std::size_t i = 0; i < stored.points.size(); ++i)
    out.points.push_back(point_of(static_cast<std::int64_t>(i) + 1, stored.points[i], results[i]));
  out.requests = std::move(stored.head.requests);
  out.row = {id, {std::move(stored.head)}, counts_of(out.points)};
  out.agents = std::move(stored.agents);
  return out;
}

Result<ExperimentId> Store::experiment_named(std::string_view name) const {
  const auto number = whole_number<ExperimentId>(name);
  if (number && TRY(has_experiment(db_, *number))) return *number;
  Statement named = TRY(db_.prepare("SELECT MAX(id) FROM experiment WHERE name = ?"));
  named.bind(1, name);
  if (const auto id = TRY(first_id(std::move(named)))) return *id;
  return no_experiment(db_, fmt::format("there is no experiment {}", shorten(printable(name), 60)));
}

Result<std::vector<AgentRow>> Store::agents() const {
  Statement rows = TRY(db_.prepare(fmt::format(
      "SELECT experiment, {} FROM agent WHERE NOT EXISTS (SELECT 1 FROM agent AS later WHERE "
      "later.name = agent.name AND (later.last_s > agent.last_s OR (later.last_s = agent.last_s "
      "AND "
      "later.experiment > agent.experiment))) ORDER BY name",
      record::column_names(record::kType<Agent>))));
  std::vector<AgentRow> out;
  while (TRY(rows.step())) {
    AgentRow& row = out.emplace_back();
    row.experiment = rows.integer(0).value_or(0);
    TRY(take_row(db_, "agent", rows, 1, record::kType<Agent>, &row.agent));
  }
  return out;
}

}  // namespace ridge::store
