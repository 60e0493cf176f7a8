// SPDX-License-Identifier: Apache-2.0
#include "sharing/replay/replay.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/sink.h"
#include "base/temporary_folder.h"
#include "record/json_write.h"
#include "sharing/record/describe_replay.h"

namespace ridge::sharing {
namespace {

ReplayPlan small_plan() {
  ReplayPlan plan;
  plan.generators = {{.models = 20, .requests = 2000}};
  plan.policies = {{.kind = PolicyKind::kLru}, {.kind = PolicyKind::kNever}};
  plan.memories = {Bytes{1'000'000'000}, Bytes{100'000'000'000}};
  plan.costs = example_costs();
  return plan;
}

TEST(Replay, PlaysEveryCombinationInTheOrderOfTheHeader) {
  ReplayPlan plan = small_plan();
  plan.shares = {0.5, 1};
  plan.clients = {1, 4};
  const Replay replay = play(plan).value();
  std::string rows;
  for (const ReplayRow& row : replay.rows)
    rows += fmt::format("{} {} {} {} {}\n", row.of.trace, row.of.share, row.of.clients,
                        row.of.memory.count / 1'000'000'000, row.policy);
  EXPECT_EQ(rows,
            "zipf 0.5 1 1 lru\nzipf 0.5 1 1 never\nzipf 0.5 1 100 lru\nzipf 0.5 1 100 never\n"
            "zipf 0.5 4 1 lru\nzipf 0.5 4 1 never\nzipf 0.5 4 100 lru\nzipf 0.5 4 100 never\n"
            "zipf 1 1 1 lru\nzipf 1 1 1 never\nzipf 1 1 100 lru\nzipf 1 1 100 never\n"
            "zipf 1 4 1 lru\nzipf 1 4 1 never\nzipf 1 4 100 lru\nzipf 1 4 100 never\n");
}

// With memory for all, only the first request for each model is no hit, or joins its load.
TEST(Replay, WithMemoryForAllEveryModelLoadsOnce) {
  const Replay replay = play(small_plan()).value();
  for (const ReplayRow& row : replay.rows) {
    if (row.of.memory.count < 100'000'000'000) continue;
    EXPECT_EQ(row.result.misses, row.of.models);
    EXPECT_EQ(row.result.hits + row.result.joined, 2000 - row.of.models);
    EXPECT_GT(row.result.speedup, 3);
  }
  EXPECT_EQ(replay.rows[2].bound.at_most, 2000 - replay.rows[2].of.models);
}

TEST(Replay, IsTheSameForTheSameSeed) {
  const auto text = [](std::uint64_t seed) {
    ReplayPlan plan = small_plan();
    plan.seed = seed;
    StringSink sink;
    record::write_json(play(plan).value(), sink);
    return sink.text();
  };
  EXPECT_EQ(text(1), text(1));
  EXPECT_NE(text(1), text(2));
}

TEST(Replay, RhoKeepsApartWhatIsNotWorthSharing) {
  ReplayPlan plan = small_plan();
  plan.admission = Admission::kRho;
  EXPECT_EQ(play(plan).error().text(),
            "error: rho needs the costs of sharing itself\n  hint: add [sharing] with bytes_per_s, "
            "export_ns and open_ns to the file of --costs\n  [RIDGE-SHARE-0205]\n");
  // 0.2 s for an object: 102 MB and 113 MB at 1 GB/s are not worth it.
  plan.costs.sharing = SharingCosts{
      .bytes_per_s = 1e9, .export_cost = Nanos{100'000'000}, .open_cost = Nanos{100'000'000}};
  const Replay replay = play(plan).value();
  EXPECT_EQ(replay.not_shared, (std::vector<std::string>{"resnet50", "swin_t"}));
  EXPECT_GT(replay.rows[2].result.misses, replay.rows[2].of.models);
}

TEST(Replay, NamesTheFileOfATraceThatIsNone) {
  const TemporaryFolder folder = TemporaryFolder::make().value();
  const std::string path = folder.path() + "/trace.csv";
  std::ofstream(path) << "app,func,end_timestamp,duration\na,f,1,x\n";
  ReplayPlan plan = small_plan();
  plan.generators.clear();
  plan.files = {path};
  EXPECT_EQ(play(plan).error().text(),
            fmt::format("error: {}: line 2, column 4: 'x' is no duration from 0 to 10^6 seconds\n"
                        "  [RIDGE-SHARE-0201]\n",
                        path));
}

}  // namespace
}  // namespace ridge::sharing
