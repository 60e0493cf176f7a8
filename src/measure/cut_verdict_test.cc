// SPDX-License-Identifier: Apache-2.0
#include "measure/cut_verdict.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "profile/verified.h"
#include "stats/random.h"

namespace ridge::measure {
namespace {

using profile::Profile;
using profile::Verdict;
using profile::VerifiedCut;

constexpr std::size_t kProcesses = 3, kRuns = 40;

/// Ten layers with known truth, and a run with a few per cent of disturbance.
struct World {
  std::vector<double> layers_ns = {4e5, 1e6, 2e5, 8e5, 5e5, 3e5, 9e5, 6e5, 1e5, 7e5};
  double gaps_ns = 1e5;
  stats::Random random{11};

  double noisy(double ns) { return ns * (1 + 0.02 * (random.uniform() - 0.5)); }
  double total() const {
    double ns = gaps_ns;
    for (const double layer : layers_ns) ns += layer;
    return ns;
  }
  double part(std::size_t layers) const {
    double ns = gaps_ns * static_cast<double>(layers) / static_cast<double>(layers_ns.size());
    for (std::size_t l = 0; l < layers; ++l) ns += layers_ns[l];
    return ns;
  }

  Profile profile() {
    Profile p;
    p.latency.ns = {total(), {{total(), total()}}};
    p.latency.processes.resize(kProcesses);
    for (profile::Process& process : p.latency.processes) process.samples_ns.resize(kRuns, 1);
    p.profiling.gaps_ns = gaps_ns;
    p.profiling.event_share_ns = 1000;
    for (std::uint32_t l = 0; l < layers_ns.size(); ++l) {
      profile::Layer layer;
      layer.index = l;
      layer.type = "Conv";
      layer.corrected_ns = layers_ns[l];
      layer.members = {{.node = l}};
      layer.kernels = {{fmt::format("r{}_token_{}", l, 100 + l), "Conv", {}}};
      for (std::size_t r = 0; r < kProcesses * kRuns; ++r)
        layer.runs_ns.push_back(std::llround(noisy(layers_ns[l])));
      p.layers.push_back(std::move(layer));
      p.nodes.push_back({.index = l, .parent = {}});
      p.profiling.corrected_sum_ns += layers_ns[l];
    }
    p.profiling.outside_layers_ns = gaps_ns;
    return p;
  }

