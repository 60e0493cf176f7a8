// SPDX-License-Identifier: Apache-2.0
#include "machine/measured_roofs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "machine/describe.h"
#include "machine/roofs_cache.h"
#include "machine/testing.h"
#include "record/json_read.h"
#include "record/json_write.h"

namespace ridge::machine {
namespace {

class Folder {
 public:
  Folder() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::temp_directory_path() /
            ("ridge-" + std::to_string(::getpid()) + "-" + test->name());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

MeasuredRoof compute_row(int threads, double value) {
  MeasuredRoof roof;
  roof.kind = "compute";
  roof.dtype = "float32";
  roof.threads = threads;
  roof.value = value;
  roof.unit = "FLOP/s";
  roof.ci = {0.99 * value, value};
  roof.theory = 1.01 * value;
  roof.clock_hz = 3.7e9;
  roof.kernel = "fma_avx2";
  roof.instruction = "vfmadd ymm";
  roof.bursts = 24;
  roof.slowest = 0.5 * value;
  roof.median = 0.9 * value;
  return roof;
}

MeasuredRoof stream_row(const char* kind, const char* level, double value) {
  MeasuredRoof roof = compute_row(1, value);
  roof.kind = kind;
  roof.level = level;
  roof.unit = "B/s";
  roof.theory = std::nullopt;
  roof.theory_reason = "the speed of the memory modules cannot be read";
  roof.working_set = 1 << 20;
  return roof;
}

MeasuredRoofs quiet(std::vector<MeasuredRoof> rows) {
  MeasuredRoofs roofs;
  roofs.rows = std::move(rows);
  roofs.foreign_cpus = 0.0;
  return roofs;
}

using Rows = std::vector<MeasuredRoof>;

std::string text_of(const Rows& rows) { return record::json_text(record::kType<Rows>, &rows); }

std::string read_error(std::string_view text) {
  const Result<Rows> rows = record::read_json<Rows>(text);
  return rows.ok() ? "" : rows.error().text();
}

TEST(RoofsJson, ReadsBackWhatItWrites) {
  MeasuredRoof reached = stream_row("read", "L3", 2.9e10);
  reached.reach = 96 << 20;
  const std::vector<MeasuredRoof> rows = {compute_row(1, 1.182e11),
                                          stream_row("copy", "memory", 4.6e10), reached};
  EXPECT_EQ(*record::read_json<Rows>(text_of(rows)), rows);
}

TEST(RoofsJson, HasTheKeysThatOthersRelyOn) {
  const auto rows =
      nlohmann::json::parse(text_of({compute_row(2, 1e11), stream_row("read", "L2", 1e11)}));
  for (const char* key : {"kind", "dtype", "level", "threads", "value", "unit", "ci95", "theory",
                          "share", "clock_hz", "instruction"}) {
    EXPECT_TRUE(rows[0].contains(key)) << key;
  }
  EXPECT_TRUE(rows[0]["level"].is_null());
  EXPECT_EQ(rows[1]["level"], "L2");
  EXPECT_TRUE(rows[1]["theory"].is_null());
}

TEST(RoofsJson, RowsOfOtherProgramsMayLackWhatIsNotNeeded) {
  const auto rows = record::read_json<Rows>(
      R"([{"kind":"read","unit":"B/s","threads":1,"value":5,"ci95":[4,5],"level":"L1","new":3}])");
  ASSERT_TRUE(rows.ok()) << rows.error().text();
  ASSERT_EQ(rows->size(), 1u);
  EXPECT_EQ(rows->front().level, "L1");
  EXPECT_EQ(rows->front().ci, (stats::Interval{4, 5}));
  EXPECT_FALSE(rows->front().theory.has_value());
}

TEST(RoofsJson, RefusesRowsThatAreNone) {
  EXPECT_EQ(read_error("[1]"), "error: [0]: object expected, got integer\n  [RIDGE-REC-0002]\n");
  EXPECT_EQ(read_error("[{}]"), "error: [0]: key 'kind' is missing\n  [RIDGE-REC-0004]\n");
  const auto row = [](std::string_view value, std::string_view ci) {
    return read_error(fmt::format(
        R"([{{"kind":"read","unit":"B/s","threads":1,"value":{},"ci95":{}}}])", value, ci));
  };
  EXPECT_EQ(row("5", "[4,5]"), "");
  EXPECT_EQ(row("-1", "[1,2]"),
            "error: [0].value: number above 0 expected, got -1\n  [RIDGE-REC-0002]\n");
  EXPECT_EQ(row("null", "[1,2]"),
            "error: [0].value: number above 0 expected, got null\n  [RIDGE-REC-0002]\n");
  EXPECT_EQ(row("5", "[1]"), "error: [0].ci95: 2 values expected, got 1\n  [RIDGE-REC-0002]\n");
}

TEST(Warning, SpeaksOutsideSeventyTo105Percent) {
  MeasuredRoof roof = compute_row(1, 1e11);
  EXPECT_EQ(warning(roof), "");
  roof.theory = roof.value / 0.69;
  EXPECT_EQ(warning(roof), "only 69 % of its theory: other load, shared cores or a lowered clock");
  roof.theory = roof.value / 1.06;
  EXPECT_EQ(
      warning(roof),
      "106 % of its theory: the clock changed meanwhile, or the table of microarchitectures is "
      "wrong for this processor");
  roof.theory = std::nullopt;
  EXPECT_EQ(warning(roof), "");
}

TEST(BetterOf, KeepsTheHigherOfEachRoof) {
  const auto rows = better_of({compute_row(1, 5), stream_row("read", "L1", 9)},
                              {compute_row(1, 7), compute_row(2, 3), stream_row("read", "L1", 8)});
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].value, 7);
  EXPECT_EQ(rows[1].value, 9);
  EXPECT_EQ(rows[2].threads, 2);
}

TEST(BetterOf, KeepsTheHigherReach) {
  MeasuredRoof slow = stream_row("read", "L3", 5), fast = stream_row("read", "L3", 7);
  slow.reach = 96;
  fast.reach = 64;
  EXPECT_EQ(better_of({slow}, {fast})[0].reach, 96);
  EXPECT_EQ(better_of({slow}, {fast})[0].value, 7);
  EXPECT_EQ(better_of({fast}, {slow})[0].reach, 96);
}

TEST(CacheKey, ChangesWithWhatARoofDependsOn) {
  const Host host = testing::epyc_host();
  Host other = host;
  EXPECT_EQ(cache_key(host), cache_key(other));
  other.kernel = "6.2";
  EXPECT_NE(cache_key(host), cache_key(other));
  other = host;
  other.microcode = "0x2";
  EXPECT_NE(cache_key(host), cache_key(other));
  other = host;
  other.allowed.pop_back();
  EXPECT_NE(cache_key(host), cache_key(other));
}

TEST(LoadOrMeasure, TakesQuietRoofsFromTheCache) {
  const Folder folder;
  const Host host = testing::epyc_host();
  const MeasuredRoofs kept = quiet({compute_row(1, 5), compute_row(2, 9)});
  ASSERT_TRUE(save_cache(folder.path(), cache_key(host), kept).ok());
  const auto loaded =
      load_or_measure(host, testing::files_in_memory({}), {.cache_folder = folder.path()});
  ASSERT_TRUE(loaded.ok());
  EXPECT_TRUE(loaded->from_cache);
  EXPECT_EQ(loaded->rows, kept.rows);
  EXPECT_TRUE(loaded->notes.empty());
}

TEST(LoadOrMeasure, LooksAtDisturbedRoofsAgainAndThenGivesUp) {
  const Folder folder;
  const Host host = testing::epyc_host();
  MeasuredRoofs kept = quiet({compute_row(1, 5), compute_row(2, 9)});
  kept.foreign_cpus = 1.5;
  RoofsOptions stopped{.cache_folder = folder.path(), .stop = [] { return true; }};
  ASSERT_TRUE(save_cache(folder.path(), cache_key(host), kept).ok());
  const auto interrupted = load_or_measure(host, testing::files_in_memory({}), stopped);
  ASSERT_TRUE(interrupted.ok());
  EXPECT_FALSE(interrupted->complete);
  EXPECT_EQ(interrupted->rows, kept.rows);  // cached rows are kept

  kept.attempts = 4;
  ASSERT_TRUE(save_cache(folder.path(), cache_key(host), kept).ok());
  const auto loaded = load_or_measure(host, testing::files_in_memory({}), stopped);
  ASSERT_TRUE(loaded.ok());
  EXPECT_TRUE(loaded->from_cache);
  ASSERT_EQ(loaded->notes.size(), 1u);
  EXPECT_EQ(loaded->notes[0],
            "other programs used 1.50 processors while the roofs were measured, so they may be too "
            "low; `ridge machine --refresh` on a quiet machine measures them again");
}

TEST(LoadOrMeasure, DoesNotKeepWhatWasInterrupted) {
  const Folder folder;
  const auto result = load_or_measure(testing::epyc_host(), testing::files_in_memory({}),
                                      {.cache_folder = folder.path(), .stop = [] { return true; }});
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result->rows.empty());
  EXPECT_EQ(result->notes.back(), "interrupted: the roofs are not complete");
  EXPECT_FALSE(std::filesystem::exists(folder.path()));
}

