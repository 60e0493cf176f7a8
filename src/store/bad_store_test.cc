// SPDX-License-Identifier: Apache-2.0
// Files that are not stores, or damaged ones, and the error message for each.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <fstream>
#include <iterator>

#include "store/run_rows.h"
#include "store/schema.h"
#include "store/store.h"
#include "store/suite_testing.h"
#include "store/testing.h"

namespace ridge::store {
namespace {

/// Error text without the path of the folder.
std::string said(const Error& error, const Folder& folder) {
  std::string text = error.text();
  const std::string prefix = folder.path().string() + "/";
  for (std::size_t at; (at = text.find(prefix)) != std::string::npos;)
    text.erase(at, prefix.size());
  return text;
}

std::string refusal(const Folder& folder, const std::string& name, Access access) {
  const auto store = Store::open(folder.file(name), access, Nanos{0});
  return store.ok() ? "opened" : said(store.error(), folder);
}

void write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void make_store(const std::string& path, int runs = 3) {
  Store store = std::move(Store::open(path, Access::kCreate).value());
  for (int i = 0; i < runs; ++i)
    ASSERT_TRUE(store.append(filled_profile(static_cast<std::uint64_t>(i))).ok());
}

void run_statements(const std::string& path, const std::string& sql) {
  const auto db = Database::open(path, Access::kCreate, Nanos{0});
  ASSERT_TRUE(db.ok() && db->run(sql).ok()) << sql;
}

TEST(BadStore, IsNotThere) {
  const Folder folder;
  EXPECT_EQ(refusal(folder, "no.db", Access::kRead),
            "error: no.db: cannot open it: No such file or directory\n"
            "  hint: check the spelling of the path\n"
            "  [RIDGE-IO-0001]\n");
  EXPECT_EQ(refusal(folder, "no/runs.db", Access::kCreate),
            "error: no/runs.db: the store cannot be written\n"
            "  unable to open database file\n"
            "  hint: you need permission to write the file and its folder\n"
            "  [RIDGE-STORE-0007]\n");
}

TEST(BadStore, IsNoDatabase) {
  const Folder folder;
  write(folder.file("run.json"), "{\"schema\":\"ridge.profile/1\",\n");
  EXPECT_EQ(
      refusal(folder, "run.json", Access::kCreate),
      "error: run.json: this is not a run database\n"
      "  it begins with '{\"schema\":\"ridge.profile'\n"
      "  hint: this looks like output of --format json; run databases are created by --store\n"
      "  [RIDGE-STORE-0001]\n");
  write(folder.file("x.db"), "PK\x03\x04");
  EXPECT_EQ(refusal(folder, "x.db", Access::kRead),
            "error: x.db: this is not a run database\n"
            "  it begins with 'PK\\x03\\x04'\n"
            "  hint: name a file that --store created, or a new file\n"
            "  [RIDGE-STORE-0001]\n");
  EXPECT_EQ(bytes_of(folder.file("run.json")), "{\"schema\":\"ridge.profile/1\",\n");
}

TEST(BadStore, IsAnotherProgramsDatabase) {
  const Folder folder;
  run_statements(folder.file("other.db"), "CREATE TABLE t(a); PRAGMA application_id = 7");
  for (const Access access : {Access::kRead, Access::kWrite, Access::kCreate})
    EXPECT_EQ(refusal(folder, "other.db", access),
              "error: other.db: this SQLite file is not a run database\n"
              "  its application_id is 0x7, that of a run database 0x5264676c\n"
              "  hint: name a file that --store created, or a new file\n"
              "  [RIDGE-STORE-0002]\n");
}

TEST(BadStore, IsNewer) {
  const Folder folder;
  make_store(folder.file("runs.db"), 1);
  run_statements(folder.file("runs.db"), "PRAGMA user_version = 99");
  EXPECT_EQ(refusal(folder, "runs.db", Access::kRead),
            "error: runs.db: the store has version 99, this ridge supports up to 1\n"
            "  hint: a newer ridge wrote it; use that one\n"
            "  [RIDGE-STORE-0005]\n");
}

// Those programs had other tables under the same versions, up to 8.
TEST(BadStore, IsFromBeforeTheFirstRelease) {
  const Folder folder;
  for (const char* version : {"1", "7"}) {
    const std::string name = std::string("v") + version;
    make_store(folder.file(name), 1);
    run_sql(folder.file(name),
            std::string("PRAGMA application_id = 0x52646765; PRAGMA user_version = ") + version);
    for (const Access access : {Access::kRead, Access::kWrite, Access::kCreate})
      EXPECT_EQ(refusal(folder, name, access),
                "error: " + name +
                    ": a ridge from before the first release wrote this store\n"
                    "  its tables are those of development version " +
                    version +
                    "\n"
                    "  hint: store into a new file; the ridge that wrote this one can print its "
                    "runs as JSON for ridge runs add\n"
                    "  [RIDGE-STORE-0013]\n");
  }
}

// SQLite reads the number as well as before.
TEST(BadStore, HasADamagedByte) {
  const Folder folder;
  const std::string path = folder.file("runs.db");
  make_store(path, 2);
  run_statements(path, "UPDATE run SET latency_ns = 12345.5 WHERE id = 2");
  const Store store = std::move(Store::open(path, Access::kRead, Nanos{0}).value());
  EXPECT_TRUE(store.read(1).ok());
  ASSERT_FALSE(store.read(2).ok());
  EXPECT_EQ(
      said(store.read(2).error(), folder),
      "error: runs.db: the store is damaged\n"
      "  run 2 is not what was stored: its digest differs\n"
      "  hint: restore it from a backup, or recover the readable rows: sqlite3 FILE .recover\n"
      "  [RIDGE-STORE-0004]\n");
}

TEST(BadStore, IsCutShort) {
  const Folder folder;
  make_store(folder.file("runs.db"));
  const std::string whole = bytes_of(folder.file("runs.db"));
  write(folder.file("half.db"), whole.substr(0, whole.size() / 2));
  EXPECT_EQ(refusal(folder, "half.db", Access::kRead),
            "error: half.db: the store is truncated\n"
            "  its header declares " +
                std::to_string(whole.size()) + " bytes, the file has " +
                std::to_string(whole.size() / 2) +
                "\n"
                "  hint: copy it again, together with the FILE-wal beside it\n"
                "  [RIDGE-STORE-0003]\n");
  write(folder.file("head.db"), whole.substr(0, 40));
  EXPECT_EQ(refusal(folder, "head.db", Access::kWrite),
            "error: head.db: the store is truncated\n"
            "  it has 40 bytes, its header alone has 100\n"
            "  hint: copy it again, together with the FILE-wal beside it\n"
            "  [RIDGE-STORE-0003]\n");
  write(folder.file("empty.db"), "");
  EXPECT_EQ(refusal(folder, "empty.db", Access::kRead),
            "error: empty.db: the store is truncated\n"
            "  it is empty\n"
            "  hint: copy it again, together with the FILE-wal beside it\n"
            "  [RIDGE-STORE-0003]\n");
  EXPECT_EQ(refusal(folder, "empty.db", Access::kCreate), "opened");
}

TEST(BadStore, HasTablesOfItsOwn) {
  const Folder folder;
  make_store(folder.file("runs.db"), 1);
  run_statements(folder.file("runs.db"), "CREATE VIEW mine AS SELECT 1");
  EXPECT_EQ(
      refusal(folder, "runs.db", Access::kRead),
      "error: runs.db: the store is damaged\n"
      "  its tables do not match its version\n"
      "  hint: restore it from a backup, or recover the readable rows: sqlite3 FILE .recover\n"
      "  [RIDGE-STORE-0004]\n");
}

TEST(BadStore, HoldsWhatNoProfileHas) {
  const struct {
    const char* sql;
    const char* evidence;
  } kCases[] = {
      {"UPDATE layer SET executions = 'x'", "table layer: column executions: integer expected"},
      {"UPDATE layer SET layer = -1",
       "table layer: column layer: integer from 0 to 4294967295 expected"},
      {"UPDATE layer SET layer = 1 << 32",
       "table layer: column layer: integer from 0 to 4294967295 expected"},
      {"UPDATE member SET role = 'none'",
       "table member: column role: one of executes, part, absorbed expected"},
      {"UPDATE kernel SET layer = layer + 1000",
       "table kernel refers to layer 1000, which does not exist"},
      {"UPDATE run SET latency_ns = 'x'", "table run: column latency_ns: number expected"},
      {"UPDATE layer SET name = x'00'", "table layer: column name: text expected"},
      {"UPDATE member SET node = 99999",
       "layers[0].members[0] is node 99999, which does not exist"},
      {"UPDATE without_layer SET node = 2",
       "nodes_without_layer[0] refers to node 2, which does not exist"},
      {"DELETE FROM node WHERE position = 1",
       "nodes_without_layer[0] refers to node 1, which does not exist"},
      {"UPDATE node SET node = node + 1", "nodes[0] has index 1"},
      {"UPDATE node SET parent = 1", "nodes[0] has parent 1, which does not precede it"},
      {"DELETE FROM layer_sample WHERE layer = 1 AND position = 1",
       "layers[1] has 1 runs, the preceding layers 2"},
      {"UPDATE span SET name = 9",
       "a span refers to a missing text or span, or an attribute to a missing span"},
      {"UPDATE span SET parent = 9",
       "a span refers to a missing text or span, or an attribute to a missing span"},
  };
  profile::Profile p = filled_profile(1);
  p.nodes.assign(2, {});
  p.nodes[1].index = 1;
  p.layers.assign(2, {});
  p.layers[0].kernels.resize(1);
  p.layers[0].members.resize(1);
  for (profile::Layer& layer : p.layers) layer.runs_ns = {7, 8};
  p.without_layer = {{.node = 0, .why = profile::Why::kMerged, .with = 1}};
  p.verification = {};
  p.timeline = {};
  p.timeline.add({.name = p.timeline.intern("span")});
  for (const auto& c : kCases) {
    const Folder folder;
    ASSERT_TRUE(Store::open(folder.file("runs.db"), Access::kCreate)->append(p).ok());
    run_statements(folder.file("runs.db"), c.sql);
    const auto store = Store::open(folder.file("runs.db"), Access::kRead);
    ASSERT_TRUE(store.ok());
    const auto read = store->read(1);
    ASSERT_FALSE(read.ok()) << c.sql;
    EXPECT_EQ(read.error().evidence(), c.evidence);
    EXPECT_EQ(read.error().code(), "RIDGE-STORE-0004");
  }
}

/// Query with endless rows, as pages that form a ring would produce.
constexpr const char* kEndless =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";

TEST(BadStore, GivesNoMoreThanItsSizeAllowsInWhateverWayItIsOpened) {
  const Folder folder;
  make_store(folder.file("runs.db"), 1);
  for (const Access access : {Access::kRead, Access::kWrite, Access::kCreate}) {
    const auto db = Database::open(folder.file("runs.db"), access, Nanos{0});
    auto rows = db->prepare(kEndless);
    ASSERT_TRUE(rows.ok());
    Result<bool> more = true;
    while (more.ok() && *more) more = rows->step();
    ASSERT_FALSE(more.ok());
    EXPECT_EQ(more.error().evidence(), "its rows need more bytes than the file has");
    const auto count = db->number("SELECT count(*) FROM (" + std::string(kEndless) + ")");
    ASSERT_FALSE(count.ok());
    EXPECT_EQ(count.error().evidence(), "reading it takes more steps than its size justifies");
    EXPECT_EQ(count.error().code(), "RIDGE-STORE-0004");
  }
}

TEST(BadStore, IsBeingWrittenByAnother) {
  const Folder folder;
  make_store(folder.file("runs.db"), 1);
  const auto db = Database::open(folder.file("runs.db"), Access::kWrite, Nanos{0});
  const auto writing = Transaction::begin(*db);
  auto store = Store::open(folder.file("runs.db"), Access::kWrite, Nanos{1'000'000});
  ASSERT_TRUE(store.ok()) << store.error().text();
  EXPECT_EQ(said(store->append(filled_profile(9)).error(), folder),
            "error: runs.db: another program is writing to the store\n"
            "  hint: wait until it has finished, or give each program a store of its own and put "
            "them together with ridge runs merge\n"
            "  [RIDGE-STORE-0006]\n");
}

TEST(BadStore, HasNoSuchRun) {
  const Folder folder;
  make_store(folder.file("runs.db"), 3);
  auto store = Store::open(folder.file("runs.db"), Access::kWrite);
  EXPECT_EQ(said(store->read(7).error(), folder),
            "error: runs.db: there is no run 7\n"
            "  it has 1, 2, 3\n"
            "  hint: ridge runs list shows them\n"
            "  [RIDGE-STORE-0010]\n");
  for (RunId id = 1; id <= 3; ++id) ASSERT_TRUE(store->remove(id).ok());
  EXPECT_EQ(store->remove(1).error().evidence(), "it has no runs");
}

/// Number of runs, or the error, that another user with read permission gets.
std::string as_nobody(const std::string& path, Access access) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child < 0) return "no process";
  if (child == 0) {
    close(ends[0]);
    if (geteuid() == 0 && seteuid(65534) != 0) _exit(1);
    const auto store = Store::open(path, access, Nanos{0});
    const auto list = store.ok() ? store->list() : store.error();
    const std::string text =
        list.ok() ? std::to_string(list->size()) + " runs" : list.error().text();
    _exit(::write(ends[1], text.data(), text.size()) < 0 ? 1 : 0);
  }
  close(ends[1]);
  std::string text;
  char buffer[512];
  for (ssize_t n; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(n));
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return text;
}