  /// Times of the part before a cut; caches make it `warmer` times as long.
  PartTimes times(std::size_t layers, double warmer = 1, double inserted_ns = 0) {
    PartTimes t;
    for (std::size_t b = 0; b < kProcesses; ++b) {
      t.whole_ns.emplace_back();
      t.part_ns.emplace_back();
      for (std::size_t r = 0; r < kRuns; ++r) {
        // Slowdown of the machine, the same for both.
        const double slow = 1 + 0.5 * random.uniform();
        t.whole_ns[b].push_back(slow * noisy(total()));
        t.part_ns[b].push_back(slow * noisy(part(layers) * warmer + inserted_ns));
      }
    }
    for (std::size_t l = 0; l < layers; ++l)
      t.kernels.push_back({fmt::format("r{}_token_{}", l, 7 * l), "Conv", layers_ns[l], 1});
    if (inserted_ns > 0) t.kernels.push_back({"out_token_3", "Reorder", inserted_ns + 1000, 1});
    return t;
  }
};

PlannedCut cut_after(std::uint32_t layers, std::uint32_t boundary = 0) {
  return {.cut = {.tensor = 0, .node = layers - 1}, .layers = layers, .boundary = boundary};
}

VerifiedCut judged(const Profile& p, const PlannedCut& cut, const PartTimes& times,
                   const PartTimes* cold = nullptr) {
  const auto out = judge(p, cut, times, cold);
  EXPECT_TRUE(out.has_value());
  return out.value_or(VerifiedCut());
}

TEST(CutVerdict, TrueLayerTimesAgreeAtEveryCut) {
  World world;
  const Profile p = world.profile();
  for (std::uint32_t layers = 1; layers < 10; ++layers) {
    const VerifiedCut cut = judged(p, cut_after(layers), world.times(layers));
    EXPECT_EQ(cut.verdict, Verdict::kAgrees) << layers;
    EXPECT_NEAR(cut.difference.value, 0, 0.005) << layers;
    EXPECT_LE(cut.difference.low(), cut.difference.value);
    EXPECT_GE(cut.difference.high(), cut.difference.value);
    EXPECT_LT(cut.difference.high() - cut.difference.low(), 0.05) << "drift of the machine cancels";
    EXPECT_NEAR(cut.layers_ns + cut.outside_ns, world.part(layers), 1);
    EXPECT_EQ(cut.inserted_ns, 0);
  }
}

/// One defect at a time: a layer's time halved, doubled or lost. The cuts behind it detect that,
/// and the worst segment contains the layer.
TEST(CutVerdict, ALayerThatIsNotWhatItIsSaidToBeIsFound) {
  for (std::uint32_t wrong = 0; wrong < 10; ++wrong)
    for (const double by : {0.0, 0.5, 2.0}) {
      World world;
      Profile p = world.profile();
      const double off = std::abs(1 - by) * world.layers_ns[wrong] / world.total();
      if (off < 0.06) continue;  // below the resolution of these intervals
      profile::Layer& layer = p.layers[wrong];
      layer.corrected_ns *= by;
      for (std::int64_t& ns : layer.runs_ns) ns = std::llround(static_cast<double>(ns) * by);
      p.profiling.residual_share = (by - 1) * world.layers_ns[wrong] / world.total();
      bool named = false;
      for (std::uint32_t layers = 1; layers < 10; ++layers) {
        p.verification.cuts.push_back(judged(p, cut_after(layers), world.times(layers)));
        const bool behind = layers > wrong;
        EXPECT_EQ(p.verification.cuts.back().verdict, behind ? Verdict::kDiffers : Verdict::kAgrees)
            << "layer " << wrong << " x " << by << ", cut after " << layers;
        named |= behind;
      }
      EXPECT_TRUE(named || wrong == 9);
      const auto worst = profile::worst_segment(p);
      ASSERT_TRUE(worst.has_value());
      EXPECT_EQ(worst->first, wrong);
      EXPECT_EQ(worst->last, wrong + 1);
      EXPECT_EQ(worst->difference < 0, by < 1);
    }
}

TEST(CutVerdict, TimeMovedFromOneLayerToAnotherIsFoundThoughTheSumIsRight) {
  World world;
  Profile p = world.profile();
  p.layers[1].corrected_ns -= 5e5;
  p.layers[6].corrected_ns += 5e5;
  EXPECT_EQ(judged(p, cut_after(1), world.times(1)).verdict, Verdict::kAgrees);
  EXPECT_EQ(judged(p, cut_after(4), world.times(4)).verdict, Verdict::kDiffers);
  EXPECT_EQ(judged(p, cut_after(7), world.times(7)).verdict, Verdict::kAgrees);
}

TEST(CutVerdict, CachesExplainAPartThatIsFasterByItself) {
  World world;
  const Profile p = world.profile();
  const PartTimes warm = world.times(7, 0.85), cold = world.times(7, 1.0);
  EXPECT_EQ(judged(p, cut_after(7), warm).verdict, Verdict::kDiffers);
  const VerifiedCut explained = judged(p, cut_after(7), warm, &cold);
  EXPECT_EQ(explained.verdict, Verdict::kExplained);
  ASSERT_TRUE(explained.explained_ns.has_value());
  EXPECT_GT(explained.explained_ns->value, explained.part_ns.value);
  EXPECT_GT(explained.difference.value, 0.05) << "the difference stays what it was";
  EXPECT_EQ(judged(p, cut_after(7), warm, &warm).verdict, Verdict::kDiffers);
}

TEST(CutVerdict, TakesOutWhatIsInsertedOnlyWhereThePartEnds) {
  World world;
  const Profile p = world.profile();
  const VerifiedCut cut = judged(p, cut_after(5), world.times(5, 1, 4e5));
  EXPECT_EQ(cut.verdict, Verdict::kAgrees);
  EXPECT_NEAR(cut.inserted_ns, 4e5, 1);
  EXPECT_NEAR(cut.difference.value, 0, 0.005);
  PartTimes blind = world.times(5, 1, 4e5);
  blind.kernels.pop_back();
  EXPECT_EQ(judged(p, cut_after(5), blind).verdict, Verdict::kDiffers);
}

TEST(CutVerdict, WhatTheWholeModelInsertsThereAsWellCountsOnBothSides) {
  World world;
  Profile p = world.profile();
  p.layers[5].members.clear();
  p.layers[5].inserted = true;
  p.layers[5].kernels = {{"r4_to_r6_token_1", "Reorder", {}}};
  PartTimes times = world.times(6);
  times.kernels.back() = {"r4_out_token_9", "Reorder", world.layers_ns[5], 1};
  const VerifiedCut cut = judged(p, cut_after(5, 1), times);
  EXPECT_EQ(cut.layers, 6U);
  EXPECT_EQ(cut.inserted_ns, 0);
  EXPECT_EQ(cut.verdict, Verdict::kAgrees);
}

TEST(CutVerdict, APartWithOtherKernelsSaysNothing) {
  World world;
  Profile p = world.profile();
  PartTimes times = world.times(5);
  times.kernels[2].type = "Gemm";
  EXPECT_EQ(judged(p, cut_after(5), times).verdict, Verdict::kIncomparable);
  p.verification.cuts = {judged(p, cut_after(5), times)};
  EXPECT_TRUE(profile::segments(p).empty());
}

TEST(CutVerdict, WithoutRoundsThereIsNone) {
  World world;
  EXPECT_FALSE(judge(world.profile(), cut_after(5), {}).has_value());
}

}  // namespace
}  // namespace ridge::measure
