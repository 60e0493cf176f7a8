// SPDX-License-Identifier: Apache-2.0
// Lists that the database filters. Oracle: the whole list, filtered here (run_filter.h).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "store/both_testing.h"
#include "store/run_filter.h"
#include "store/store.h"

namespace ridge::store {
namespace {

class FilteredListsOnBoth : public OnBoth {
 protected:
  void SetUp() override {
    OnBoth::SetUp();
    if (IsSkipped()) return;
    Result<Store> opened = Store::open(database("runs.db"), Access::kCreate);
    ASSERT_TRUE(opened.ok()) << opened.error().text();
    store_.emplace(std::move(*opened));
  }

  void add_run(std::string model, std::string runtime, std::uint32_t threads, std::string host,
               std::int64_t recorded_s) {
    profile::Profile p;
    p.subject.path = std::move(model);
    p.subject.runtime = std::move(runtime);
    p.subject.threads = threads;
    p.host_json = R"({"hostname":")" + host + R"(","cpu":{"model":"m"}})";
    const auto kept = store_->append(p, {.recorded_s = recorded_s, .point = "", .fitness = ""});
    ASSERT_TRUE(kept.ok()) << kept.error().text();
  }

  void add_evaluation(std::string model, std::uint32_t threads, const std::string& host,
                      std::int64_t recorded_s) {
    profile::EvaluationRecord e;
    e.model = std::move(model);
    e.runtime = "ONNX Runtime";
    e.threads = threads;
    e.host = host + ", m";
    e.recorded_s = recorded_s;
    e.document = "{}";
    const auto kept = store_->append(e);
    ASSERT_TRUE(kept.ok()) << kept.error().text();
  }

  void add_results() {
    add_run("zoo:resnet50", "ONNX Runtime", 1, "b1", 100);
    add_run("zoo:resnet50", "ONNX Runtime", 12, "b2", 200);
    add_run("50%_'net\".onnx", "OpenVINO", 1, "b1", 300);
    add_run("größe.onnx", "OpenVINO", 2, "b1", 400);
    add_evaluation("zoo:resnet50", 1, "b1", 150);
    add_evaluation("zoo:resnet18", 2, "b2", 250);
  }

  std::optional<Store> store_;
};
INSTANTIATE_TEST_SUITE_P(Kinds, FilteredListsOnBoth, kKinds, kind_name);

const std::vector<RunFilter> kFilters = {
    {},
    {.model = "resnet"},
    {.model = "Resnet"},
    {.model = "%"},
    {.model = "'net\""},
    {.model = "größe"},
    {.runtimes = {"OpenVINO"}},
    {.runtimes = {"OpenVINO", "ONNX Runtime"}},
    {.threads = {1}},
    {.threads = {2, 12}},
    {.host = "b2"},
    {.since_s = 200},
    {.before_s = 200},
    {.model = "zoo:", .runtimes = {"ONNX Runtime"}, .threads = {1}, .host = "b", .since_s = 1},
    {.model = "nothing"}};

TEST_P(FilteredListsOnBoth, HaveTheRowsThatPassNewestFirst) {
  add_results();
  for (const RunFilter& filter : kFilters) {
    std::vector<RunId> expected;
    const std::vector<RunRow> all = store_->list().value();
    for (const RunRow& run : all)
      if (takes(filter, run)) expected.insert(expected.begin(), run.id);
    const auto found = store_->runs(filter, {});
    ASSERT_TRUE(found.ok()) << found.error().text();
    std::vector<RunId> ids;
    for (const RunRow& run : found->rows) ids.push_back(run.id);
    EXPECT_EQ(ids, expected) << filter.model;
    EXPECT_EQ(found->total, std::ssize(expected));
  }
}

TEST_P(FilteredListsOnBoth, HaveTheEvaluationsThatPass) {
  add_results();
  for (const RunFilter& filter : kFilters) {
    std::vector<EvaluationId> expected;
    const std::vector<EvaluationRow> all = store_->evaluations().value();
    for (const EvaluationRow& row : all)
      if (takes(filter, row.record)) expected.insert(expected.begin(), row.id);
    const auto found = store_->evaluations(filter, {});
    ASSERT_TRUE(found.ok()) << found.error().text();
    std::vector<EvaluationId> ids;
    for (const EvaluationRow& row : found->rows) ids.push_back(row.id);
    EXPECT_EQ(ids, expected) << filter.model;
    EXPECT_EQ(found->total, std::ssize(expected));
  }
}

TEST_P(FilteredListsOnBoth, ReadAWindow) {
  add_results();
  const Windowed<RunRow> second = store_->runs({}, {.limit = 2, .offset = 1}).value();
  EXPECT_EQ(second.total, 4);
  ASSERT_EQ(second.rows.size(), 2U);
  EXPECT_EQ(second.rows[0].recorded_s, 300);
  EXPECT_EQ(second.rows[1].recorded_s, 200);
  EXPECT_EQ(store_->runs({}, {.limit = 2, .offset = 9}).value().rows.size(), 0U);
}

TEST_P(FilteredListsOnBoth, ReadAWindowOfWhatPasses) {
  add_results();
  const Windowed<RunRow> second = store_->runs({.host = "b1"}, {.limit = 1, .offset = 1}).value();
  EXPECT_EQ(second.total, 3);
  ASSERT_EQ(second.rows.size(), 1U);
  EXPECT_EQ(second.rows[0].recorded_s, 300);
  EXPECT_EQ(store_->runs({.host = "b1"}, {.limit = 2, .offset = 3}).value().rows.size(), 0U);
}

/// A page of PostgreSQL has 8 KiB, and an entry of an index at most a third of it.
TEST_P(FilteredListsOnBoth, TakeNamesOfAnyLength) {
  std::string name;
  for (std::uint32_t i = 0, x = 1; i < 20'000; ++i, x = x * 1664525 + 1013904223)
    name += static_cast<char>('a' + x % 97 % 26);
  add_run(name + "z.onnx", "ONNX Runtime", 1, name, 100);
  add_evaluation(name + "z.onnx", 1, name, 100);
  EXPECT_EQ(store_->runs({.model = "z.onnx", .host = name}, {}).value().total, 1);
  EXPECT_EQ(store_->evaluations({.model = name}, {}).value().total, 1);
}

TEST_P(FilteredListsOnBoth, CountResultsByMachineAndRuntime) {
  add_results();
  const auto hosts = store_->hosts();
  ASSERT_TRUE(hosts.ok()) << hosts.error().text();
  std::vector<std::string> found;
  for (const HostRow& h : *hosts)
    found.push_back(fmt::format("{}|{}|{} {} {} {}", h.machine, h.runtime, h.runs, h.evaluations,
                                h.models, h.last_s));
  EXPECT_EQ(found,
            (std::vector<std::string>{"b1, m|ONNX Runtime|1 1 1 150", "b1, m|OpenVINO|2 0 2 400",
                                      "b2, m|ONNX Runtime|1 1 2 250"}));
}

}  // namespace
}  // namespace ridge::store