/// True if another user can reach this folder.
bool others_get_to(std::filesystem::path folder) {
  for (;; folder = folder.parent_path()) {
    const auto others = std::filesystem::status(folder).permissions();
    if ((others & std::filesystem::perms::others_exec) == std::filesystem::perms::none)
      return false;
    if (folder == folder.parent_path()) return true;
  }
}

TEST(BadStore, LiesInAFolderThatCannotBeWritten) {
  const Folder folder;
  if (geteuid() == 0 && !others_get_to(folder.path().parent_path()))
    GTEST_SKIP() << "the temporary folder is for its owner alone";
  const std::string path = folder.file("runs.db");
  make_store(path, 2);
  ASSERT_EQ(chmod(path.c_str(), 0444), 0);
  ASSERT_EQ(chmod(folder.path().c_str(), 0555), 0);
  EXPECT_EQ(as_nobody(path, Access::kRead), "2 runs");
  const std::string words = as_nobody(path, Access::kWrite);
  EXPECT_NE(words.find("the store cannot be written\n"
                       "  attempt to write a readonly database\n"
                       "  hint: you need permission to write the file and its folder\n"
                       "  [RIDGE-STORE-0007]\n"),
            std::string::npos)
      << words;
  ASSERT_EQ(chmod(folder.path().c_str(), 0755), 0);
}

