// SPDX-License-Identifier: Apache-2.0
// ridge eval --mlperf-logs against LoadGen itself, by mlperf_oracle.py: the samples in their order,
// the moments of a server to the nanosecond, the keys and settings in the logs, the outputs in the
// accuracy log.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "scenario/testing/loadgen_oracle.h"
#include "workplace.h"

namespace ridge::tests {
namespace {

constexpr std::string_view kEqual = "samples are equal\nkeys and settings are equal\n";

/// Returns what the script prints for a case.
std::string compared(const std::string& name) {
  const Workplace place;
  const Outcome o = place.run(scenario::testing::oracle_python() + " '" +
                              (source_tree() / "tests/mlperf_oracle.py").string() + "' " + name);
  return o.status == 0 ? o.out : o.err;
}

TEST(MlperfSlow, ServerAsksForTheSamplesOfLoadgenAtItsMoments) {
  if (!scenario::testing::has_loadgen()) GTEST_SKIP() << "no mlcommons-loadgen 6.0.17";
  EXPECT_EQ(compared("server"), "moments are equal\n" + std::string(kEqual));
}

TEST(MlperfSlow, OtherScenariosAskForTheSamplesOfLoadgen) {
  if (!scenario::testing::has_loadgen()) GTEST_SKIP() << "no mlcommons-loadgen 6.0.17";
  EXPECT_EQ(compared("single-stream"), kEqual);
  EXPECT_EQ(compared("multi-stream"), kEqual);
  EXPECT_EQ(compared("offline"), kEqual);
}

TEST(MlperfSlow, BatchesHaveTheSamplesOfLoadgensQueryInItsOrder) {
  if (!scenario::testing::has_loadgen()) GTEST_SKIP() << "no mlcommons-loadgen 6.0.17";
  EXPECT_EQ(compared("batches"), kEqual);
}

TEST(MlperfSlow, UserConfChangesTheOrderAsInLoadgen) {
  if (!scenario::testing::has_loadgen()) GTEST_SKIP() << "no mlcommons-loadgen 6.0.17";
  EXPECT_EQ(compared("equal-issue"), "moments are equal\n" + std::string(kEqual));
}

TEST(MlperfSlow, LogsOutputsInAccuracyModeAndUnderLoad) {
  if (!scenario::testing::has_loadgen()) GTEST_SKIP() << "no mlcommons-loadgen 6.0.17";
  EXPECT_EQ(compared("accuracy"), "outputs are equal\n");
  EXPECT_EQ(compared("test01"), "outputs are equal\n");
}

}  // namespace
}  // namespace ridge::tests
