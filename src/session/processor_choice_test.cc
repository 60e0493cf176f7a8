// SPDX-License-Identifier: Apache-2.0
#include "session/processor_choice.h"

#include <gtest/gtest.h>

#include <atomic>

#include "base/temporary_folder.h"
#include "bricks/run/point.h"
#include "machine/processor_claims.h"

namespace ridge::session {
namespace {

using Cpus = std::vector<std::uint32_t>;

/// Keeps what is said, and stops the measurement then.
struct Told : Notices {
  std::string lines;
  std::atomic<bool> stop = false;
  void warn(std::string_view, std::string_view) override {}
  void failed(const Error&) override {}
  void status(std::string_view line) override {
    lines += line;
    stop = true;
  }
};

/// Two cores of two threads each: 0 and 2 are siblings, and so are 1 and 3.
machine::Host host() {
  machine::Host host;
  for (const auto& [id, core] : {std::pair{0, 0}, {1, 1}, {2, 0}, {3, 1}}) {
    machine::Cpu cpu;
    cpu.id = id;
    cpu.core = core;
    host.allowed.push_back(cpu);
  }
  return host;
}

TEST(ProcessorChoice, ACoreEachComesBeforeSiblings) {
  EXPECT_EQ(processor_order(host()), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(first_processors(host(), 2), (Cpus{0, 1}));
  EXPECT_EQ(first_processors(host(), 5), Cpus());
}

TEST(ProcessorChoice, WhatAnotherMeasurementHoldsIsLeftToIt) {
  const TemporaryFolder folder = TemporaryFolder::make(::testing::TempDir()).value();
  Told told;
  const Environment environment{
      .host = host(), .notices = told, .cache_folder = folder.path(), .stop = &told.stop};
  machine::ProcessorClaims other(folder.path());
  ASSERT_TRUE(other.claim({0}, 1));
  const std::vector<int> threads = {1, 2, 9};
  {
    const ProcessorScope scope(environment, threads);
    EXPECT_EQ(choose_processors(environment, 1), Cpus{1});
    EXPECT_EQ(choose_processors(environment, 2), (Cpus{1, 2}));
    EXPECT_EQ(choose_processors(environment, 9), Cpus());
    EXPECT_EQ(other.claim({1, 2, 3}, 1), (std::vector<int>{3}));
    const ProcessorScope inside(environment, threads);
    EXPECT_EQ(choose_processors(environment, 2), (Cpus{1, 2}));
  }
  EXPECT_EQ(other.claim({1, 2}, 2), (std::vector<int>{1, 2}));  // released
  EXPECT_EQ(told.lines, "");
}

TEST(ProcessorChoice, TooFewFreeOnesAreWaitedForAndThatIsSaid) {
  const TemporaryFolder folder = TemporaryFolder::make(::testing::TempDir()).value();
  Told told;
  const Environment environment{
      .host = host(), .notices = told, .cache_folder = folder.path(), .stop = &told.stop};
  machine::ProcessorClaims other(folder.path());
  ASSERT_TRUE(other.claim({0, 1, 2}, 3));
  const std::vector<int> threads = {2};
  const ProcessorScope scope(environment, threads, std::chrono::milliseconds(0));
  EXPECT_EQ(choose_processors(environment, 2), (Cpus{0, 1}));  // stopped while it waited
  EXPECT_EQ(told.lines,
            "another measurement holds processors of this machine; waiting until 2 processors of "
            "0, 1, 2, 3 are free (--no-pin does not wait)");
}

TEST(ProcessorChoice, BricksAreFoundAgainWhicheverProcessorsAreFree) {
  const TemporaryFolder folder = TemporaryFolder::make(::testing::TempDir()).value();
  Told told;
  const Environment environment{.host = host(), .notices = told, .cache_folder = folder.path()};
  const std::vector<int> threads = {1};
  const bricks::BricksPoint first = bricks::bricks_point({.threads = threads}, environment).value();
  machine::ProcessorClaims other(folder.path());
  ASSERT_TRUE(other.claim({0}, 1));
  const ProcessorScope scope(environment, threads);
  const bricks::BricksPoint second =
      bricks::bricks_point({.threads = threads}, environment).value();
  EXPECT_EQ(first.suite.cpus, (Cpus{0}));
  EXPECT_EQ(second.suite.cpus, (Cpus{1}));
  EXPECT_EQ(first.options, second.options);
}

TEST(ProcessorChoice, NothingIsClaimedWhereNothingIsPinned) {
  const TemporaryFolder folder = TemporaryFolder::make(::testing::TempDir()).value();
  Told told;
  const Environment environment{.host = host(), .notices = told, .cache_folder = folder.path()};
  const ProcessorScope scope(environment, {});
  machine::ProcessorClaims other(folder.path());
  EXPECT_TRUE(other.claim({0, 1, 2, 3}, 4));
}

}  // namespace
}  // namespace ridge::session
