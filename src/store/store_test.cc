// SPDX-License-Identifier: Apache-2.0
#include "store/store.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <vector>

#include "store/both_testing.h"
#include "store/run_rows.h"
#include "store/testing.h"

namespace ridge::store {
namespace {

Store opened_store(const std::string& path, Access access = Access::kCreate) {
  Result<Store> store = Store::open(path, access);
  EXPECT_TRUE(store.ok()) << store.error().text();
  return std::move(*store);
}

std::vector<RunId> ids_of(const Store& store) {
  std::vector<RunId> ids;
  const std::vector<RunRow> rows = store.list().value();
  for (const RunRow& row : rows) ids.push_back(row.id);
  return ids;
}

std::int64_t count(const std::string& path, const std::string& table) {
  const auto db = Database::open(path, Access::kRead, Nanos{0});
  return db->number("SELECT count(*) FROM " + table).value();
}

class StoreOnBoth : public OnBoth {};
INSTANTIATE_TEST_SUITE_P(Kinds, StoreOnBoth, kKinds, kind_name);

TEST_P(StoreOnBoth, GivesBackEveryMemberOfEveryRun) {
  Store store = opened_store(database("runs.db"));
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const profile::Profile p = filled_profile(seed);
    const auto kept = store.append(p);
    ASSERT_TRUE(kept.ok()) << kept.error().text();
    const auto read = store.read(kept->id);
    ASSERT_TRUE(read.ok()) << read.error().text();
    EXPECT_EQ(text_of(*read), text_of(p)) << "seed " << seed;
  }
}

TEST_P(StoreOnBoth, KeepsWhatIsEmpty) {
  Store store = opened_store(database("runs.db"));
  const RunId id = store.append(profile::Profile{})->id;
  EXPECT_EQ(text_of(store.read(id).value()), text_of(profile::Profile{}));
}

TEST_P(StoreOnBoth, KnowsARunByItsContent) {
  Store store = opened_store(database("runs.db"));
  profile::Profile p = filled_profile(1);
  const Appended first = store.append(p).value();
  EXPECT_TRUE(first.added);
  const Appended again = store.append(p).value();
  EXPECT_FALSE(again.added);
  EXPECT_EQ(again.id, first.id);
  p.notes.emplace_back("another");
  EXPECT_TRUE(store.append(p)->added);
  EXPECT_EQ(ids_of(store), (std::vector<RunId>{1, 2}));
}

TEST(Store, ContentDependsOnEveryNumberAndText) {
  profile::Profile a = filled_profile(3);
  a.latency.processes = {{{1, 2}, 0, ""}, {{3}, 0, ""}};
  profile::Profile b = a;
  b.latency.processes = {{{1}, 0, ""}, {{2, 3}, 0, ""}};
  EXPECT_NE(content_of(a), content_of(b));
  b = a;
  b.profiling.residual_share += 1;
  EXPECT_NE(content_of(a), content_of(b));
  b = a;
  b.timeline.add({.name = b.timeline.intern("x")});
  EXPECT_NE(content_of(a), content_of(b));
  EXPECT_EQ(content_of(a), content_of(profile::Profile(a)));
}

TEST_P(StoreOnBoth, ListsWhatWasAsked) {
  Store store = opened_store(database("runs.db"));
  profile::Profile p;
  p.subject.path = "m.onnx";
  p.subject.bindings = {{"batch", {8, false}}, {"sequence", {128, false}}};
  p.subject.threads = 2;
  p.latency.ns = {20, {{19, 21}}};
  p.layers.resize(3);
  ASSERT_TRUE(store.append(p, {.recorded_s = 77, .point = "a point", .fitness = "[]"}).ok());
  const RunRow row = store.list()->at(0);
  EXPECT_EQ(row.recorded_s, 77);
  EXPECT_EQ(row.path, "m.onnx");
  EXPECT_EQ(row.sizes, "batch=8, sequence=128");
  EXPECT_EQ(row.threads, "2");
  EXPECT_EQ(row.latency_ns.low(), 19);
  EXPECT_EQ(row.layers, 3);
  EXPECT_EQ(store.stamp(1)->fitness, "[]");
  EXPECT_EQ(store.run_of_point("a point").value(), 1);
  EXPECT_EQ(store.run_of_point("another").value(), std::nullopt);
}

TEST_P(StoreOnBoth, ListsNoFigureThatAnImportedRunDoesNotTell) {
  Store store = opened_store(database("runs.db"));
  const double none = std::nan("");
  profile::Profile p = filled_profile(1);
  p.subject.kind = "imported";
  p.latency = {.processes = {}, .ns = {none}, .rejected = 0};
  p.items_per_s = none;
  ASSERT_TRUE(store.append(p).ok());
  const RunRow row = store.list()->at(0);
  for (const double figure : {row.latency_ns.value, row.latency_ns.low(), row.latency_ns.high(),
                              row.items_per_s, store.read(1)->latency.ns.value})
    EXPECT_TRUE(std::isnan(figure)) << figure;
  EXPECT_EQ(text_of(store.read(1).value()), text_of(p));
}

TEST(Store, TakesItsPathLiterally) {
  const Folder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  for (const std::string name : {":memory:", "file:x.db", "file::memory:", "a%41?mode=memory#b"}) {
    ASSERT_TRUE(opened_store(name).append(filled_profile(1)).ok()) << name;
    EXPECT_TRUE(std::filesystem::exists(name)) << name;
    EXPECT_EQ(ids_of(opened_store(name, Access::kRead)), std::vector<RunId>{1}) << name;
  }
  std::filesystem::current_path(before);
}

TEST(Store, MayGrowFarBeyondItsSizeWhenItWasOpened) {
  const Folder folder;
  const std::string path = folder.file("runs.db");
  opened_store(path);
  const auto before = std::filesystem::file_size(path);
  Store store = opened_store(path, Access::kWrite);
  const Store reader = opened_store(path, Access::kRead);
  profile::Profile p = filled_profile(1);
  p.notes.assign(60, std::string(before / 10, 'x'));
  ASSERT_TRUE(store.append(p).ok());
  for (const Store* each : {&std::as_const(store), &reader}) {
    const auto read = each->read(1);
    ASSERT_TRUE(read.ok()) << read.error().text();
    EXPECT_EQ(read->notes, p.notes);
  }
  EXPECT_TRUE(store.remove(1).ok());
}

TEST_P(StoreOnBoth, KeepsTheNodesOfAModelOnceForAllItsRuns) {
  const std::string path = database("runs.db");
  {
    Store store = opened_store(path);
    profile::Profile p = filled_profile(5);
    p.nodes.resize(4);
    for (std::uint32_t i = 0; i < 4; ++i) p.nodes[i].index = i;
    for (std::int64_t i = 0; i < 3; ++i) {
      p.load_ns = i;
      ASSERT_TRUE(store.append(p).ok());
    }
    EXPECT_EQ(store.read(3)->nodes.size(), 4U);
  }
  EXPECT_EQ(count(path, "model"), 1);
  EXPECT_EQ(count(path, "node"), 4);
  {
    Store store = opened_store(path, Access::kWrite);
    for (RunId id = 1; id <= 3; ++id) EXPECT_TRUE(store.remove(id).ok());
  }
  for (const char* table : {"run", "model", "node", "layer", "layer_sample", "kernel", "member",
                            "without_layer", "module", "roof", "note", "sample", "process", "span",
                            "span_attribute", "text", "binding", "opset", "run_option"})
    EXPECT_EQ(count(path, table), 0) << table;
}

TEST_P(StoreOnBoth, GivesNoIdTwice) {
  Store store = opened_store(database("runs.db"));
  ASSERT_TRUE(store.append(filled_profile(1)).ok());
  ASSERT_TRUE(store.remove(1).ok());
  EXPECT_EQ(store.append(filled_profile(2))->id, 2);
  EXPECT_EQ(store.last().value(), 2);
}

TEST_P(StoreOnBoth, MergesWhatItHasNot) {
  Store a = opened_store(database("a.db"));
  {
    Store b = opened_store(database("b.db"));
    for (const std::uint64_t seed : {1UL, 2UL}) ASSERT_TRUE(a.append(filled_profile(seed)).ok());
    for (const std::uint64_t seed : {2UL, 3UL})
      ASSERT_TRUE(
          b.append(filled_profile(seed), {.recorded_s = 5, .point = "p", .fitness = ""}).ok());
    ASSERT_TRUE(b.record_failure({1, "m.onnx", "batch=1", "ort", "it crashed"}).ok());
    ASSERT_TRUE(a.record_failure({1, "m.onnx", "batch=1", "ort", "ours"}).ok());
  }
  const Store b = opened_store(database("b.db"), Access::kRead);
  const Merged merged = a.merge(b).value();
  EXPECT_EQ(merged.added, 1);
  EXPECT_EQ(merged.duplicates, 1);
  EXPECT_EQ(ids_of(a), (std::vector<RunId>{1, 2, 3}));
  EXPECT_EQ(text_of(a.read(3).value()), text_of(filled_profile(3)));
  EXPECT_EQ(a.stamp(3)->recorded_s, 5);
  ASSERT_EQ(a.failures()->size(), 1U);
  EXPECT_EQ(a.failures()->at(0).error, "ours");
  EXPECT_EQ(a.merge(b)->added, 0);
}

TEST_P(StoreOnBoth, MergesNoFailureOfAPointThatEitherHasMeasured) {
  Store a = opened_store(database("a.db"));
  Store b = opened_store(database("b.db"));
  profile::Profile p;
  p.subject.path = "m.onnx";
  p.subject.runtime = "ONNX Runtime";
  p.subject.threads = 2;
  p.subject.bindings = {{"batch", {8, false}}, {"sequence", {128, false}}};
  ASSERT_TRUE(a.append(p).ok());
  p.subject.threads = 1;
  ASSERT_TRUE(b.append(p).ok());
  const Failure two{1, "m.onnx", "batch=8, sequence=128, 2 threads", "ort", "it crashed"};
  const Failure one{1, "m.onnx", "batch=8, sequence=128, 1 thread", "ort", "it crashed"};
  Failure elsewhere = two;
  elsewhere.runtime = "openvino";
  for (const Failure& f : {two, elsewhere}) ASSERT_TRUE(b.record_failure(f).ok());
  ASSERT_TRUE(a.record_failure(one).ok());
  const auto title = [](const std::string& name) {
    return name == "ort" ? std::string("ONNX Runtime") : name;
  };
  ASSERT_TRUE(a.merge(b, title).ok());
  ASSERT_EQ(a.failures()->size(), 1U);
  EXPECT_EQ(a.failures()->at(0).runtime, "openvino");
}

TEST_P(StoreOnBoth, KeepsTheLastFailureOfAPointUntilItIsMeasured) {
  Store store = opened_store(database("runs.db"));
  ASSERT_TRUE(store.record_failure({1, "m.onnx", "batch=1", "ort", "first"}).ok());
  ASSERT_TRUE(store.record_failure({1, "m.onnx", "batch=2", "ort", "another"}).ok());
  ASSERT_TRUE(store.record_failure({2, "m.onnx", "batch=1", "ort", "second"}).ok());
  ASSERT_EQ(store.failures()->size(), 2U);
  EXPECT_EQ(store.failures()->at(1).error, "second");
  ASSERT_TRUE(store.forget_failure({.path = "m.onnx", .label = "batch=1", .runtime = "ort"}).ok());
  ASSERT_EQ(store.failures()->size(), 1U);
  EXPECT_EQ(store.failures()->at(0).error, "another");
}

/// Appends runs of many rows until it is killed; writes a byte to `tell` after each stored run.
[[noreturn]] void append_for_ever(const std::string& path, int tell, std::uint64_t seed) {
  Result<Store> store = Store::open(path, Access::kWrite);
  for (; store.ok(); ++seed) {
    profile::Profile p = filled_profile(seed);
    p.latency.processes.push_back({std::vector<std::int64_t>(5000, 7), 0, "flat"});
    if (!store->append(p).ok() || ::write(tell, "k", 1) != 1) break;
  }
  _exit(1);
}

TEST_P(StoreOnBoth, AKilledWriterLeavesWholeRunsOnly) {
  const std::string path = database("runs.db");
  ASSERT_TRUE(opened_store(path).append(filled_profile(1)).ok());
  std::int64_t told = 1;
  for (int round = 0; round < 4; ++round) {
    int pipe_ends[2];
    ASSERT_EQ(pipe(pipe_ends), 0);
    const pid_t child = fork();
    if (child == 0)
      append_for_ever(path, pipe_ends[1], 2000 + 1000 * static_cast<std::uint64_t>(round));
    ASSERT_GT(child, 0);  // kill(-1) would signal every process
    close(pipe_ends[1]);
    char mark = 0;
    for (int i = 0; i < 2; ++i) told += read(pipe_ends[0], &mark, 1);  // then in mid-append
    usleep(static_cast<useconds_t>(700 * round));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    while (read(pipe_ends[0], &mark, 1) == 1) ++told;
    close(pipe_ends[0]);

    Store store = opened_store(path);
    const std::vector<RunId> ids = ids_of(store);
    EXPECT_GE(std::ssize(ids), told);  // some may be stored but not reported
    EXPECT_LE(std::ssize(ids), told + round + 1);
    told = std::ssize(ids);
    for (const RunId id : ids) EXPECT_TRUE(store.read(id).ok());
    EXPECT_EQ(text_of(store.read(1).value()), text_of(filled_profile(1)));
    EXPECT_TRUE(store.append(filled_profile(1000 + static_cast<std::uint64_t>(round))).ok());
    ++told;
  }
}

TEST_P(StoreOnBoth, ReadersDoNotWaitForAWriter) {
  const std::string path = database("runs.db");
  Store store = opened_store(path);
  ASSERT_TRUE(store.append(filled_profile(1)).ok());
  const auto db = Database::open(path, Access::kWrite, Nanos{0});
  const auto writing = Transaction::begin(*db);
  ASSERT_TRUE(writing.ok());
  const auto reader = Store::open(path, Access::kRead, Nanos{0});
  ASSERT_TRUE(reader.ok()) << reader.error().text();
  EXPECT_EQ(reader->list()->size(), 1U);
}

/// Appends a run to `path` with each opening of it; a byte to `told` after each.
[[noreturn]] void append_one_by_one(const std::string& path, int told, std::uint64_t runs) {
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    auto store = Store::open(path, Access::kCreate);
    if (!store.ok() || !store->append(filled_profile(seed)).ok()) _exit(1);
    store = input_error("RIDGE-TEST-0001", "closed");
    if (write(told, "x", 1) != 1) _exit(1);
  }
  _exit(0);
}

/// A writer that ends removes the files that readers need; a reader that opens the store then sees
/// what is appended later as any other.
TEST(Store, ReadersThatOpenItWhileAWriterEndsSeeWhatFollows) {
  constexpr std::uint64_t kRuns = 60;
  constexpr int kReadersAtOnce = 20;
  const Folder folder;
  const std::string path = folder.file("runs.db");
  ASSERT_TRUE(opened_store(path).append(filled_profile(0)).ok());
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  const pid_t child = fork();
  if (child == 0) append_one_by_one(path, pipe_ends[1], kRuns);
  ASSERT_GT(child, 0);
  close(pipe_ends[1]);
  RunId told = 1;
  for (char mark = 0; read(pipe_ends[0], &mark, 1) == 1;) {
    std::vector<Store> readers;
    for (int i = 0; i < kReadersAtOnce; ++i) readers.push_back(opened_store(path, Access::kRead));
    told += 1 + std::max<ssize_t>(read(pipe_ends[0], &mark, 1), 0);
    for (const Store& reader : readers) EXPECT_GE(reader.last()->value_or(0), told);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(told, kRuns + 1);
  close(pipe_ends[0]);
}

}  // namespace
}  // namespace ridge::store
