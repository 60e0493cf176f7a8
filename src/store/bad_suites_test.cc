// Suites in a damaged store, and the evidence of the error for each.
#include <gtest/gtest.h>

#include "store/suite_testing.h"

namespace ridge::store {
namespace {

TEST(BadSuites, HoldWhatNoProcessHas) {
  const struct {
    const char* sql;
    const char* evidence;
  } kCases[] = {
      {"UPDATE suite SET recorded_s = 'x'", "table suite has an invalid value in recorded_s"},
      {"UPDATE suite SET load_s = 'x'", "table suite has an invalid value in load_s"},
      {"UPDATE suite_brick SET key = x'00'", "table suite_brick has an invalid value in key"},
      {"UPDATE suite_brick SET macs = 1e300", "table suite_brick has an invalid value in macs"},
      {"UPDATE suite_brick SET load_ns = 'x'", "table suite_brick has an invalid value in load_ns"},
      {"UPDATE brick_run SET round = -1", "table brick_run has an invalid value in round"},
      {"UPDATE brick_run SET events = 1 << 32", "table brick_run has an invalid value in events"},
      {"UPDATE brick_run SET reported_ns = 1.5",
       "table brick_run has an invalid value in reported_ns"},
      {"UPDATE brick_run SET foreign_cpus = 'x' WHERE brick = 1",
       "table brick_run has an invalid value in foreign_cpus"},
      {"UPDATE chain_run SET kernels = -1", "table chain_run has an invalid value in kernels"},
      {"UPDATE chain_run SET plain_ns = 'x'", "table chain_run has an invalid value in plain_ns"},
      {"UPDATE lost_brick SET why = x'00'", "table lost_brick has an invalid value in why"},
      {"UPDATE brick_run SET brick = brick + 2",
       "table brick_run refers to brick 2, which does not exist"},
      {"UPDATE brick_run SET brick = -1 WHERE brick = 0",
       "table brick_run refers to brick -1, which does not exist"},
      {"DELETE FROM suite_brick WHERE position = 0", "table suite_brick lacks position 0"},
      {"DELETE FROM brick_run WHERE brick = 1 AND position = 0",
       "table brick_run lacks position 0"},
      {"UPDATE chain_run SET position = 7 WHERE position = 1", "table chain_run lacks position 1"},
      {"UPDATE lost_brick SET position = -1 WHERE position = 1",
       "table lost_brick lacks position 0"},
  };
  for (const auto& c : kCases) {
    const Folder folder;
    const std::string path = folder.file("runs.db");
    ASSERT_TRUE(opened(path).append(small_process()).ok());
    run_sql(path, c.sql);
    Store store = opened(path, Access::kWrite);
    const auto read = store.suites("p");
    ASSERT_FALSE(read.ok()) << c.sql;
    EXPECT_EQ(read.error().evidence(), c.evidence);
    EXPECT_EQ(read.error().code(), "RIDGE-STORE-0004");
    EXPECT_TRUE(store.append(filled_process(2, "q")).ok()) << c.sql;  // no transaction is left open
    EXPECT_EQ(read_all(store, "q").size(), 1U);
  }
}

TEST(BadSuites, HaveAPointThatIsNoText) {
  const Folder folder;
  const std::string path = folder.file("runs.db");
  ASSERT_TRUE(opened(path).append(small_process()).ok());
  run_sql(path, "UPDATE suite SET point = x'70'");
  const Store store = opened(path, Access::kRead);
  ASSERT_FALSE(store.suite_points().ok());
  EXPECT_EQ(store.suite_points().error().evidence(), "table suite has an invalid value in point");
  EXPECT_FALSE(opened(folder.file("other.db")).merge(store).ok());
}

}  // namespace
}  // namespace ridge::store