TEST(Schema, StepsLeadFromAnyVersionToTheNewest) {
  const SchemaStep kSteps[] = {
      {1, "CREATE TABLE a(x)"}, {2, "ALTER TABLE a ADD COLUMN y"}, {3, "CREATE TABLE b(z)"}};
  const Folder folder;
  for (std::size_t from = 1; from <= 3; ++from) {
    const auto opened =
        Database::open(folder.file(std::to_string(from)), Access::kCreate, Nanos{0});
    const auto old = std::span(kSteps).first(from);
    ASSERT_TRUE(migrate(*opened, old).ok());
    ASSERT_TRUE(check_schema(*opened, old).ok());
    EXPECT_EQ(is_older(*opened, kSteps).value(), from < 3);
    ASSERT_TRUE(migrate(*opened, kSteps).ok());
    EXPECT_TRUE(check_schema(*opened, kSteps).ok());
    EXPECT_EQ(opened->number("PRAGMA user_version").value(), 3);
  }
}

/// The tables of now and a step that does not exist yet. It adds a column of `run`, so that digests
/// of before do not fit.
std::vector<SchemaStep> with_a_made_step() {
  std::vector<SchemaStep> steps(schema_steps().begin(), schema_steps().end());
  steps.push_back({steps.back().version + 1,
                   "ALTER TABLE run ADD COLUMN made TEXT NOT NULL DEFAULT 'unknown';"
                   "UPDATE run SET content = '1:' || content;"
                   "CREATE TABLE made(x)"});
  return steps;
}

