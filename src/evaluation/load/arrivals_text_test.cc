// SPDX-License-Identifier: Apache-2.0
#include "evaluation/load/arrivals_text.h"

#include <gtest/gtest.h>

namespace ridge::evaluation {
namespace {

using scenario::ArrivalProcess;

TEST(ArrivalsText, ReadsBackEqual) {
  const std::pair<ArrivalProcess, std::string> kCases[] = {
      {scenario::Constant{20}, "constant(20)"},
      {scenario::Poisson{1.0 / 3}, "poisson(0.3333333333333333)"},
      {scenario::Gamma{12, 0.5}, "gamma(12, 0.5)"},
      {scenario::Bursty{1, 9.5, 0.9, 0.1}, "bursty(1, 9.5, 0.9, 0.1)"},
      {scenario::Replay{{1, 2}, 1.5, 3}, "replay(1.5, 3)"}};
  for (const auto& [process, text] : kCases) {
    EXPECT_EQ(arrivals_text(process), text);
    const auto read = read_arrivals(text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(read->index(), process.index());
    EXPECT_EQ(arrivals_text(*read), text);
  }
}

TEST(ArrivalsText, OthersAreNone) {
  for (const char* text : {"", "poisson", "poisson()", "poisson(1", "poisson 1)", "poisson(1, 2)",
                           "gamma(1)", "gamma(1,)", "poisson(x)", "poisson(inf)", "poisson(nan)",
                           "replay(1, 0)", "replay(1, 4294967296)", "replay(1, -1)", "normal(1)"})
    EXPECT_FALSE(read_arrivals(text)) << text;
}

}  // namespace
}  // namespace ridge::evaluation
