#include "cli/bench_budget.h"

#include <gtest/gtest.h>

namespace ridge::cli {
namespace {

TEST(Duration, IsNumbersWithUnits) {
  EXPECT_EQ(parse_duration("90s").value(), 90);
  EXPECT_EQ(parse_duration("10m").value(), 600);
  EXPECT_EQ(parse_duration("1h30m5s").value(), 5405);
  for (const char* wrong :
       {"", "10", "m", "0s", "-5s", "5 s", "10d", "1e3s", "99999999999s", "999999h"})
    EXPECT_EQ(parse_duration(wrong).error().text(),
              "error: --budget '" + std::string(wrong) +
                  "' is no duration\n"
                  "  hint: write --budget 90s, --budget 10m or --budget 1h30m\n"
                  "  [RIDGE-CLI-0034]\n");
}

TEST(BenchBudget, DividesTheTimeOverPointsAndProcesses) {
  BenchBudget budget(60, 4, 3);
  EXPECT_DOUBLE_EQ(*budget.next(0), 5);
  budget.done(15, 5);
  EXPECT_DOUBLE_EQ(*budget.next(15), 5);
}

TEST(BenchBudget, LearnsWhatAPointCostsBesideMeasuring) {
  BenchBudget budget(60, 4, 3);
  budget.done(18, 5);  // 3 s more than was given
  EXPECT_DOUBLE_EQ(*budget.next(18), (42.0 / 3 - 3) / 3);
}

TEST(BenchBudget, EndsWhenTheTimeIsSpent) {
  BenchBudget budget(60, 2, 1);
  EXPECT_TRUE(budget.next(59.9));
  EXPECT_GT(*budget.next(59.99), 0);
  EXPECT_FALSE(budget.next(60));
  budget.done(1, 1);
  budget.done(1, 1);
  EXPECT_FALSE(budget.next(2));
}

}  // namespace
}  // namespace ridge::cli
