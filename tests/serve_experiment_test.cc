// SPDX-License-Identifier: Apache-2.0
// Experiments and agents as a live `ridge serve` shows them, asked by serve_client.py.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "workplace.h"

namespace ridge::tests {
namespace {

/// Text that the client prints of a case.
std::string client_said(std::string_view name) {
  const Workplace place;
  const Outcome o = place.run(fmt::format(
      "python3 '{}' {} lab.db", (source_tree() / "tests/serve_client.py").string(), name));
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.err, "");
  return o.out;
}

TEST(ServeExperimentSlow, ShowsPointsFailuresAndAgents) {
  EXPECT_EQ(client_said("experiments"), R"()");
}

TEST(ServeBrowserSlow, FollowsAnExperimentThatGoesOn) {
  if (Workplace().run("command -v chromium").status != 0) GTEST_SKIP() << "no chromium";
  EXPECT_EQ(client_said("followed"), "asks again: True\n");
}

}  // namespace
}  // namespace ridge::tests