TEST(Schema, AMadeStepKeepsTheRunsOfAStore) {
  const std::vector<SchemaStep> steps = with_a_made_step();
  for (const Access access : {Access::kRead, Access::kWrite}) {
    const Folder folder;
    const std::string path = folder.file("runs.db");
    make_store(path, 3);
    const auto db = open_database(path, access, Nanos{0}, steps);
    ASSERT_TRUE(db.ok()) << db.error().text();
    for (RunId id = 1; id <= 3; ++id)
      EXPECT_EQ(text_of(read_run(*db, id).value()),
                text_of(filled_profile(static_cast<std::uint64_t>(id - 1))));
    EXPECT_EQ(db->number("PRAGMA user_version").value(), 2);
    EXPECT_EQ(db->number("SELECT count(*) FROM made").value(), 0);
    EXPECT_EQ(refusal(folder, "runs.db", access),
              "error: runs.db: the store has version 2, this ridge supports up to 1\n"
              "  hint: a newer ridge wrote it; use that one\n"
              "  [RIDGE-STORE-0005]\n");
  }
}

TEST(Schema, AStepThatFailsLeavesTheVersionBefore) {
  const SchemaStep kSteps[] = {{1, "CREATE TABLE a(x)"}, {2, "CREATE TABLE b(x); nonsense"}};
  const Folder folder;
  const auto db = Database::open(folder.file("x.db"), Access::kCreate, Nanos{0});
  ASSERT_TRUE(migrate(*db, std::span(kSteps).first(1)).ok());
  EXPECT_FALSE(migrate(*db, kSteps).ok());
  EXPECT_EQ(db->number("PRAGMA user_version").value(), 1);
  EXPECT_EQ(db->number("SELECT count(*) FROM sqlite_schema").value(), 1);
}

}  // namespace
}  // namespace ridge::store
