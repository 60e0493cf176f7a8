// SPDX-License-Identifier: Apache-2.0
#include "lab/bundle/replay.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "compare/testing.h"

namespace ridge::lab {
namespace {

using Sentences = std::vector<std::string>;

bool contains(const Sentences& words, std::string_view text) {
  return std::ranges::find(words, text) != words.end();
}

/// A run of one layer in three processes, each with these latencies.
profile::Profile run_with(const std::vector<std::int64_t>& latencies) {
  profile::Profile run = compare::testing::run_of("run", {"conv:Conv"}, {{{0}, latencies}}).profile;
  run.subject.runtime = "ONNX Runtime";
  run.subject.runtime_version = "1.0";
  run.latency.processes.resize(3, run.latency.processes.front());
  return run;
}

std::vector<std::int64_t> around(std::int64_t ns) {
  std::vector<std::int64_t> out;
  for (std::int64_t i = 0; i < 40; ++i) out.push_back(ns + (i * 7 % 11) * ns / 1000);
  return out;
}

TEST(Replay, ALargeDifferenceIsDifferentAndAnEqualRunIsNot) {
  const Replay slower = judge(run_with(around(1'000'000)), run_with(around(1'500'000))).value();
  EXPECT_EQ(slower.verdict, ReplayVerdict::kDifferent);
  EXPECT_TRUE(slower.why.front().starts_with("latency +50.0 %")) << slower.why.front();
  const Replay equal = judge(run_with(around(1'000'000)), run_with(around(1'000'000))).value();
  EXPECT_EQ(equal.verdict, ReplayVerdict::kNoDifference);
  EXPECT_TRUE(equal.why.front().starts_with("latency +0.0 %")) << equal.why.front();
}

TEST(Replay, AnotherRuntimeIsNotCompared) {
  profile::Profile now = run_with(around(1'500'000));
  now.subject.runtime_version = "2.0";
  const Replay judged = judge(run_with(around(1'000'000)), std::move(now)).value();
  EXPECT_EQ(judged.verdict, ReplayVerdict::kNotComparable);
  EXPECT_TRUE(contains(judged.why, "another runtime: ONNX Runtime 1.0 then, ONNX Runtime 2.0 now"));
}

TEST(Replay, AnotherRidgeIsSaidAndCompared) {
  profile::Profile now = run_with(around(1'000'000));
  now.subject.ridge_version = "9.9";
  profile::Profile sealed = run_with(around(1'000'000));
  sealed.subject.ridge_version = "0.1";
  const Replay judged = judge(std::move(sealed), std::move(now)).value();
  EXPECT_EQ(judged.verdict, ReplayVerdict::kNoDifference);
  EXPECT_TRUE(contains(judged.why, "ridge: 0.1 then, 9.9 now"));
}

TEST(Replay, AMachineThatIsBusierThanThenIsNamed) {
  const std::string then = R"([
    {"check": "load", "ok": true, "finding": "0.1 processors", "advice": "", "serious": false},
    {"check": "turbo", "ok": false, "finding": "on", "advice": "", "serious": false}])";
  const std::vector<machine::Check> now = {
      {.check = "load", .ok = false, .finding = "1.9 processors", .advice = ""},
      {.check = "turbo", .ok = false, .finding = "on", .advice = ""},
      {.check = "clock", .ok = std::nullopt, .finding = "?", .advice = ""}};
  EXPECT_EQ(less_fit(then, now), Sentences({"this machine is less fit than then (load): "
                                            "1.9 processors, then 0.1 processors"}));
  EXPECT_EQ(less_fit(then, {}), Sentences());
  EXPECT_EQ(less_fit("", now), Sentences({"how fit the machine was then is not known"}));
}

}  // namespace
}  // namespace ridge::lab
