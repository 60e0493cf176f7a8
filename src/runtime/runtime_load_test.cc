// SPDX-License-Identifier: Apache-2.0
// Loads on runtimes in child processes: the null runtime, one that crashes, and one built against the
// first version of the interface.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <map>
#include <thread>

#include "runtime/paths.h"
#include "runtime/runtime.h"
#include "runtime/testing/expect.h"
#include "scenario/describe.h"

namespace ridge::runtime {
namespace {

using scenario::Query;
using scenario::Scenario;

using Entries = std::vector<std::pair<std::string, std::string>>;

Options load_plugin(const char* name, Entries entries = {}) {
  Options options;
  options.plugin = find_plugin(name).value();
  options.entries = std::move(entries);
  return options;
}

Samples samples(std::uint32_t count) {
  std::vector<InputSpec> specs;
  for (std::uint32_t i = 0; i < count; ++i) specs.push_back({.name = "x", .dims = {4}});
  Inputs inputs = expect_ok(Inputs::make(specs));
  Samples out{.sets = {}, .memory = std::move(inputs.memory)};
  for (InputTensor& tensor : inputs.tensors) out.sets.push_back({std::move(tensor)});
  return out;
}

/// A loaded runtime with samples.
struct Loads {
  explicit Loads(const Options& options, std::uint32_t count = 4)
      : runtime(expect_ok(Runtime::spawn(options))), given(samples(count)) {
    session = expect_ok(runtime.load({.model = "model", .weights = {}})).session;
    EXPECT_TRUE(runtime.set_samples(session, given).ok());
  }
  Result<LoadResult> generate(const Scenario& scenario, const QueryLog& log) {
    return runtime.generate(session, scenario, log);
  }

