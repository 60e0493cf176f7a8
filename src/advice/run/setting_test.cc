// SPDX-License-Identifier: Apache-2.0
#include "advice/run/setting.h"

#include <gtest/gtest.h>

namespace ridge::advice {
namespace {

/// Ids of the settings of a run of 10 ms with one thread.
std::vector<std::string> ids(SettingFacts facts) {
  facts.latency_ns = 10e6;
  std::vector<std::string> out;
  for (const AdviceSetting& s : settings_for({}, facts)) {
    out.push_back(s.finding.id);
    if (s.finding.gain_ns) {
      EXPECT_GT(s.finding.gain_ns->value, 0);
    }
  }
  return out;
}

using Ids = std::vector<std::string>;

TEST(AdviceSettings, MoreThreadsAreOfferedOnlyForAGain) {
  EXPECT_EQ(ids({.processors = 4, .on_all_ns = 4e6}), Ids{"threads"});
  EXPECT_EQ(ids({.processors = 4, .on_all_ns = {}}), Ids{"threads"});  // without a gain
  EXPECT_EQ(ids({.processors = 4, .on_all_ns = 9.7e6}), Ids{});
  EXPECT_EQ(ids({.processors = 4, .on_all_ns = 12e6}), Ids{});
  EXPECT_EQ(ids({.processors = 1, .on_all_ns = 4e6}), Ids{});
}

TEST(AdviceSettings, BranchesAreOfferedOnlyForAGain) {
  const auto facts = [](double scheduled_ns) {
    return SettingFacts{
        .latency_ns = 10e6, .processors = 2, .on_all_ns = 10e6, .scheduled_ns = scheduled_ns};
  };
  EXPECT_EQ(ids(facts(8e6)), Ids{"branches"});
  EXPECT_EQ(ids(facts(10e6)), Ids{});
  EXPECT_EQ(settings_for({}, facts(8e6)).at(0).finding.gain_ns->value, 2e6);
}

}  // namespace
}  // namespace ridge::advice
