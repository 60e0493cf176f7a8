// SPDX-License-Identifier: Apache-2.0
// Reuse distances at which bricks are measured, and the models that need them.
#include "bricks/suite_times.h"

#include <gtest/gtest.h>

#include "bricks/testing.h"

namespace ridge::bricks {
namespace {

using profile::SuiteProcess;
using testing::kHost;
using testing::resolved;

profile::SuiteBrick timed_brick(const std::string& key, std::int64_t ns, std::int64_t reuse_bytes) {
  profile::SuiteBrick out{.key = key, .kind = "Conv|float32", .reuse_bytes = reuse_bytes};
  for (std::uint32_t round = 0; round < 3; ++round) out.runs.push_back({round, ns, 1, 0});
  return out;
}

SuiteProcess process_of_bricks(const std::vector<profile::SuiteBrick>& bricks) {
  SuiteProcess out;
  for (const std::uint32_t kernels : {20U, 60U})
    for (std::uint32_t round = 0; round < 4; ++round)
      out.chains.push_back({kernels, round, kernels * 1000, kernels * 1000, kernels * 1000, 0});
  out.bricks = bricks;
  return out;
}

double ns(const BrickTimes& times, const std::string& key) {
  const BrickTime* time = times.find(key);
  return time == nullptr ? -1 : time->mean_ns();
}

TEST(ResidentBytes, AreWeightsAndLiveActivations) {
  // Weights of 64 x 32 floats; x of 64 and y of 32 floats are alive together.
  const analysis::Resolved product = resolved(
      "graph main\n input x[1,64]\n constant w[64,32]\n m: MatMul(x, w) -> y\n output y\n");
  EXPECT_EQ(resident_bytes(product), 4 * (64 * 32 + 64 + 32));
}

TEST(ResidentBytes, OfATableAreTheRowsThatAreRead) {
  const analysis::Resolved lookup = resolved(
      "graph main\n input i:int64[3]\n constant table[100000,8]\n g: Gather(table, i) -> y\n"
      " output y\n");
  EXPECT_GE(resident_bytes(lookup), 4 * (3 * 8));
  EXPECT_LT(resident_bytes(lookup), 1000);
}

constexpr std::int64_t kReuseMiB = std::int64_t{1} << 20;

TEST(ReuseOf, IsTheNearestDistanceByRatio) {
  const auto reuse = [](std::int64_t mib) {
    return reuse_of(mib * kReuseMiB, 480 * kReuseMiB) / kReuseMiB;
  };
  EXPECT_EQ(reuse(0), 4);
  EXPECT_EQ(reuse(5), 4);  // between 4 and 8, the mean is 5.66
  EXPECT_EQ(reuse(6), 8);
  EXPECT_EQ(reuse(11), 8);
  EXPECT_EQ(reuse(12), 16);
  EXPECT_EQ(reuse(102), 128);
  EXPECT_EQ(reuse(362), 256);
  EXPECT_EQ(reuse(363), 256);  // 512 exceeds the cache
  EXPECT_EQ(reuse(480), 256);
  EXPECT_EQ(reuse(481), 512);
  EXPECT_EQ(reuse(960), 1024);
}

TEST(ReuseOf, IsOnTheModelsSideOfTheCache) {
  EXPECT_EQ(reuse_of(40 * kReuseMiB, 32 * kReuseMiB), 64 * kReuseMiB);
  EXPECT_EQ(reuse_of(32 * kReuseMiB, 32 * kReuseMiB), 32 * kReuseMiB);
  EXPECT_EQ(reuse_of(30 * kReuseMiB, 31 * kReuseMiB), 16 * kReuseMiB);
  EXPECT_EQ(reuse_of(3 * kReuseMiB, 3 * kReuseMiB), kMinReuse);
}

TEST(ReuseOf, ModelsBeyondTwiceTheCacheRunBehindAllBricks) {
  EXPECT_EQ(reuse_of(64 * kReuseMiB, 32 * kReuseMiB), 64 * kReuseMiB);
  EXPECT_EQ(reuse_of(64 * kReuseMiB + 1, 32 * kReuseMiB), 0);
  EXPECT_EQ(reuse_of(1, 0), 0);
  EXPECT_EQ(reuse_of(std::int64_t{1} << 62, 480 * kReuseMiB), 0);
}

TEST(SuiteTimes, AModelHasTheTimesAtItsDistance) {
  const std::vector<SuiteProcess> processes = {
      process_of_bricks({timed_brick("a", 1000, 0), timed_brick("a", 600, 4 * kReuseMiB),
                         timed_brick("a", 700, 16 * kReuseMiB)})};
  const SuiteTimes times(processes, kHost, 32 * kReuseMiB);
  EXPECT_EQ(ns(times.of(3 * kReuseMiB), "a"), 600);
  EXPECT_EQ(ns(times.of(14 * kReuseMiB), "a"), 700);
  EXPECT_EQ(ns(times.of(65 * kReuseMiB), "a"), 1000);
  const SuiteTimes unknown(processes, kHost, 0);
  EXPECT_EQ(ns(unknown.of(0), "a"), 1000);
}

TEST(SuiteTimes, TheNearestDistanceStandsForOneThatWasNotMeasured) {
  constexpr std::int64_t kCache = 1024 * kReuseMiB;
  std::vector<SuiteProcess> processes = {
      process_of_bricks({timed_brick("a", 1000, 0)}),
      process_of_bricks({timed_brick("a", 1100, 0), timed_brick("b", 50, 4 * kReuseMiB),
                         timed_brick("b", 80, 256 * kReuseMiB)})};
  const SuiteTimes before(processes, kHost, kCache);
  EXPECT_EQ(ns(before.at(4 * kReuseMiB), "a"), 1050);
  EXPECT_GT(before.at(4 * kReuseMiB).find("a")->apart, 0);
  EXPECT_EQ(before.at(0).find("a")->apart, 0);
  EXPECT_EQ(ns(before.at(16 * kReuseMiB), "b"), 50);
  EXPECT_EQ(ns(before.at(64 * kReuseMiB), "b"), 80);
  EXPECT_EQ(ns(before.at(0), "b"), 80);
  EXPECT_EQ(before.at(64 * kReuseMiB).find("b")->apart, 2);  // 256 / 64 is 2 to the power of 2
  processes.push_back(
      process_of_bricks({timed_brick("a", 600, 4 * kReuseMiB), timed_brick("a", 1200, 0)}));
  processes.push_back(process_of_bricks({timed_brick("a", 1300, 0)}));
  const SuiteTimes after(processes, kHost, kCache);
  EXPECT_EQ(ns(after.at(4 * kReuseMiB), "a"), 600);
  EXPECT_EQ(after.at(4 * kReuseMiB).find("a")->times.size(), 1U);
  EXPECT_EQ(after.at(4 * kReuseMiB).find("a")->apart, 0);
  EXPECT_EQ(ns(after.at(0), "a"), 1150);
}

}  // namespace
}  // namespace ridge::bricks
