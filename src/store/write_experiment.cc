// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "record/columns.h"
#include "store/content.h"
#include "store/describe_experiment.h"
#include "store/experiment_rows.h"
#include "store/rows.h"
#include "store/store.h"

namespace ridge::store {
namespace {

/// A point of the table, by its name.
struct KnownPoint {
  std::int64_t position = 0;
  std::map<std::string, std::string> keys;  ///< by machine
};

Result<std::map<std::string, KnownPoint>> known_points(const Database& db, ExperimentId id) {
  std::map<std::string, KnownPoint> out;
  std::int64_t position = 0;
  for (const PlannedPoint& point : TRY(read_experiment(db, id)).points) {
    KnownPoint& known = out[point.name];
    known.position = position++;
    for (const PointPlace& place : point.places) known.keys[place.machine] = place.key;
  }
  return out;
}

Result<void> set_state(const Database& db, ExperimentId id, ExperimentState state,
                       std::int64_t last_s, std::optional<std::int64_t> ended_s) {
  Statement s =
      TRY(db.prepare("UPDATE experiment SET state = ?, last_s = ?, ended_s = ? WHERE id = ?"));
  s.bind(1, word(state));
  s.bind(2, last_s);
  if (ended_s)
    s.bind(3, *ended_s);
  else
    s.bind_null(3);
  s.bind(4, id);
  return s.run();
}

Result<void> set_error(const Database& db, ExperimentId id, std::int64_t position,
                       std::string_view error) {
  Statement s = TRY(
      db.prepare("UPDATE experiment_point SET error = ? WHERE experiment = ? AND position = ?"));
  s.bind(1, error);
  s.bind(2, id);
  s.bind(3, position);
  return s.run();
}

/// Key and mark of a machine that the point has already; an empty key leaves the one that is there.
Result<void> set_place(const Database& db, ExperimentId id, std::int64_t position,
                       const PointPlace& place) {
  Statement s = TRY(db.prepare(
      "UPDATE experiment_place SET key = CASE WHEN ? = '' THEN key ELSE ? END, measured "
      "= CASE WHEN measured = 1 THEN 1 ELSE ? END WHERE experiment = ? AND point = ? AND "
      "machine = ?"));
  s.bind(1, std::string_view(place.key));
  s.bind(2, std::string_view(place.key));
  s.bind(3, std::int64_t{place.measured ? 1 : 0});
  s.bind(4, id);
  s.bind(5, position);
  s.bind(6, std::string_view(place.machine));
  return s.run();
}

/// A machine of a point at its position in the tables.
struct NewPlace {
  std::int64_t point = 0, position = 0;
  const PointPlace* place = nullptr;
};

/// Brings a point that is there up to date; machines that it lacks are added to `out`.
Result<void> renew_point(const Database& db, ExperimentId id, const PlannedPoint& point,
                         const KnownPoint& known, std::vector<NewPlace>& out) {
  TRY(set_error(db, id, known.position, point.error));
  std::int64_t places = std::ssize(known.keys);
  for (const PointPlace& place : point.places) {
    if (known.keys.contains(place.machine))
      TRY(set_place(db, id, known.position, place));
    else
      out.push_back({known.position, places++, &place});
  }
  return {};
}

std::string upsert_agent_sql() {
  std::vector<std::string> names = column_list({"experiment"}, {&record::kType<Agent>});
  const std::vector<std::string_view> marks(names.size(), "?");
  // What an agent is and has is kept while it does not answer.
  const std::vector<std::string_view> facts = {"machine", "ridge_version", "runtimes", "models"};
  std::vector<std::string> set;
  for (const std::string& name : names) {
    if (name == "experiment" || name == "name") continue;
    if (std::ranges::find(facts, name) != facts.end())
      set.push_back(fmt::format(
          "{0} = CASE WHEN excluded.ridge_version = '' THEN agent.{0} ELSE excluded.{0} END",
          name));
    else if (name == "last_s")
      set.push_back(
          "last_s = CASE WHEN excluded.last_s = 0 THEN agent.last_s ELSE excluded.last_s END");
    else
      set.push_back(fmt::format("{0} = excluded.{0}", name));
  }
  return fmt::format(
      "INSERT INTO agent({}) VALUES ({}) ON CONFLICT (experiment, name) DO UPDATE "
      "SET {}",
      fmt::join(names, ", "), fmt::join(marks, ", "), fmt::join(set, ", "));
}

/// The newer errors of points that both have are ours.
void keep_errors(const std::vector<PlannedPoint>& ours, std::vector<PlannedPoint>& theirs) {
  std::map<std::string_view, const PlannedPoint*> known;
  for (const PlannedPoint& point : ours) known[point.name] = &point;
  for (PlannedPoint& point : theirs)
    if (const auto mine = known.find(point.name); mine != known.end())
      point.error = mine->second->error;
}

}  // namespace

std::string experiment_content(const Experiment& experiment) {
  ContentDigest d;
  d.text(experiment.name);
  d.text(experiment.spread);
  for (const AskedRequest& request : experiment.requests) {
    d.text(request.verb);
    d.text(request.text);
  }
  return d.hex();
}

Result<std::vector<std::int64_t>> write_points(const Database& db, ExperimentId id,
                                               const std::vector<PlannedPoint>& points) {
  std::map<std::string, KnownPoint> known = TRY(known_points(db, id));
  std::vector<std::int64_t> out;
  std::vector<NewPlace> places;
  auto rows =
      TRY(RowWriter<PlannedPoint>::make(db, "experiment_point", {"experiment", "position"}));
  for (const PlannedPoint& point : points) {
    const auto [at, fresh] = known.try_emplace(point.name, KnownPoint{std::ssize(known), {}});
    out.push_back(at->second.position + 1);
    if (!fresh) {
      TRY(renew_point(db, id, point, at->second, places));
      continue;
    }
    TRY(rows.add({id, at->second.position}, point));
    std::int64_t position = 0;
    for (const PointPlace& place : point.places)
      places.push_back({at->second.position, position++, &place});
  }
  TRY(rows.done());
  auto added =
      TRY(RowWriter<PointPlace>::make(db, "experiment_place", {"experiment", "point", "position"}));
  for (const NewPlace& n : places) TRY(added.add({id, n.point, n.position}, *n.place));
  TRY(added.done());
  return out;
}

Result<void> write_agents(const Database& db, ExperimentId id, const std::vector<Agent>& agents) {
  if (agents.empty()) return {};
  Statement s = TRY(db.prepare(upsert_agent_sql()));
  for (const Agent& agent : agents) {
    s.bind(1, id);
    BoundRow bound(s, 1);
    record::write_row(record::kType<Agent>, &agent, bound);
    TRY(s.run());
  }
  return {};
}

Result<void> write_progress(const Database& db, ExperimentId id, const Experiment& head) {
  TRY(set_state(db, id, head.state, head.last_s, head.ended_s));
  Statement s = TRY(db.prepare("UPDATE experiment SET lab = ?, ridge_version = ? WHERE id = ?"));
  s.bind(1, std::string_view(head.lab));
  s.bind(2, std::string_view(head.ridge_version));
  s.bind(3, id);
  return s.run();
}

Result<ExperimentId> Store::begin(const Experiment& experiment) {
  const std::string content = experiment_content(experiment);
  const Appended kept = TRY(append_once(db_, "experiment", content, [&] {
    return write_with_content(db_, "experiment", content, experiment);
  }));
  if (!kept.added)
    TRY(in_transaction(db_, Purpose::kAppend,
                       [&] { return write_progress(db_, kept.id, experiment); }));
  return kept.id;
}

Result<std::vector<std::int64_t>> Store::plan(ExperimentId id,
                                              const std::vector<PlannedPoint>& points) {
  return in_transaction(db_, Purpose::kRemove, [&] { return write_points(db_, id, points); });
}

Result<void> Store::note(ExperimentId id, const ExperimentNews& news) {
  return in_transaction(db_, Purpose::kAppend, [&]() -> Result<void> {
    TRY(set_state(db_, id, news.state, news.last_s, news.ended_s));
    TRY(write_agents(db_, id, news.agents));
    for (const PointNews& point : news.points) {
      TRY(set_error(db_, id, point.point - 1, point.error));
      if (!point.place.machine.empty()) TRY(set_place(db_, id, point.point - 1, point.place));
    }
    return {};
  });
}

/// Carries one experiment over; true if this store did not have it.
Result<bool> Store::merge_experiment(const StoredExperiment& theirs) {
  const std::string content = experiment_content(theirs.head);
  return in_transaction(db_, Purpose::kRemove, [&]() -> Result<bool> {
    const auto known = TRY(id_of_content(db_, "experiment", content));
    if (!known) {
      const auto id = TRY(write_with_content(db_, "experiment", content, theirs.head));
      if (!id) return db_.damaged("an experiment was added while it was looked for");
      TRY(write_points(db_, *id, theirs.points));
      TRY(write_agents(db_, *id, theirs.agents));
      return true;
    }
    const StoredExperiment ours = TRY(read_experiment(db_, *known));
    if (theirs.head.last_s > ours.head.last_s) TRY(write_progress(db_, *known, theirs.head));
    std::vector<PlannedPoint> points = theirs.points;
    if (theirs.head.last_s <= ours.head.last_s) keep_errors(ours.points, points);
    TRY(write_points(db_, *known, points));
    std::vector<Agent> agents = theirs.agents;
    std::erase_if(agents, [&](const Agent& agent) {
      const auto mine = std::ranges::find(ours.agents, agent.name, &Agent::name);
      return mine != ours.agents.end() && mine->last_s >= agent.last_s;
    });
    TRY(write_agents(db_, *known, agents));
    return false;
  });
}

Result<std::int64_t> Store::merge_experiments(const Store& other) {
  std::int64_t added = 0;
  Statement rows = TRY(other.db_.prepare("SELECT id FROM experiment ORDER BY id"));
  std::vector<ExperimentId> ids;
  while (TRY(rows.step())) ids.push_back(rows.integer(0).value_or(0));
  for (const ExperimentId id : ids)
    added += TRY(merge_experiment(TRY(read_experiment(other.db_, id)))) ? 1 : 0;
  return added;
}

}  // namespace ridge::store
