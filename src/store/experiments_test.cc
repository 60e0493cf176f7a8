// SPDX-License-Identifier: Apache-2.0
// Experiments and agents in a store, and in a damaged one with the evidence of the error for each.
#include <algorithm>

#include "record/json_write.h"
#include "store/both_testing.h"
#include "store/describe_experiment.h"
#include "store/run_filter.h"
#include "store/suite_testing.h"

namespace ridge::store {
namespace {

class ExperimentsOnBoth : public OnBoth {};
INSTANTIATE_TEST_SUITE_P(Kinds, ExperimentsOnBoth, kKinds, kind_name);

template <typename T>
std::string json_of(const T& value) {
  return record::json_text(record::kType<T>, &value);
}

Experiment asked(const std::string& name, const std::string& text, std::int64_t at = 100) {
  return {.name = name,
          .spread = "each",
          .lab = "lab.toml",
          .started_s = at,
          .last_s = at,
          .ridge_version = "0.1.0",
          .requests = {{"m.toml", "eval", text}}};
}

PlannedPoint point(const std::string& name, const std::string& machine, const std::string& key) {
  return {.name = name,
          .label = "a.onnx, " + name + ", ort",
          .error = {},
          .places = {{.machine = machine, .key = key}}};
}

/// Keeps an evaluation of a point; a generation as another kind.
void keep(Store& store, const std::string& key,
          profile::EvaluationKind kind = profile::EvaluationKind::kEvaluation) {
  const auto kept = store.append(
      profile::EvaluationRecord{.kind = kind, .recorded_s = 7, .point = key, .model = "a.onnx"});
  ASSERT_TRUE(kept.ok()) << kept.error().text();
}

std::string states(const ExperimentReport& e) {
  std::string out;
  for (const ExperimentPoint& p : e.points)
    out += std::string(out.empty() ? "" : " ") + std::string(word(p.state)) +
           (p.machine ? " on " + *p.machine : "");
  return out;
}

TEST_P(ExperimentsOnBoth, ArePointsThatResultsAreFoundBy) {
  Store store = opened(database("runs.db"));
  const ExperimentId id = store.begin(asked("matrix", "x")).value();
  EXPECT_EQ(id, 1);
  const auto numbers = store.plan(id, {point("one", "a", "k1"), point("one on b", "b", "k2"),
                                       point("two", "a", "k3"), point("three", "a", "")});
  ASSERT_TRUE(numbers.ok()) << numbers.error().text();
  EXPECT_EQ(*numbers, (std::vector<std::int64_t>{1, 2, 3, 4}));
  EXPECT_EQ(states(store.experiment(id).value()), "waiting waiting waiting waiting");
  // A result without a key is no point's.
  keep(store, "");
  keep(store, "k2");
  keep(store, "k3", profile::EvaluationKind::kGeneration);
  const auto run = store.append(filled_profile(3), {.recorded_s = 1, .point = "k1", .fitness = ""});
  ASSERT_TRUE(run.ok());
  const ExperimentReport e = store.experiment(id).value();
  EXPECT_EQ(states(e), "measured on a measured on b measured on a waiting");
  EXPECT_EQ(e.points[0].run, run->id);
  EXPECT_FALSE(e.points[0].evaluation);
  EXPECT_EQ(e.points[1].evaluation, 2);
  EXPECT_EQ(e.points[2].generation, 3);
  EXPECT_FALSE(e.points[2].evaluation);
  EXPECT_EQ(json_of(e.row.counts), "{\"asked\":4,\"measured\":3,\"failed\":0,\"waiting\":1}");
  EXPECT_EQ(json_of(store.experiments()->at(0).counts), json_of(e.row.counts));
  const auto of_it = store.runs(RunFilter{.experiment = id}, {});
  EXPECT_EQ(of_it->total, 1);
  EXPECT_EQ(store.evaluations(RunFilter{.experiment = id}, {})->total, 1);
  EXPECT_EQ(store.runs(RunFilter{.experiment = 2}, {})->total, 0);
  ASSERT_TRUE(store.remove(run->id).ok());
  EXPECT_EQ(store.experiment(id)->points[0].state, PointState::kWaiting);
}

TEST_P(ExperimentsOnBoth, GoOnWhenTheSameIsAskedAgain) {
  Store store = opened(database("runs.db"));
  const ExperimentId id = store.begin(asked("matrix", "x")).value();
  ASSERT_TRUE(store.plan(id, {point("one", "a", "k1")}).ok());
  ASSERT_TRUE(store
                  .note(id, {.state = ExperimentState::kStopped,
                             .last_s = 150,
                             .ended_s = 160,
                             .points = {{.point = 1, .error = "it crashed", .place = {}}}})
                  .ok());
  EXPECT_EQ(states(store.experiment(id).value()), "failed");
  EXPECT_EQ(store.experiment(id)->points[0].error, "it crashed");
  EXPECT_EQ(store.experiment(id)->row.head.ended_s, 160);
  EXPECT_EQ(store.experiments()->at(0).counts.failed, 1);

  EXPECT_EQ(store.begin(asked("matrix", "x", 200)).value(), id);
  // A point that failed is tried again, one may get another machine, and another key.
  PlannedPoint more = point("one", "a", "k9");
  more.places.push_back({.machine = "b", .key = "k2"});
  EXPECT_EQ(store.plan(id, {point("two", "b", "k3"), more}).value(),
            (std::vector<std::int64_t>{2, 1}));
  ExperimentReport e = store.experiment(id).value();
  EXPECT_EQ(states(e), "waiting waiting");
  EXPECT_EQ(e.points[0].machines, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(e.row.head.started_s, 100);
  EXPECT_EQ(e.row.head.last_s, 200);
  EXPECT_FALSE(e.row.head.ended_s);
  keep(store, "k9");
  keep(store, "k2");
  EXPECT_EQ(states(store.experiment(id).value()), "measured on a waiting");
  ASSERT_TRUE(store
                  .note(id, {.last_s = 201,
                             .points = {{.point = 1,
                                         .error = {},
                                         .place = {.machine = "b", .key = {}, .measured = true}}}})
                  .ok());
  EXPECT_EQ(states(store.experiment(id).value()), "measured on b waiting");

  // Another request, or another spread, under the name is another experiment.
  EXPECT_EQ(store.begin(asked("matrix", "y")).value(), 2);
  Experiment any = asked("matrix", "x");
  any.spread = "any";
  EXPECT_EQ(store.begin(any).value(), 3);
  EXPECT_EQ(store.experiment_named("matrix").value(), 3);
  EXPECT_EQ(store.experiment_named("2").value(), 2);
}

TEST_P(ExperimentsOnBoth, KeepWhatAnAgentToldWhileItDoesNotAnswer) {
  Store store = opened(database("runs.db"));
  const ExperimentId first = store.begin(asked("one", "x")).value();
  const ExperimentId second = store.begin(asked("two", "x")).value();
  const Agent told{.name = "a",
                   .machine = "host, Zen 4, 16",
                   .ridge_version = "0.1.0",
                   .state = AgentState::kMeasuring,
                   .doing = "größe 層",
                   .reason = {},
                   .done = 3,
                   .last_s = 50,
                   .runtimes = {{"ort", "ONNX Runtime", "1.20.1"}, {"openvino", "OpenVINO", {}}},
                   .models = {{"a.onnx", "00ff", 12}, {"zoo:vgg16", "", {}}}};
  ASSERT_TRUE(
      store.note(first, {.last_s = 50, .agents = {told, {.name = "b", .last_s = 40}}}).ok());
  const auto agents = store.experiment(first)->agents;
  ASSERT_EQ(agents.size(), 2U);
  EXPECT_EQ(json_of(agents[0]), json_of(told));
  ASSERT_TRUE(store
                  .note(first, {.last_s = 60,
                                .agents = {{.name = "a",
                                            .state = AgentState::kGone,
                                            .doing = {},
                                            .reason = "no route to host"}}})
                  .ok());
  Agent expected = told;
  expected.state = AgentState::kGone;
  expected.doing.clear();
  expected.reason = "no route to host";
  expected.done = 0;
  EXPECT_EQ(json_of(store.experiment(first)->agents[0]), json_of(expected));

  ASSERT_TRUE(store.note(second, {.last_s = 70, .agents = {{.name = "a", .last_s = 70}}}).ok());
  const auto all = store.agents();
  ASSERT_TRUE(all.ok()) << all.error().text();
  ASSERT_EQ(all->size(), 2U);
  EXPECT_EQ(all->at(0).experiment, second);
  EXPECT_EQ(all->at(1).experiment, first);
  EXPECT_EQ(all->at(1).agent.name, "b");
}

TEST_P(ExperimentsOnBoth, AreCarriedByAMerge) {
  Store ours = opened(database("ours.db"));
  Store theirs = opened(database("theirs.db"));
  const ExperimentId id = theirs.begin(asked("matrix", "x", 200)).value();
  ASSERT_TRUE(theirs.begin(asked("other", "x")).ok());
  ASSERT_TRUE(theirs.plan(id, {point("one", "a", "k1"), point("two", "b", "k2")}).ok());
  ASSERT_TRUE(theirs
                  .note(id, {.state = ExperimentState::kDone,
                             .last_s = 300,
                             .ended_s = 300,
                             .agents = {{.name = "a", .last_s = 299}, {.name = "b", .last_s = 300}},
                             .points = {{.point = 2, .error = "theirs", .place = {}}}})
                  .ok());
  keep(theirs, "k1");
  ASSERT_EQ(ours.begin(asked("matrix", "x", 100)).value(), 1);
  ASSERT_TRUE(ours.plan(1, {point("zero", "c", "k0"), point("two", "b", "k2")}).ok());
  ASSERT_TRUE(
      ours.note(1, {.last_s = 101, .agents = {{.name = "b", .doing = "old", .last_s = 1}}}).ok());
  const auto merged = ours.merge(theirs);
  ASSERT_TRUE(merged.ok()) << merged.error().text();
  EXPECT_EQ(merged->experiments, 1);  // the other one
  const ExperimentReport e = ours.experiment(1).value();
  EXPECT_EQ(states(e), "waiting failed measured on a");
  EXPECT_EQ(e.row.head.state, ExperimentState::kDone);
  EXPECT_EQ(e.row.head.started_s, 100);
  ASSERT_EQ(e.agents.size(), 2U);
  EXPECT_EQ(e.agents[1].last_s, 300);
  EXPECT_EQ(ours.merge(theirs)->experiments, 0);
  EXPECT_EQ(json_of(ours.experiment(1).value()), json_of(e));
  // The older state does not overwrite the newer one.
  ASSERT_TRUE(theirs.merge(ours).ok());
  EXPECT_EQ(theirs.experiment(id)->row.counts.points, 3);
}

TEST_P(ExperimentsOnBoth, ThatAreNotThereAreNamed) {
  Store store = opened(database("runs.db"));
  const std::string in = "error: " + store.path() + ": ";
  EXPECT_EQ(store.experiment(3).error().text(), in + "there is no experiment 3\n"
                                                     "  it has no experiments\n"
                                                     "  hint: ridge runs experiments lists them\n"
                                                     "  [RIDGE-STORE-0022]\n");
  ASSERT_TRUE(store.begin(asked("matrix", "x")).ok());
  ASSERT_TRUE(store.begin(asked("b\nad", "x")).ok());
  EXPECT_EQ(store.experiment_named("nets").error().text(),
            in + "there is no experiment nets\n"
                 "  it has matrix, b\\x0aad\n"
                 "  hint: ridge runs experiments lists them\n"
                 "  [RIDGE-STORE-0022]\n");
}

TEST(BadStore, ExperimentsOfADamagedFileAreNamed) {
  const Folder folder;
  const std::vector<std::pair<std::string, std::string>> kDamage = {
      {"UPDATE experiment SET state = 'x'", "table experiment: column state: "},
      {"UPDATE experiment SET requests = '{'", "table experiment: column requests: "},
      {"UPDATE agent SET models = '[7]'", "table agent: column models: "},
      {"UPDATE agent SET last_s = 'x'", "table agent: column last_s: integer expected"},
      {"DELETE FROM experiment_point WHERE position = 0",
       "table experiment_point lacks position 0"},
      {"UPDATE experiment_place SET point = 9 WHERE point = 1",
       "table experiment_place refers to point 9, which does not exist"},
      {"UPDATE experiment_place SET position = 4 WHERE point = 1",
       "table experiment_place lacks position 0"},
  };
  int number = 0;
  for (const auto& [sql, evidence] : kDamage) {
    const std::string path = folder.file(std::to_string(number++) + ".db");
    {
      Store store = opened(path);
      ASSERT_TRUE(store.begin(asked("matrix", "x")).ok());
      ASSERT_TRUE(store.plan(1, {point("one", "a", "k1"), point("two", "b", "k2")}).ok());
      ASSERT_TRUE(store.note(1, {.last_s = 1, .agents = {{.name = "a"}}}).ok());
    }
    run_sql(path, sql);
    const auto read = opened(path, Access::kRead).experiment(1);
    ASSERT_FALSE(read.ok()) << sql;
    EXPECT_EQ(read.error().code(), "RIDGE-STORE-0004");
    EXPECT_TRUE(read.error().evidence().starts_with(evidence)) << read.error().text();
  }
}

}  // namespace
}  // namespace ridge::store
