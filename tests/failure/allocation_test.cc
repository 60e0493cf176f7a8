// SPDX-License-Identifier: Apache-2.0
// Makes every allocation of the program fail, alone and with all later ones: the result is the
// complete output, or a message and exit status 4, without leaks or crashes.
#include <gtest/gtest.h>

#include "failing.h"
#include "program.h"

namespace ridge::tests {
namespace {

/// Runs the program once per allocation that fails; returns the number of allocations.
std::int64_t fail_each(const Program& program, const std::vector<std::string>& arguments,
                       Fault fault) {
  const auto whole = std::make_unique<Ran>();
  program.run(arguments, *whole);  // also fills caches that live as long as the process
  EXPECT_EQ(whole->status, 0) << whole->err.text();
  for (std::int64_t i = 1;; ++i) {
    const auto ran = std::make_unique<Ran>();
    const std::int64_t before = live_blocks();
    bool happened = false;
    {
      const Failing failing(Call::kAllocation, i, fault);
      program.run(arguments, *ran);
      happened = failing.happened();
    }
    EXPECT_EQ(live_blocks(), before) << "lost where allocation " << i << " fails";
    if (ran->status == 0) {
      EXPECT_EQ(ran->out.text(), whole->out.text()) << i;
      EXPECT_EQ(ran->err.text(), whole->err.text()) << i;
    } else {
      EXPECT_EQ(ran->status, 4) << i;
      EXPECT_NE(ran->err.text().find("out of memory"), std::string_view::npos)
          << i << ": " << ran->err.text();
      EXPECT_TRUE(ran->err.text().ends_with("]\n")) << i << ": " << ran->err.text();
    }
    if (!happened) return i - 1;
    if (::testing::Test::HasFailure()) return i;
  }
}

class Allocation : public ::testing::TestWithParam<Fault> {};

TEST_P(Allocation, OfAnalysisFailsCleanly) {
  const Program program;
  const auto count = [&](const char* format) {
    return fail_each(program, {"analyze", program.model(), "--format", format}, GetParam());
  };
  EXPECT_GT(count("json"), 100);
  EXPECT_GT(count("table"), 100);
}

TEST_P(Allocation, OfAnAnalysisThatIsRefusedFailsCleanly) {
  const Program program;
  for (std::int64_t i = 1;; ++i) {
    const auto ran = std::make_unique<Ran>();
    const std::vector<std::string> arguments = {"analyze", program.model(), "--bind",
                                                "batch=3,n=4"};
    bool happened = false;
    {
      const Failing failing(Call::kAllocation, i, GetParam());
      program.run(arguments, *ran);
      happened = failing.happened();
    }
    ASSERT_TRUE(ran->status == 3 || ran->status == 4) << i;
    ASSERT_TRUE(ran->err.text().ends_with("]\n")) << i << ": " << ran->err.text();
    if (!happened) {
      ASSERT_EQ(ran->status, 3);
      break;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Faults, Allocation, ::testing::Values(Fault::kOnce, Fault::kFromThenOn),
                         [](const auto& tested) {
                           return tested.param == Fault::kOnce ? "Once" : "FromThenOn";
                         });

}  // namespace
}  // namespace ridge::tests