TEST(LoadOrMeasure, RefusesMoreThreadsThanProcessors) {
  const auto result =
      measure_roofs(testing::epyc_host(), testing::files_in_memory({}), {.threads = {3}});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), "RIDGE-MACH-0003");
  EXPECT_EQ(result.error().message(), "3 threads requested, but this process may use 2 processors");
}

TEST(LoadCache, TakesDamagedFilesForAbsent) {
  const Folder folder;
  const std::string key = "some key";
  ASSERT_TRUE(save_cache(folder.path(), key, quiet({compute_row(1, 5)})).ok());
  EXPECT_TRUE(load_cache(folder.path(), key).has_value());
  EXPECT_FALSE(load_cache(folder.path(), "another").has_value());
  const std::string path = cache_path(folder.path(), key);
  const std::string good = *read_file(path, 1 << 20);
  for (const std::string& bad :
       {std::string(), good.substr(0, good.size() / 2), std::string("[]"),
        std::string("{\"schema\":3}"),
        std::string("{\"schema\":\"ridge.roofs/1\",\"key\":\"some key\",\"ceilings\":7}")}) {
    ASSERT_TRUE(write_file(path, bad).ok());
    EXPECT_FALSE(load_cache(folder.path(), key).has_value()) << bad;
  }
}

TEST(SaveCache, SaysWhereItCannotWrite) {
  const Folder folder;
  ASSERT_TRUE(write_file(folder.path(), "a file, not a folder").ok());
  const auto saved = save_cache(folder.path() + "/below", "key", quiet({compute_row(1, 5)}));
  ASSERT_FALSE(saved.ok());
  EXPECT_EQ(saved.error().code(), "RIDGE-MACH-0004");
}

TEST(DefaultThreads, AreOneAndAllThatMayBeUsed) {
  Host host;
  host.allowed.resize(1);
  EXPECT_EQ(default_threads(host), std::vector<int>{1});
  host.allowed.resize(3);
  EXPECT_EQ(default_threads(host), (std::vector<int>{1, 3}));
}

}  // namespace
}  // namespace ridge::machine
