// SPDX-License-Identifier: Apache-2.0
// Verdicts of the compliance tests on figures whose verdict the scripts of MLPerf give, worked out
// by hand.
#include "evaluation/mlperf/audit.h"

#include <gtest/gtest.h>

namespace ridge::evaluation {
namespace {

using scenario::LoadgenResult;
using S = scenario::LoadgenScenario;

LoadgenResult rate(double per_s) {
  LoadgenResult out;
  out.valid = true;
  out.rate = per_s;
  return out;
}

LoadgenResult single(std::int64_t ns) {
  LoadgenResult out;
  out.valid = true;
  out.single_stream_ns = ns;
  return out;
}

bool passes(Audit audit, S scenario, const LoadgenResult& first, const LoadgenResult& second,
            LoggedOutputs outputs = {.compared = 5}) {
  return judge_audit({.audit = audit,
                      .scenario = scenario,
                      .first = first,
                      .second = second,
                      .outputs = outputs})
      .passed;
}

TEST(MlperfAudit, Test01AllowsTenPercentEitherWay) {
  for (const double ratio : {0.91, 1.0, 1.09})
    EXPECT_TRUE(passes(Audit::kTest01, S::kOffline, rate(1000), rate(1000 * ratio))) << ratio;
  for (const double ratio : {0.89, 1.11})
    EXPECT_FALSE(passes(Audit::kTest01, S::kOffline, rate(1000), rate(1000 * ratio))) << ratio;
  EXPECT_FALSE(passes(Audit::kTest01, S::kSingleStream, single(1'000'000), single(1'150'000)));
  EXPECT_TRUE(passes(Audit::kTest01, S::kSingleStream, single(200'000), single(239'000)));
}

TEST(MlperfAudit, Test04AllowsSlowerAndTenPercentFaster) {
  EXPECT_TRUE(passes(Audit::kTest04, S::kOffline, rate(1000), rate(500)));
  EXPECT_TRUE(passes(Audit::kTest04, S::kOffline, rate(1000), rate(1099)));
  EXPECT_FALSE(passes(Audit::kTest04, S::kOffline, rate(1000), rate(1101)));
  EXPECT_TRUE(passes(Audit::kTest04, S::kSingleStream, single(1'100'000), single(1'001'000)));
  EXPECT_FALSE(passes(Audit::kTest04, S::kSingleStream, single(1'100'000), single(999'000)));
}

TEST(MlperfAudit, SaysWhyItIsNotPassed) {
  LoadgenResult invalid = rate(1000);
  invalid.valid = false;
  const AuditVerdict v = judge_audit({.audit = Audit::kTest01,
                                      .scenario = S::kServer,
                                      .first = rate(1000),
                                      .second = invalid,
                                      .outputs = {.compared = 64, .different = 2}});
  EXPECT_EQ(v.sentences(),
            (std::vector<std::string>{
                "TEST01: FAIL", "64 outputs under load, 2 of them other than in accuracy mode",
                "1000 samples/s with the audit, 1000 samples/s without; allowed: 10 %",
                "the run of the audit is INVALID",
                "outputs under load differ from those of accuracy mode"}));
  EXPECT_FALSE(passes(Audit::kTest01, S::kOffline, rate(1), rate(1), {}));
}

}  // namespace
}  // namespace ridge::evaluation
