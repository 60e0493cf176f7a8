// SPDX-License-Identifier: Apache-2.0
#include "machine/processor_claims.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/temporary_folder.h"

namespace ridge::machine {
namespace {

using Cpus = std::vector<int>;

// Two objects hold descriptors of their own, so they exclude each other like two processes.

TEST(ProcessorClaims, TwoMeasurementsTakeDifferentProcessors) {
  const TemporaryFolder folder = TemporaryFolder::make(::testing::TempDir()).value();
  ProcessorClaims one(folder.path()), other(folder.path());
  EXPECT_EQ(one.claim({0, 1, 2, 3}, 1), (Cpus{0}));
  EXPECT_EQ(other.claim({0, 1, 2, 3}, 2), (Cpus{1, 2}));
  EXPECT_EQ(one.claim({0, 1, 2, 3}, 1), (Cpus{0}));     // what it has
  EXPECT_EQ(one.claim({0, 1, 2, 3}, 2), (Cpus{0, 3}));  // and more
}

TEST(ProcessorClaims, TooFewFreeOnesTakeNothing) {
  const TemporaryFolder folder = TemporaryFolder::make(::testing::TempDir()).value();
  ProcessorClaims one(folder.path()), other(folder.path()), third(folder.path());
  EXPECT_EQ(one.claim({0, 1}, 1), (Cpus{0}));
  EXPECT_EQ(other.claim({0, 1}, 2), std::nullopt);
  EXPECT_EQ(third.claim({0, 1}, 1), (Cpus{1}));  // was not kept by the failed claim
}

TEST(ProcessorClaims, EndWithTheObject) {
  const TemporaryFolder folder = TemporaryFolder::make(::testing::TempDir()).value();
  ProcessorClaims other(folder.path());
  {
    ProcessorClaims one(folder.path());
    EXPECT_EQ(one.claim({5}, 1), (Cpus{5}));
    EXPECT_EQ(other.claim({5}, 1), std::nullopt);
  }
  EXPECT_EQ(other.claim({5}, 1), (Cpus{5}));
}

TEST(ProcessorClaims, EndWithTheProcessHoweverItEnds) {
  const TemporaryFolder folder = TemporaryFolder::make(::testing::TempDir()).value();
  int ready[2] = {-1, -1};
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ProcessorClaims held(folder.path());
    const char done = held.claim({0}, 1) ? '1' : '0';
    if (::write(ready[1], &done, 1) != 1) ::_exit(1);
    for (;;) ::pause();
  }
  char done = '0';
  ASSERT_EQ(::read(ready[0], &done, 1), 1);
  EXPECT_EQ(done, '1');
  ProcessorClaims one(folder.path());
  EXPECT_EQ(one.claim({0}, 1), std::nullopt);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(one.claim({0}, 1), (Cpus{0}));
  ::close(ready[0]), ::close(ready[1]);
}

TEST(ProcessorClaims, WithoutAFolderEveryProcessorIsFree) {
  ProcessorClaims one(""), other("");
  EXPECT_EQ(one.claim({0, 1}, 2), (Cpus{0, 1}));
  EXPECT_EQ(other.claim({0, 1}, 2), (Cpus{0, 1}));
  ProcessorClaims nowhere("/proc/none");
  EXPECT_EQ(nowhere.claim({0}, 1), (Cpus{0}));
}

}  // namespace
}  // namespace ridge::machine
