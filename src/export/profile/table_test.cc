// SPDX-License-Identifier: Apache-2.0
#include "export/profile/table.h"

#include <gtest/gtest.h>

#include "export/profile/testing.h"

namespace ridge::exports {
namespace {

profile::Profile checked() {
  profile::Profile p = two_layers();
  profile::Profiling& f = p.profiling;
  f.raw_sum_ns = 160;
  f.corrected_sum_ns = 150;
  f.excess_ns = {12, {{11, 13}}};
  f.layer_times = profile::kCorrectedTimes;
  f.factor = {0.981, {{0.97, 0.99}}};
  f.unscaled_residual = {-0.012, {{-0.02, -0.004}}};
  p.notes = {"a warning with its size"};
  return p;
}

/// Line about layers in the head of the page.
std::string sums(const std::string& text) {
  const std::size_t at = text.find("layers ");
  return text.substr(at, text.find('\n', at) - at);
}

TEST(ProfileTable, SaysWhatLayersAreScaledByAndWhatTheSumThatCanFailLeaves) {
  EXPECT_EQ(
      sums(profile_text(checked(), 0)),
      "layers 160 ns as reported, 150 ns without their share of the profiling overhead of 12 ns, "
      "scaled by 0.981; outside layers 10 ns; unscaled residual -1.2 % [-2.0, -0.4]; the parts "
      "add up to 100 % of the latency");
}

TEST(ProfileTable, SaysThatTimesAreAsReported) {
  profile::Profile p = checked();
  p.profiling.layer_times = profile::kReportedTimes;
  EXPECT_EQ(sums(profile_text(p, 0)),
            "layers 160 ns as reported, not corrected for the profiling overhead of 12 ns; outside "
            "layers 10 ns; unscaled residual -1.2 % [-2.0, -0.4]; the parts add up to 100 % of the "
            "latency");
}

TEST(ProfileTable, ADocumentFromBeforeTheChecksHasWhatTheCorrectionLeaves) {
  profile::Profile p = checked();
  p.profiling.layer_times = "";
  p.profiling.factor.reset();
  p.profiling.unscaled_residual.reset();
  p.profiling.residual_share = 0.104;
  EXPECT_EQ(
      sums(profile_text(p, 0)),
      "layers 160 ns as reported, 150 ns without their share of the profiling overhead of 12 ns; "
      "outside layers 10 ns; the parts add up to 110 % of the latency");
}

/// A layer of `nodes` (operator and name), all of which it executes.
std::string names_of(const std::vector<std::pair<std::string, std::string>>& nodes) {
  profile::Profile p;
  profile::Layer layer;
  for (const auto& [op, name] : nodes) {
    const auto index = static_cast<std::uint32_t>(p.nodes.size());
    p.nodes.push_back({.index = index, .name = name, .op_type = op});
    layer.members.push_back({index, profile::Role::kExecutes, profile::Evidence::kSameTensor});
  }
  return member_names(p, layer);
}

TEST(MemberNames, NameAQuantizedLayerByItsOperator) {
  EXPECT_EQ(names_of({{"DequantizeLinear", "x_dq"},
                      {"DequantizeLinear", "w_dq"},
                      {"Conv", "conv1"},
                      {"Relu", "relu1"},
                      {"QuantizeLinear", "y_q"}}),
            "conv1 + relu1 + 3 Q/DQ");
  EXPECT_EQ(names_of({{"QuantizeLinear", "x_q"}, {"DequantizeLinear", "x_dq"}}), "x_q + x_dq");
  EXPECT_EQ(names_of({{"Conv", "a"}, {"Relu", "b"}, {"Conv", "c"}, {"Relu", "d"}, {"Add", "e"}}),
            "a + b + c + d + 1 more");
}

TEST(ProfileTable, NotesStandInMarkdownToo) {
  EXPECT_NE(profile_text(checked(), 0).find("\nnote: a warning with its size\n"),
            std::string::npos);
  EXPECT_NE(profile_markdown(checked(), 0).find("\n- note: a warning with its size\n"),
            std::string::npos);
}

TEST(ProfileTable, WhatTheAxesOfASweepDidStandsInMarkdownToo) {
  profile::Sweep sweep{{two_layers(), two_layers()}};
  sweep.profiles[1].subject.threads = 2;
  ASSERT_EQ(sweep.findings().size(), 1U);
  EXPECT_TRUE(sweep_markdown(sweep).ends_with("|\n\n- " + sweep.findings()[0] + "\n"))
      << sweep_markdown(sweep);
}

}  // namespace
}  // namespace ridge::exports
