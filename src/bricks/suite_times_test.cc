// States in which bricks are measured, and the models that need them.
#include "bricks/suite_times.h"

#include <gtest/gtest.h>

#include "bricks/testing.h"

namespace ridge::bricks {
namespace {

using profile::SuiteProcess;
using testing::resolved;

constexpr measure::Host kHost{.processors = 2, .threads = 1};

profile::SuiteBrick brick(const std::string& key, std::int64_t ns, bool warm) {
  profile::SuiteBrick out{.key = key, .kind = "Conv|float32", .warm = warm};
  for (std::uint32_t round = 0; round < 3; ++round) out.runs.push_back({round, ns, 1, 0});
  return out;
}

SuiteProcess process(const std::vector<profile::SuiteBrick>& bricks) {
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

TEST(SuiteTimes, ModelsThatFitIntoHalfOfTheCacheAreWarm) {
  const std::vector<SuiteProcess> processes = {
      process({brick("a", 1000, false), brick("a", 600, true)})};
  const SuiteTimes times(processes, kHost, 1000);
  EXPECT_EQ(ns(times.of(500), "a"), 600);
  EXPECT_EQ(ns(times.of(501), "a"), 1000);
  const SuiteTimes unknown(processes, kHost, 0);
  EXPECT_EQ(ns(unknown.of(0), "a"), 1000);
}

TEST(SuiteTimes, OneStateStandsForTheOtherUntilThatIsMeasured) {
  std::vector<SuiteProcess> processes = {process({brick("a", 1000, false)}),
                                         process({brick("a", 1100, false), brick("b", 50, true)})};
  const SuiteTimes before(processes, kHost, 1000);
  EXPECT_EQ(ns(before.in(true), "a"), 1050);
  EXPECT_TRUE(before.in(true).find("a")->other_state);
  EXPECT_FALSE(before.in(false).find("a")->other_state);
  EXPECT_TRUE(before.in(false).find("b")->other_state);
  processes.push_back(process({brick("a", 600, true), brick("a", 1200, false)}));
  processes.push_back(process({brick("a", 1300, false)}));
  const SuiteTimes after(processes, kHost, 1000);
  EXPECT_EQ(ns(after.in(true), "a"), 600);
  EXPECT_EQ(after.in(true).find("a")->times.size(), 1U);
  EXPECT_FALSE(after.in(true).find("a")->other_state);
  EXPECT_EQ(ns(after.in(false), "a"), 1150);
}

}  // namespace
}  // namespace ridge::bricks
