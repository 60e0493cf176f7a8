// SPDX-License-Identifier: Apache-2.0
// ridge report against the tables of a run database, by report_oracle.py.
#include <gtest/gtest.h>

#include "workplace.h"

namespace ridge::tests {
namespace {

TEST(GridReport, SaysWhatTheTablesOfTheRunDatabaseSay) {
  const Workplace place;
  const Outcome o =
      place.run("python3 '" + (source_tree() / "tests/report_oracle.py").string() + "'");
  ASSERT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_TRUE(has(o.out, "10 cells")) << o.out;
}

}  // namespace
}  // namespace ridge::tests
