// SPDX-License-Identifier: Apache-2.0
#include "compare/run_limit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "compare/comparison.h"
#include "compare/testing.h"

namespace ridge::compare {
namespace {

using testing::run_of;
using Texts = std::vector<std::string>;

std::string refused(std::string_view text) {
  const auto limit = parse_run_limit(text);
  return limit.ok() ? "read" : limit.error().text();
}

TEST(RunLimit, SaysWhatItDoesNotUnderstand) {
  EXPECT_EQ(refused("latency"),
            "error: 'latency' is not a valid limit for a comparison\n"
            "  hint: write SUBJECT>BOUND, for example latency>5%, group>10%, latency>3ms\n"
            "  [RIDGE-CMP-0006]\n");
  const std::string what =
      "  hint: supported: latency, group, module:PATH, op:TYPE\n  [RIDGE-CMP-0006]\n";
  EXPECT_EQ(refused("macs>5%"), "error: 'macs>5%' is not a valid limit for a comparison\n" + what);
  EXPECT_EQ(refused("module:>5%"),
            "error: 'module:>5%' is not a valid limit for a comparison\n" + what);
  EXPECT_EQ(refused(">5%"), "error: '>5%' is not a valid limit for a comparison\n" + what);
  EXPECT_EQ(refused("latency>5%,group>1%"),
            "error: 'latency>5%,group>1%' is not a valid limit for a comparison\n" + what);
  const std::string bound =
      "  hint: the bound is a percentage, or a time in ns, us, ms or s\n  [RIDGE-CMP-0006]\n";
  for (const std::string text :
       {"latency>", "latency>5", "latency>%", "group>5 %", "latency>1e999%", "latency>nan%"})
    EXPECT_EQ(refused(text),
              fmt::format("error: '{}' is not a valid limit for a comparison\n{}", text, bound));
}

TEST(RunLimit, ReadsSharesAndTimes) {
  const RunLimit share = *parse_run_limit("module:layer1>2.5%");
  EXPECT_EQ(share.of, RunLimit::Of::kModule);
  EXPECT_EQ(share.name, "layer1");
  EXPECT_TRUE(share.relative);
  EXPECT_DOUBLE_EQ(share.bound, 0.025);
  const RunLimit time = *parse_run_limit("latency>3ms");
  EXPECT_FALSE(time.relative);
  EXPECT_DOUBLE_EQ(time.bound, 3e6);
  // A module's name may contain the '>' sign.
  EXPECT_EQ(parse_run_limit("module:a>b>-1us")->name, "a>b");
}

std::vector<std::int64_t> times_around(std::int64_t ns) {
  return {ns, ns + 2000, ns - 3000, ns + 4000, ns, ns + 2000, ns + 5000, ns - 6000};
}

/// Comparison in which the first node takes 10 % longer in b and the second equally long.
Comparison sketch() {
  const Texts nodes = {"l/c/Conv:Conv", "fc/Gemm:Gemm"};
  return *compare_runs(
      {run_of("a", nodes, {{{0}, times_around(1'000'000)}, {{1}, times_around(1'000'000)}}),
       run_of("b", nodes, {{{0}, times_around(1'100'000)}, {{1}, times_around(1'000'000)}})});
}

Texts failures(const Result<std::vector<Checked>>& checks) {
  if (!checks.ok()) return {checks.error().text()};
  Texts out;
  for (const Checked& check : *checks)
    if (check.fails) out.push_back(check.text);
  return out;
}

Texts found(std::string_view limit) { return failures(check(*parse_run_limit(limit), sketch())); }

TEST(RunLimit, HoldsWhereTheIntervalReachesTheBound) {
  for (const char* limit : {"latency>5%", "latency>100us", "group>10%", "module:fc>0.5%",
                            "op:Conv>11%", "latency>10ms"})
    EXPECT_EQ(found(limit), Texts{}) << limit;
}

TEST(RunLimit, NamesEveryRowThatIsPastIt) {
  const Texts group = found("group>5%");
  ASSERT_EQ(group.size(), 1u);
  EXPECT_TRUE(
      group[0].starts_with("group>5%: l/c: Conv takes 1.001 ms in a and 1.101 ms in b, +10.0 % ["))
      << group[0];
  EXPECT_EQ(found("latency>2%").size(), 1u);
  EXPECT_EQ(found("module:l>50us").size(), 1u);
  EXPECT_EQ(found("op:Conv>5%").size(), 1u);
  EXPECT_EQ(found("latency>-20%").size(), 1u);  // a gain of 20 % was required
}

/// Text of the single result of a check that passes.
std::string passes(std::string_view limit, Uncertain uncertain = Uncertain::kPasses) {
  const std::vector<Checked> out = *check(*parse_run_limit(limit), sketch(), uncertain);
  return out.size() == 1 && !out[0].fails ? out[0].text : "fails";
}

TEST(RunLimit, SaysWhyItPasses) {
  EXPECT_EQ(passes("latency>10%"),
            "latency>10%: latency takes 2.002 ms in a and 2.102 ms in b, +5.0 % [+4.2, +5.8]");
  EXPECT_EQ(
      passes("latency>5%"),
      "latency>5%: latency takes 2.002 ms in a and 2.102 ms in b, +5.0 % [+4.2, +5.8]: uncertain "
      "(--processes 5 narrows the interval), passes; fails with --fail-on-uncertain");
  EXPECT_EQ(passes("group>20%"), "group>20%: no violation among 2 groups in b");
  EXPECT_TRUE(
      passes("group>10%")
          .starts_with("group>10%: 1 of 2 groups, the largest: l/c: Conv takes 1.001 ms in a "
                       "and 1.101 ms in b, +10.0 "
                       "% ["))
      << passes("group>10%");
}

TEST(RunLimit, FailsWhereItIsNotCertainIfThatIsAskedFor) {
  EXPECT_EQ(passes("latency>5%", Uncertain::kFails), "fails");
  EXPECT_EQ(passes("group>10%", Uncertain::kFails), "fails");
  EXPECT_NE(passes("latency>10%", Uncertain::kFails), "fails");
}

/// Checks with reference kernels that took up to `slower` times as long with the second run.
std::vector<Checked> with_drift(std::string_view limit, double slower,
                                Uncertain uncertain = Uncertain::kPasses) {
  Comparison c = sketch();
  c.drifts = {std::nullopt, Drift{.kernels = {{{"multiply-add", 100, 101},
                                               {"multiply-add", 100, std::llround(100 * slower)},
                                               std::nullopt}},
                                  .latency_scatter = std::nullopt}};
  return *check(*parse_run_limit(limit), c, uncertain);
}

// Node l/c takes 10 % longer.
TEST(RunLimit, IsNotBrokenByDriftOfTheMachine) {
  const std::vector<Checked> drift = with_drift("module:l/c>5%", 1.5);
  ASSERT_EQ(drift.size(), 1U);
  EXPECT_FALSE(drift[0].fails);
  EXPECT_TRUE(
      drift[0].text.ends_with(": drift of the machine may explain up to 50.0 %, passes; fails with "
                              "--fail-on-uncertain"))
      << drift[0].text;
  EXPECT_TRUE(with_drift("module:l/c>5%", 1.5, Uncertain::kFails)[0].fails);
  EXPECT_TRUE(with_drift("module:l/c>5%", 1.02)[0].fails);
  const std::vector<Checked> groups = with_drift("group>5%", 1.5);
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_FALSE(groups[0].fails);
  EXPECT_TRUE(groups[0].text.starts_with("group>5%: 1 of 2 groups, the largest: l/c: Conv takes"))
      << groups[0].text;
  EXPECT_TRUE(with_drift("group>5%", 1.02)[0].fails);
}

TEST(RunLimit, SuggestsTheModuleThatWasMeant) {
  EXPECT_EQ(found("module:f>5%"), (Texts{"error: --fail-on 'module:f>5%': no module 'f' was timed\n"
                                         "  hint: did you mean 'fc'?\n  [RIDGE-CMP-0007]\n"}));
  EXPECT_EQ(found("op:Softmax>5%"),
            (Texts{"error: --fail-on 'op:Softmax>5%': no operator 'Softmax' was timed\n"
                   "  hint: --by op lists them\n  [RIDGE-CMP-0007]\n"}));
}

TEST(RunLimit, FailsWhereNothingCanBeJudged) {
  Comparison c = sketch();
  std::vector<compare::Run> runs = std::move(c.runs);
  for (profile::Layer& layer : runs[1].profile.layers) layer.runs_ns.clear();
  const Comparison blind = *compare_runs(std::move(runs));
  EXPECT_EQ(failures(check(*parse_run_limit("module:fc>5%"), blind)),
            (Texts{"module:fc>5%: fc cannot be judged: b has no times of single runs"}));
  EXPECT_EQ(failures(check(*parse_run_limit("group>5%"), blind)),
            (Texts{"group>5%: l/c: Conv cannot be judged: b has no times of single runs"}));
}

}  // namespace
}  // namespace ridge::compare
