// SPDX-License-Identifier: Apache-2.0
// Roofline bounds checked against measured runs: a sample of bench/bounds_hold.py.
#include <gtest/gtest.h>

#include "workplace.h"

namespace ridge::tests {
namespace {

TEST(BoundsSlow, HoldForOperatorsOfRandomSizes) {
  if (!has_runtime()) GTEST_SKIP() << "no runtime: scripts/setup.sh";
  const Workplace place;
  const std::string script = (source_tree() / "bench/bounds_hold.py").string();
  const Outcome outcome =
      place.run("python3 '" + script + "' ridge --models 2 --operators 19 --budget 0.05 --seed 9");
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
}

}  // namespace
}  // namespace ridge::tests
