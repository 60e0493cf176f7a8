// SPDX-License-Identifier: Apache-2.0
#include "compare/comparison.h"

#include <gtest/gtest.h>

#include <cmath>

#include "compare/testing.h"
#include "stats/random.h"

namespace ridge::compare {
namespace {

using testing::LayerSketch;
using testing::run_of;

const std::vector<std::string> kNodes = {"conv1/Conv:Conv", "relu/Relu:Relu",
                                         "layer1/conv/Conv:Conv", "layer1/fc/Gemm:Gemm"};

using Runs = std::vector<std::int64_t>;

/// Eight runs around `ns`, some longer, some shorter; the median is `ns` + 1.
Runs runs_around(std::int64_t ns) {
  return {ns, ns + 2, ns - 3, ns + 4, ns, ns + 2, ns + 5, ns - 6};
}

/// Two runs: A fuses the first two nodes; B fuses the middle two and needs half the time for the
/// first three, a tenth more for the last.
std::vector<compare::Run> two() {
  return {run_of("a", kNodes,
                 {{{0, 1}, runs_around(4000)},
                  {{2}, runs_around(2000)},
                  {{3}, runs_around(1000)},
                  {{}, runs_around(100), true}}),
          run_of("b", kNodes,
                 {{{0}, runs_around(2000)},
                  {{1, 2}, runs_around(1000)},
                  {{3}, runs_around(1100)},
                  {{}, runs_around(300), true},
                  {{}, runs_around(50)}})};
}

TEST(Comparison, SumsTheLayersOfAGroupRunByRun) {
  const auto c = compare_runs(two());
  ASSERT_TRUE(c.ok());
  ASSERT_EQ(c->groups.size(), 2u);
  const Row& fused = c->groups[0];
  EXPECT_EQ(fused.nodes, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(fused.cells[0].time_ns, 6002);  // 6000 + a median of 1 in each of the two layers
  EXPECT_EQ(fused.cells[1].time_ns, 3002);
  EXPECT_NEAR(*fused.cells[1].ratio, 3002.0 / 6002, 1e-6);
  EXPECT_EQ(fused.cells[1].difference_ns, -3000);
  EXPECT_EQ(fused.cells[1].verdict, Verdict::kFaster);
  EXPECT_EQ(c->groups[1].cells[1].verdict, Verdict::kSlower);
  EXPECT_EQ(c->groups[1].label, "layer1/fc: Gemm");
  EXPECT_EQ(fused.label, "conv1 + relu + layer1/conv");
}

TEST(Comparison, AddsUpToTheLatency) {
  const auto c = compare_runs(two());
  ASSERT_TRUE(c.ok());
  const Parts a = *c->parts[0], b = *c->parts[1], d = *c->differences[1];
  EXPECT_EQ(a.groups_ns, 6002 + 1001);
  EXPECT_EQ(a.inserted_ns, 101);
  EXPECT_EQ(b.inserted_ns, 301);
  EXPECT_EQ(b.unattributed_ns, 51);
  EXPECT_EQ(a.latency_ns, 7104);  // four layers, each with a median of 1 above its nominal time
  EXPECT_EQ(b.latency_ns, 4455);
  for (const Parts& p : {a, b, d})
    EXPECT_DOUBLE_EQ(
        p.groups_ns + p.inserted_ns + p.unattributed_ns + p.outside_ns + p.unexplained_ns,
        p.latency_ns);
  EXPECT_DOUBLE_EQ(d.groups_ns, -3000 + 100);
  EXPECT_DOUBLE_EQ(*c->explained[1], (-2900.0 + 200) / (4455 - 7104));
  EXPECT_EQ(c->best_ns, 3002 + 1001);  // b is faster in the first group, a in the second
  EXPECT_EQ(c->tallies[1].faster.groups, 1u);
  EXPECT_EQ(c->tallies[1].slower.ns, 100);
}

TEST(Comparison, RollsUpByModuleAndOperator) {
  const auto c = compare_runs(two());
  ASSERT_TRUE(c.ok());
  // The first group is not contained in layer1, so it counts only for the whole model.
  ASSERT_EQ(c->modules.size(), 2u);
  EXPECT_EQ(c->modules[0].label, "layer1");
  EXPECT_EQ(c->modules[0].cells[0].time_ns, 1001);
  EXPECT_EQ(c->modules[1].label, "layer1/fc");
  ASSERT_EQ(c->operators.size(), 2u);
  EXPECT_EQ(c->operators[0].label, "Conv");
  EXPECT_EQ(c->operators[0].cells[1].time_ns, 3002);
  EXPECT_EQ(c->operators[1].label, "Gemm");
}

TEST(Comparison, ShowsNoDifferenceBetweenARunAndItself) {
  std::vector<compare::Run> runs = two();
  runs[1] = runs[0];
  const auto c = compare_runs(std::move(runs));
  ASSERT_TRUE(c.ok());
  for (const Row& row : c->groups) {
    EXPECT_EQ(row.cells[1].verdict, Verdict::kNotShown);
    EXPECT_DOUBLE_EQ(*row.cells[1].ratio, 1);
    EXPECT_TRUE(row.cells[1].ratio_interval->contains(1));
  }
  EXPECT_EQ(c->latency.cells[1].verdict, Verdict::kNotShown);
  EXPECT_EQ(c->explained[1], std::nullopt);
  EXPECT_EQ(c->best_ns, c->groups_ns[0]);
}

TEST(Comparison, CallsADifferenceWithinTheThresholdNone) {
  const auto c = compare_runs(two(), {.threshold = 0.2});
  ASSERT_TRUE(c.ok());
  EXPECT_EQ(c->groups[0].cells[1].verdict, Verdict::kFaster);
  EXPECT_EQ(c->groups[1].cells[1].verdict, Verdict::kNotShown);  // 10 % slower
}

TEST(Comparison, JudgesLayersOnlyByTimesOfOneKind) {
  std::vector<compare::Run> runs = two();
  runs[1].profile.profiling.layer_times = profile::kReportedTimes;
  const auto mixed = compare_runs(runs);
  ASSERT_TRUE(mixed.ok());
  for (const Row& row : mixed->groups) {
    EXPECT_EQ(row.cells[1].verdict, Verdict::kNotJudged);
    EXPECT_EQ(row.cells[1].reason, "layer times of b are as reported, those of a corrected");
    EXPECT_TRUE(row.cells[1].ratio);
  }
  EXPECT_EQ(mixed->latency.cells[1].verdict, Verdict::kFaster);
  ASSERT_EQ(mixed->notes.size(), 1u);
  EXPECT_TRUE(mixed->notes[0].starts_with("layer times of b are as reported"));

  runs[0].profile.profiling.layer_times = profile::kReportedTimes;
  const auto alike = compare_runs(runs);
  ASSERT_TRUE(alike.ok());
  EXPECT_EQ(alike->groups[0].cells[1].verdict, Verdict::kFaster);
  ASSERT_EQ(alike->notes.size(), 1u);
  EXPECT_TRUE(alike->notes[0].starts_with("layer times of a and b are as reported"));
}

/// Run of two processes of eight runs each, which take `first` and `second` nanoseconds.
compare::Run in_two_processes(const char* label, std::int64_t first, std::int64_t second) {
  Runs runs = runs_around(first), more = runs_around(second);
  runs.insert(runs.end(), more.begin(), more.end());
  compare::Run run = run_of(label, {"fc:Gemm"}, {{{0}, runs}});
  const Runs all = run.profile.latency.processes[0].samples_ns;
  run.profile.latency.processes = {{.samples_ns = {all.begin(), all.begin() + 8}},
                                   {.samples_ns = {all.begin() + 8, all.end()}}};
  return run;
}

TEST(Comparison, TooFewProcessesToTellIsNoDifferenceThatIsNotShown) {
  const auto c = compare_runs(
      {in_two_processes("a", 1'000'000, 1'400'000), in_two_processes("b", 1'300'000, 2'100'000)});
  ASSERT_TRUE(c.ok());
  for (const Cell* cell : {&c->latency.cells[1], &c->groups[0].cells[1]}) {
    EXPECT_EQ(cell->verdict, Verdict::kNotJudged);
    EXPECT_EQ(cell->reason, "too few processes to tell; --processes 5");
    EXPECT_FALSE(cell->ratio_interval);
    EXPECT_TRUE(cell->ratio);
  }
  EXPECT_EQ(c->tallies[1].not_judged, 1u);
}

/// For any difference between processes: for runs measured apart, the ratio's interval contains 1
/// if each time lies in the interval of the other, and does not if the intervals do not overlap.
TEST(Comparison, IntervalsOfLatenciesAndOfTheirRatioAgree) {
  stats::Random random(3);
  const auto near = [&](std::int64_t ns, double spread) {
    return static_cast<std::int64_t>(static_cast<double>(ns) *
                                     std::exp(spread * (random.uniform() - 0.5)));
  };
  int inside = 0, disjoint = 0;
  for (int i = 0; i < 400; ++i) {
    const double spread = i % 2 == 0 ? 2 : 0.02;
    const std::int64_t first = near(1'000'000, 2), second = near(1'000'000, 2);
    const auto c = compare_runs({in_two_processes("a", first, near(first, spread)),
                                 in_two_processes("b", second, near(second, spread))});
    ASSERT_TRUE(c.ok());
    const Cell &a = c->latency.cells[0], &b = c->latency.cells[1];
    const auto ratio = b.change->ratio_interval(0.95);
    if (a.interval->contains(*b.time_ns) && b.interval->contains(*a.time_ns)) {
      ++inside;
      EXPECT_TRUE(ratio->contains(1)) << i;
    }
    if (a.interval->hi < b.interval->lo || b.interval->hi < a.interval->lo) {
      ++disjoint;
      EXPECT_FALSE(ratio->contains(1)) << i;
    }
  }
  EXPECT_GT(inside, 50);
  EXPECT_GT(disjoint, 5);
}

TEST(Comparison, KnowsFoldedNodesFromThoseWithoutALayer) {
  const std::vector<std::string> nodes = {"w:Constant", "cast:Cast", "lost:Identity", "fc:Gemm"};
  std::vector<compare::Run> runs = {run_of("a", nodes, {{{3}, runs_around(1000)}}),
                                    run_of("b", nodes, {{{3}, runs_around(1000)}})};
  for (compare::Run& run : runs)
    run.profile.without_layer = {{0, profile::Why::kFolded, {}},
                                 {1, profile::Why::kFolded, {}},
                                 {2, profile::Why::kEliminated, {}}};
  const auto c = compare_runs(std::move(runs));
  ASSERT_TRUE(c.ok());
  EXPECT_EQ(c->untimed, 3u);
  EXPECT_EQ(c->folded, 2u);
}

TEST(Comparison, GivesMediansWithoutIntervalWhereSingleRunsAreNotKept) {
  std::vector<compare::Run> runs = two();
  for (profile::Layer& layer : runs[1].profile.layers) layer.runs_ns.clear();
  const auto c = compare_runs(std::move(runs));
  ASSERT_TRUE(c.ok());
  const Cell& cell = c->groups[0].cells[1];
  EXPECT_EQ(cell.time_ns, 2002 + 1002);  // sum of corrected_ns
  EXPECT_EQ(cell.interval, std::nullopt);
  EXPECT_EQ(cell.verdict, Verdict::kNotJudged);
  EXPECT_EQ(cell.reason, "b has no times of single runs");
  EXPECT_EQ(c->latency.cells[1].verdict, Verdict::kFaster);  // its samples are present

  runs = two();
  runs[1].profile.subject.kind = "estimated";
  for (profile::Layer& layer : runs[1].profile.layers) layer.runs_ns.clear();
  const auto estimated = compare_runs(std::move(runs));
  ASSERT_TRUE(estimated.ok());
  EXPECT_EQ(estimated->groups[0].cells[1].reason, "b is estimated, not measured");
}

TEST(Comparison, DoesNotJudgeFromAFewRuns) {
  const auto c = compare_runs({run_of("a", {"x:Conv"}, {{{0}, {10, 11, 12, 10, 11}}}),
                               run_of("b", {"x:Conv"}, {{{0}, {30, 31, 32, 30, 31}}})});
  ASSERT_TRUE(c.ok());
  EXPECT_EQ(c->groups[0].cells[1].verdict, Verdict::kNotJudged);
  EXPECT_EQ(c->groups[0].cells[1].reason, "a has fewer than 6 runs");
  EXPECT_DOUBLE_EQ(*c->groups[0].cells[1].ratio, 31.0 / 11);
}

TEST(Comparison, KnowsThatAFoldedNodeTakesNoTime) {
  std::vector<compare::Run> runs = {
      run_of("a", kNodes, {{{0}, runs_around(4000)}}),
      run_of("b", kNodes, {{{0}, runs_around(4000)}, {{3}, runs_around(500)}})};
  runs[0].profile.without_layer = {{.node = 3, .why = profile::Why::kFolded}};
  const auto c = compare_runs(std::move(runs));
  ASSERT_TRUE(c.ok());
  const Row& folded = c->groups[1];
  EXPECT_EQ(folded.cells[0].time_ns, 0);
  EXPECT_EQ(folded.cells[1].ratio, std::nullopt);
  EXPECT_EQ(folded.cells[1].difference_ns, 501);
  EXPECT_EQ(folded.cells[1].verdict, Verdict::kSlower);
  EXPECT_EQ(c->best_ns, 4001);
}

/// Each run has a part of its own; one run takes 90 and 10, the other 50 and 1000.
TEST(Comparison, TheBestDoesNotSumPartsThatNoRunShares) {
  const auto c = compare_runs(
      {run_of("a", {"x:Conv", "z:Gemm"}, {{{0}, runs_around(90)}, {{1}, runs_around(10)}}),
       run_of("b", {"x:Conv", "q:Tanh"}, {{{0}, runs_around(50)}, {{1}, runs_around(1000)}})});
  ASSERT_TRUE(c.ok());
  EXPECT_EQ(c->best_ns, 51 + 11);  // not 51 + 11 + 1001
  EXPECT_EQ(c->best_others, 0U);
}

/// b's profiler resolves 127 ns: of its 100 ns is known that they are less, not that they are more
/// than the 50 ns of a.
TEST(Comparison, ATimeBelowTheResolutionIsNotSlower) {
  std::vector<compare::Run> runs = {
      run_of("a", kNodes,
             {{{0}, runs_around(4000)}, {{1}, runs_around(50)}, {{2}, runs_around(900)}}),
      run_of("b", kNodes,
             {{{0}, runs_around(4000)}, {{1}, runs_around(100)}, {{2}, runs_around(100)}})};
  runs[0].profile.profiling.resolution_ns = 20;
  runs[1].profile.profiling.resolution_ns = 127;
  const auto c = compare_runs(std::move(runs));
  ASSERT_TRUE(c.ok());
  const Cell& brief = c->groups[1].cells[1];
  EXPECT_TRUE(brief.below_resolution);
  EXPECT_EQ(brief.verdict, Verdict::kNotJudged);
  EXPECT_EQ(brief.reason, "too short for the profilers to tell");
  EXPECT_FALSE(brief.interval);
  const Cell& faster = c->groups[2].cells[1];  // 900 ns are more than any time below 127 ns
  EXPECT_EQ(faster.verdict, Verdict::kFaster);
  EXPECT_FALSE(faster.ratio_interval);
  EXPECT_FALSE(faster.interval);
}

TEST(Comparison, DoesNotJudgeNodesThatOneModelLacks) {
  const auto c = compare_runs(
      {run_of("a", {"x:Conv", "z:Gemm"}, {{{0}, runs_around(40)}, {{1}, runs_around(50)}}),
       run_of("b", {"x:Conv"}, {{{0}, runs_around(40)}})});
  ASSERT_TRUE(c.ok());
  EXPECT_EQ(c->groups[1].cells[1].time_ns, std::nullopt);
  EXPECT_EQ(c->groups[1].cells[1].reason, "not in the model of b");
  EXPECT_EQ(
      c->notes,
      (std::vector<std::string>{"b is another model than a: 1 of its 1 node joined by name"}));
}

TEST(Comparison, GivesTheTimeOfAnItemWhereBatchesDiffer) {
  std::vector<compare::Run> runs = {run_of("a", {"x:Conv"}, {{{0}, runs_around(1000)}}),
                                    run_of("b", {"x:Conv"}, {{{0}, runs_around(4000)}})};
  runs[0].profile.batch = 2;
  runs[1].profile.batch = 16;
  const auto c = compare_runs(std::move(runs));
  ASSERT_TRUE(c.ok());
  EXPECT_NEAR(*c->groups[0].cells[1].per_item_ratio, 4001.0 / 1001 / 8, 1e-6);
}

TEST(Comparison, TellsNothingBelowWhatTheProfilerResolves) {
  std::vector<compare::Run> runs = {run_of("a", {"x:Conv"}, {{{0}, runs_around(1000)}}),
                                    run_of("b", {"x:Conv"}, {{{0}, runs_around(4000)}})};
  for (compare::Run& run : runs) run.profile.profiling.resolution_ns = 5000;
  const auto c = compare_runs(std::move(runs));
  ASSERT_TRUE(c.ok());
  EXPECT_EQ(c->groups[0].cells[1].verdict, Verdict::kNotJudged);
  EXPECT_EQ(c->groups[0].cells[1].reason, "too short for the profilers to tell");
  EXPECT_EQ(c->groups[0].cells[1].ratio_interval, std::nullopt);
}

TEST(Comparison, DoesNotTakeLayersForFastThatProfilingHid) {
  std::vector<compare::Run> runs = two();
  for (profile::Layer& layer : runs[1].profile.layers) {
    layer.corrected_ns = 0;
    std::fill(layer.runs_ns.begin(), layer.runs_ns.end(), 0);
  }
  const auto c = compare_runs(std::move(runs));
  ASSERT_TRUE(c.ok());
  EXPECT_EQ(c->groups[0].cells[1].verdict, Verdict::kNotJudged);
  EXPECT_EQ(c->groups[0].cells[1].reason, "profiling cost b more than its layers take");
  EXPECT_EQ(c->latency.cells[1].verdict, Verdict::kFaster);  // measured without the profiler
}

/// Two runs of `groups` nodes each in three processes of `runs` runs; a third of the nodes differ
/// by up to `apart`, and some take no time in some runs.
std::vector<compare::Run> random_runs(std::uint64_t seed, std::uint32_t groups, std::size_t runs,
                                      double apart) {
  stats::Random random(seed);
  std::vector<std::string> names;
  std::vector<LayerSketch> a, b;
  for (std::uint32_t g = 0; g < groups; ++g) {
    names.push_back("n" + std::to_string(g) + ":Conv");
    const double factor = random.below(3) == 0 ? 1 + apart * (2 * random.uniform() - 1) : 1;
    const bool brief = random.below(10) == 0;
    a.push_back({{g}, {}});
    b.push_back({{g}, {}});
    for (std::size_t i = 0; i < 3 * runs; ++i) {
      const double both = 1e6 * (1 + 0.3 * random.uniform());
      a[g].runs_ns.push_back(std::llround(both * (1 + 0.05 * random.uniform())));
      b[g].runs_ns.push_back(std::llround(both * factor * (1 + 0.05 * random.uniform())));
      if (brief && random.below(4) == 0) a[g].runs_ns.back() = 0;
    }
  }
  std::vector<compare::Run> out = {run_of("a", names, a), run_of("b", names, b)};
  for (compare::Run& run : out) {
    const std::vector<std::int64_t> all = run.profile.latency.processes[0].samples_ns;
    run.profile.latency.processes.clear();
    for (auto at = all.begin(); at != all.end(); at += std::ssize(all) / 3)
      run.profile.latency.processes.push_back({.samples_ns = {at, at + std::ssize(all) / 3}});
  }
  return out;
}

Verdict read_off(const Cell& cell, const Cell& baseline, double threshold) {
  const auto& ci = cell.ratio_interval ? cell.ratio_interval : cell.difference_interval;
  if (!ci) return cell.reason.empty() ? Verdict::kNotShown : Verdict::kNotJudged;
  const double none = cell.ratio_interval ? 1 : 0;
  const double margin = threshold * (cell.ratio_interval ? 1 : *baseline.time_ns);
  if (ci->lo > none + margin) return Verdict::kSlower;
  return ci->hi < none - margin ? Verdict::kFaster : Verdict::kNotShown;
}

TEST(Comparison, SaysWhatItsIntervalSays) {
  std::size_t shown = 0, not_shown = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    for (const Measuring measuring : {Measuring::kApart, Measuring::kInterleaved}) {
      const double threshold = seed % 2 == 0 ? 0 : 0.01;
      const auto c = compare_runs(random_runs(seed, 12, 4 + seed, 0.1),
                                  {.threshold = threshold, .measuring = measuring});
      ASSERT_TRUE(c.ok());
      for (const auto* rows : {&c->groups, &c->operators})
        for (const Row& row : *rows) {
          const Verdict said = row.cells[1].verdict;
          EXPECT_EQ(said, read_off(row.cells[1], row.cells[0], threshold)) << seed << row.label;
          ++(said == Verdict::kNotShown ? not_shown : shown);
        }
      EXPECT_EQ(c->latency.cells[1].verdict,
                read_off(c->latency.cells[1], c->latency.cells[0], threshold));
    }
  EXPECT_GT(shown, 50u);
  EXPECT_GT(not_shown, 50u);
}

/// Removes one process of twenty runs: its latencies and its runs of all layers.
void drop_process(compare::Run& run, std::ptrdiff_t process) {
  auto& processes = run.profile.latency.processes;
  processes.erase(processes.begin() + process);
  for (profile::Layer& layer : run.profile.layers)
    layer.runs_ns.erase(layer.runs_ns.begin() + 20 * process,
                        layer.runs_ns.begin() + 20 * (process + 1));
}

TEST(Comparison, OfRunsInTurnsLosesNoPartnerToAProcessThatFailed) {
  std::vector<compare::Run> runs = random_runs(3, 2, 20, 0);
  // Reference: both runs without the second process.
  std::vector<compare::Run> without = runs;
  for (compare::Run& run : without) drop_process(run, 1);
  // The second process of b failed: it has no samples but keeps its position.
  drop_process(runs[1], 1);
  auto& processes = runs[1].profile.latency.processes;
  processes.insert(processes.begin() + 1, profile::Process{});
  const auto c = compare_runs(std::move(runs), {.measuring = Measuring::kInterleaved});
  const auto expected = compare_runs(std::move(without), {.measuring = Measuring::kInterleaved});
  ASSERT_TRUE(c.ok() && expected.ok());
  for (std::size_t g = 0; g < c->groups.size(); ++g) {
    EXPECT_EQ(c->groups[g].cells[1].change->size(), 40u);
    EXPECT_EQ(c->groups[g].cells[1].ratio_interval, expected->groups[g].cells[1].ratio_interval);
  }
  EXPECT_EQ(c->latency.cells[1].ratio_interval, expected->latency.cells[1].ratio_interval);
}

/// Few of sixty equal groups appear different; nearly all of sixty groups that are 10 % slower do.
TEST(Comparison, FindsWhatIsPlantedAndLittleElse) {
  stats::Random random(5);
  constexpr std::uint32_t kGroups = 120;
  std::vector<std::string> names;
  std::vector<LayerSketch> a, b;
  for (std::uint32_t g = 0; g < kGroups; ++g) {
    names.push_back("n" + std::to_string(g) + ":Conv");
    const double slower = g < kGroups / 2 ? 1.10 : 1.0;
    a.push_back({{g}, {}});
    b.push_back({{g}, {}});
    for (int i = 0; i < 30; ++i) {
      a[g].runs_ns.push_back(std::llround(1e6 * (1 + 0.05 * random.uniform())));
      b[g].runs_ns.push_back(std::llround(1e6 * slower * (1 + 0.05 * random.uniform())));
    }
  }
  const auto c = compare_runs({run_of("a", names, a), run_of("b", names, b)});
  ASSERT_TRUE(c.ok());
  std::size_t planted = 0, others = 0;
  for (std::uint32_t g = 0; g < kGroups; ++g)
    if (c->groups[g].cells[1].verdict != Verdict::kNotShown) ++(g < kGroups / 2 ? planted : others);
  EXPECT_GE(planted, 58u);
  EXPECT_LE(others, 3u);
}

TEST(Comparison, RefusesOneRun) {
  std::vector<compare::Run> runs = two();
  runs.pop_back();
  EXPECT_EQ(compare_runs(std::move(runs)).error().text(),
            "error: 'a' is a single run, and a comparison requires two\n"
            "  hint: give a second run, or a model with --runtimes ort,openvino\n"
            "  [RIDGE-CMP-0002]\n");
}

TEST(Comparison, RefusesARunWithoutLayers) {
  std::vector<compare::Run> runs = two();
  runs[1].profile.layers.clear();
  EXPECT_EQ(compare_runs(std::move(runs)).error().text(),
            "error: run 'b' has no layers\n"
            "  hint: it was recorded without layer times; profile it again\n"
            "  [RIDGE-CMP-0003]\n");
}

}  // namespace
}  // namespace ridge::compare
