// SPDX-License-Identifier: Apache-2.0
// Twenty points of bench/share_kills.cc: clients, loading children and daemons that are killed.
#include <gtest/gtest.h>

#include "sharing/run/testing/kills.h"
#include "sharing/run/testing/served.h"

namespace ridge::sharing {
namespace {

TEST(ShareKills, NothingIsLeftAndNobodyElseIsDisturbed) {
  const testing::PrivateFolder folder;
  testing::KillTrials trials(folder.path(), 20261130);
  ASSERT_EQ(trials.start(), "");
  for (std::uint64_t point = 0; point < 20; ++point) {
    const testing::KillResult result = trials.run(point);
    ASSERT_EQ(result.fault, "") << "point " << point << ": " << result.victim << ", "
                                << result.step;
  }
}

}  // namespace
}  // namespace ridge::sharing