  Runtime runtime;
  Samples given;
  SessionId session = 0;
};

Scenario brief_scenario(scenario::Kind kind, std::uint64_t queries) {
  return {.kind = kind,
          .arrivals = scenario::Poisson{.rate = 50'000},
          .min_duration = Nanos{0},
          .min_queries = queries};
}

TEST(RuntimeLoad, RecordsEveryQuery) {
  Loads loads(load_plugin("null"));
  for (const scenario::Kind kind :
       {scenario::Kind::kSingleStream, scenario::Kind::kServer, scenario::Kind::kOffline}) {
    const QueryLog log = expect_ok(QueryLog::make(1000, 1));
    const LoadResult result = expect_ok(loads.generate(brief_scenario(kind, 1000), log));
    EXPECT_FALSE(result.failure);
    const std::vector<Query> queries = expect_ok(log.queries());
    EXPECT_EQ(queries.size(), 1000U) << word(kind);
    for (const Query& q : queries)
      ASSERT_TRUE(result.begun_ns <= q.scheduled_ns && q.scheduled_ns <= q.issued_ns &&
                  q.issued_ns <= q.done_ns && q.done_ns <= result.ended_ns);
  }
}

TEST(RuntimeLoad, KeepsTheQueriesOfAProcessThatCrashes) {
  Loads loads(load_plugin("null", {{"ridge.crash_after", "103"}}));  // three of them warm up
  const QueryLog log = expect_ok(QueryLog::make(1000, 1));
  const LoadResult result =
      expect_ok(loads.generate(brief_scenario(scenario::Kind::kSingleStream, 1000), log));
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->code(), "RIDGE-RT-0010");
  EXPECT_EQ(expect_ok(log.queries()).size(), 100U);
}

TEST(RuntimeLoad, MarksFailedQueries) {
  Loads loads(load_plugin("null", {{"ridge.fail_every", "10"}}));
  Scenario s = brief_scenario(scenario::Kind::kSingleStream, 100);
  s.warmup_runs = 0;
  const QueryLog log = expect_ok(QueryLog::make(100, 1));
  EXPECT_FALSE(expect_ok(loads.generate(s, log)).failure);
  const std::vector<Query> queries = expect_ok(log.queries());
  EXPECT_EQ(std::ranges::count_if(queries, [](const Query& q) { return q.failed == 1; }), 10);
}

TEST(RuntimeLoad, ReturnsTheOutputsOfEachSample) {
  Loads loads(load_plugin("null"), 5);
  const std::vector<Outputs> outputs = expect_ok(loads.runtime.outputs_of(loads.session, 1, 3));
  ASSERT_EQ(outputs.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    const InputTensor& input = loads.given.sets[i + 1][0];
    const auto given = loads.given.memory.bytes().subspan(static_cast<std::size_t>(input.offset),
                                                          static_cast<std::size_t>(input.bytes));
    ASSERT_EQ(outputs[i].tensors.size(), 1U);
    EXPECT_TRUE(std::ranges::equal(outputs[i].tensors[0].bytes, given)) << i;
  }
}

TEST(RuntimeLoad, KeepsTheOutputsOfRunsUnderLoad) {
  for (const char* name : {"null", "plain"}) {
    Loads loads(load_plugin(name), 5);
    Scenario s = brief_scenario(scenario::Kind::kSingleStream, 100);
    s.max_queries = 100;
    s.order = scenario::Order::kListed;
    for (std::uint32_t i = 0; i < 100; ++i) s.listed.push_back(i * i % 5);
    s.kept = {0, 33, 99};
    const QueryLog log = expect_ok(QueryLog::make(100, 1));
    const LoadResult result = expect_ok(loads.generate(s, log));
    ASSERT_EQ(result.kept.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(result.kept[i].run, s.kept[i]);
      const InputTensor& input = loads.given.sets[s.listed[s.kept[i]]][0];
      const std::byte first = loads.given.memory.bytes()[static_cast<std::size_t>(input.offset)];
      const std::byte expected = std::string_view(name) == "plain" ? ~first : first;
      EXPECT_EQ(result.kept[i].outputs.tensors.at(0).bytes[0], expected);
    }
    s.kept.clear();
    const QueryLog again = expect_ok(QueryLog::make(100, 1));
    EXPECT_TRUE(expect_ok(loads.generate(s, again)).kept.empty());
  }
}

/// Sessions for batches of `sizes`, of samples of four floats.
void set_batches(Loads& loads, const std::vector<std::uint32_t>& sizes) {
  std::vector<BatchModel> batches;
  for (const std::uint32_t size : sizes) {
    InputTensor input{.name = "x", .dims = {4 * std::int64_t{size}}};
    input.bytes = 16 * std::int64_t{size};
    const Loaded loaded = expect_ok(loads.runtime.load({.model = "model", .weights = {}}));
    batches.push_back({size, loaded.session, {input}});
  }
  ASSERT_TRUE(loads.runtime.set_batches(loads.session, std::move(batches)).ok());
}

TEST(RuntimeLoad, RunsBatchesInSessionsOfTheirSize) {
  for (const char* name : {"null", "plain"}) {
    Loads loads(load_plugin(name));
    set_batches(loads, {2, 4});
    Scenario s = brief_scenario(scenario::Kind::kOffline, 7);
    s.batching = scenario::Batching{.most = 4, .wait = Nanos{0}, .sizes = {}};
    const QueryLog log = expect_ok(QueryLog::make(1000, 1));
    EXPECT_FALSE(expect_ok(loads.generate(s, log)).failure);
    std::map<std::int64_t, int> batches;
    for (const Query& q : expect_ok(log.queries())) ++batches[q.issued_ns];
    std::vector<int> counts;
    for (const auto& [issued, count] : batches) counts.push_back(count);
    EXPECT_EQ(counts, (std::vector<int>{4, 2, 1})) << name;
  }
}

TEST(RuntimeLoad, NeedsASessionForEachSize) {
  Loads loads(load_plugin("null"));
  set_batches(loads, {2});
  Scenario s = brief_scenario(scenario::Kind::kOffline, 7);
  s.batching = scenario::Batching{.most = 4, .wait = Nanos{0}, .sizes = {}};
  const QueryLog log = expect_ok(QueryLog::make(1000, 1));
  EXPECT_EQ(loads.generate(s, log).error().message(), "no session for batches of that size");
}

TEST(RuntimeLoad, KeepsTheBatchesOfAProcessThatCrashesInOne) {
  Loads loads(load_plugin("null", {{"ridge.crash_after", "5"}}));  // of each size's worker
  set_batches(loads, {4});
  Scenario s = brief_scenario(scenario::Kind::kOffline, 100);
  s.warmup_runs = 0;
  s.batching = scenario::Batching{.most = 4, .wait = Nanos{0}, .sizes = {4}};
  const QueryLog log = expect_ok(QueryLog::make(1000, 1));
  EXPECT_EQ(expect_ok(loads.generate(s, log)).failure->code(), "RIDGE-RT-0010");
  EXPECT_EQ(expect_ok(log.queries()).size(), 20U);
}

TEST(RuntimeLoad, SendsQueriesToSeveralModels) {
  Loads loads(load_plugin("null"));
  const Samples others = samples(3);
  const SessionId other = expect_ok(loads.runtime.load({.model = "model", .weights = {}})).session;
  ASSERT_TRUE(loads.runtime.set_samples(other, others).ok());
  Scenario s = brief_scenario(scenario::Kind::kClosedLoop, 1000);
  s.workers = 2;
  s.mix = {0.25};
  const QueryLog log = expect_ok(QueryLog::make(1000, 2));
  EXPECT_FALSE(expect_ok(loads.runtime.generate(loads.session, s, log, {}, {&other, 1})).failure);
  const std::vector<Query> queries = expect_ok(log.queries());
  const auto count =
      std::ranges::count_if(queries, [](const Query& q) { return q.sample >= 4 && q.sample < 7; });
  EXPECT_NEAR(static_cast<double>(count), 250, 4 * std::sqrt(1000 * 0.25 * 0.75));
}

TEST(RuntimeLoad, EndsWhereItIsInterrupted) {
  std::atomic<bool> stop = false;
  Options options =
      load_plugin("null", {{"ridge.service", "constant:1000"}, {"ridge.wait", "sleep"}});
  options.interrupted = &stop;
  Loads loads(options);
  Scenario s = brief_scenario(scenario::Kind::kSingleStream, 1);
  s.min_duration = s.max_duration = Nanos{60'000'000'000};
  const QueryLog log = expect_ok(QueryLog::make(100'000, 1));
  const LoadResult result = expect_ok(
      loads.runtime.generate(loads.session, s, log, [&](std::uint64_t done) { stop = done > 20; }));
  EXPECT_TRUE(result.canceled);
  EXPECT_GT(expect_ok(log.queries()).size(), 20U);
  EXPECT_LT(expect_ok(log.queries()).size(), 50'000U);
}

TEST(RuntimeLoad, RunsAPluginWhoseStructsHaveOtherSizes) {
  Loads loads(load_plugin("plain"));
  for (int again = 0; again < 2; ++again) {
    const QueryLog log = expect_ok(QueryLog::make(100, 1));
    EXPECT_FALSE(
        expect_ok(loads.generate(brief_scenario(scenario::Kind::kSingleStream, 100), log)).failure);
    EXPECT_EQ(expect_ok(log.queries()).size(), 100U);
  }
  const std::vector<Outputs> outputs = expect_ok(loads.runtime.outputs_of(loads.session, 0, 4));
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const InputTensor& input = loads.given.sets[i][0];
    const std::byte first = loads.given.memory.bytes()[static_cast<std::size_t>(input.offset)];
    ASSERT_EQ(outputs[i].tensors.size(), 2U);
    EXPECT_EQ(outputs[i].tensors[0].bytes[0], ~first);
    EXPECT_EQ(outputs[i].tensors[1].bytes[0], first);
  }
}

TEST(RuntimeLoad, RefusesSeveralWorkersWhereThereAreNone) {
  Loads loads(load_plugin("plain"));
  Scenario s = brief_scenario(scenario::Kind::kClosedLoop, 100);
  s.workers = 2;
  const QueryLog log = expect_ok(QueryLog::make(100, 2));
  const Result<LoadResult> result = loads.generate(s, log);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().text(),
            "error: this runtime runs one query at a time\n"
            "  hint: its plug-in has no workers (runtime/abi.h); use --workers 1\n"
            "  [RIDGE-RT-0050]\n");
}

}  // namespace
}  // namespace ridge::runtime
