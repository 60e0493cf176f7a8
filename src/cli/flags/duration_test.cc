// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/duration.h"

#include <gtest/gtest.h>

namespace ridge::cli {
namespace {

TEST(Duration, IsNumbersWithUnits) {
  const auto seconds = [](std::string_view text) {
    return parse_duration("--budget", text).value();
  };
  EXPECT_EQ(seconds("90s"), 90);
  EXPECT_EQ(seconds("10m"), 600);
  EXPECT_EQ(seconds("1h30m5s"), 5405);
  EXPECT_EQ(seconds("1.5m"), 90);
  EXPECT_EQ(seconds("250ms"), 0.25);
  for (const char* wrong : {"", "10", "m", "0s", "-5s", "5 s", "10d", "1e3s", "99999999999s",
                            "999999h", "nans", "infs", "5.s.", "ms"})
    EXPECT_EQ(parse_duration("--budget", wrong).error().text(),
              "error: --budget: invalid duration '" + std::string(wrong) +
                  "'\n"
                  "  hint: write --budget 90s, --budget 10m or --budget 1h30m\n"
                  "  [RIDGE-CLI-0034]\n");
}

TEST(TimeBudget, IsOfAllProcessesWithAUnit) {
  EXPECT_EQ(parse_time_budget("6s").value().of_process_s(3), 2);
  EXPECT_EQ(parse_time_budget("6").value().of_process_s(3), 6);
  EXPECT_EQ(parse_time_budget("0.7").value().of_process_s(2), 0.7);
  EXPECT_EQ(parse_time_budget("0").value().of_process_s(2), 0);  // the minimum number of runs
  EXPECT_FALSE(parse_time_budget("0s").ok());
  EXPECT_FALSE(parse_time_budget("-1").ok());
  EXPECT_FALSE(parse_time_budget("soon").ok());
}

}  // namespace
}  // namespace ridge::cli
