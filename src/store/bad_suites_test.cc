// SPDX-License-Identifier: Apache-2.0
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
      {"UPDATE suite SET recorded_s = 'x'", "table suite: column recorded_s: integer expected"},
      {"UPDATE suite SET load_s = 'x'", "table suite: column load_s: number expected"},
      {"UPDATE suite_brick SET key = x'00'", "table suite_brick: column key: text expected"},
      {"UPDATE suite_brick SET macs = 1e300", "table suite_brick: column macs: integer expected"},
      {"UPDATE suite_brick SET load_ns = 'x'",
       "table suite_brick: column load_ns: integer expected"},
      {"UPDATE brick_run SET round = -1",
       "table brick_run: column round: integer from 0 to 4294967295 expected"},
      {"UPDATE brick_run SET events = 1 << 32",
       "table brick_run: column events: integer from 0 to 4294967295 expected"},
      {"UPDATE brick_run SET reported_ns = 1.5",
       "table brick_run: column reported_ns: integer expected"},
      {"UPDATE brick_run SET foreign_cpus = 'x' WHERE brick = 1",
       "table brick_run: column foreign_cpus: number expected"},
      {"UPDATE chain_run SET kernels = -1",
       "table chain_run: column kernels: integer from 0 to 4294967295 expected"},
      {"UPDATE chain_run SET plain_ns = 'x'", "table chain_run: column plain_ns: integer expected"},
      {"UPDATE lost_brick SET why = x'00'", "table lost_brick: column why: text expected"},
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
  EXPECT_EQ(store.suite_points().error().evidence(), "table suite: column point: text expected");
  EXPECT_FALSE(opened(folder.file("other.db")).merge(store).ok());
}

}  // namespace
}  // namespace ridge::store
