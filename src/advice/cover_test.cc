// SPDX-License-Identifier: Apache-2.0
#include "advice/cover.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "analysis/testing.h"

namespace ridge::advice {
namespace {

/// A run whose n-th layer executes the listed nodes.
profile::Profile covered_run(const std::vector<std::vector<std::uint32_t>>& layers,
                             const std::vector<double>& ns, double outside_ns) {
  profile::Profile out;
  out.latency.ns.value = outside_ns;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    profile::Layer& layer = out.layers.emplace_back();
    for (const std::uint32_t n : layers[l]) layer.members.push_back({.node = n});
    layer.corrected_ns = ns[l];
    out.latency.ns.value += ns[l];
  }
  return out;
}

// Tensors of 100 bytes: at 1 GB/s a cut takes 200 ns.
constexpr std::string_view kCoveredChain = R"(graph main
    input x[25]
    Relu(x) -> a
    Neg(a) -> b
    Sin(b) -> c
    output c)";

TEST(Cover, FollowsTheExample) {
  const analysis::Resolved model = analysis::testing::resolved(kCoveredChain);
  const profile::Profile one = covered_run({{0}, {1}, {2}}, {5000, 1000, 1000}, 500),
                         two = covered_run({{0}, {1}, {2}}, {1000, 4000, 4000}, 500);
  const Way ways[] = {{"one", &one}, {"two", &two}};
  const Cover best = best_cover(model, ways, 1e9);
  EXPECT_DOUBLE_EQ(best.total_ns, 4200);
  EXPECT_EQ(best.parts, 2U);
  ASSERT_EQ(best.pieces.size(), 3U);
  EXPECT_EQ(best.pieces[0].from, "two");
  EXPECT_EQ(best.pieces[1].from, "one");
  EXPECT_EQ(best.pieces[2].nodes, (std::vector<graph::NodeId>{2}));
}

TEST(Cover, NothingIsCutWhereTheBandwidthIsUnknownOrHandingOverCostsMore) {
  const analysis::Resolved model = analysis::testing::resolved(kCoveredChain);
  const profile::Profile one = covered_run({{0}, {1}, {2}}, {5000, 1000, 1000}, 500),
                         two = covered_run({{0}, {1}, {2}}, {1000, 4000, 4000}, 500);
  const Way ways[] = {{"one", &one}, {"two", &two}};
  for (const double bytes_per_s : {0.0, 1e6}) {
    const Cover best = best_cover(model, ways, bytes_per_s);
    EXPECT_DOUBLE_EQ(best.total_ns, 7500);
    EXPECT_EQ(best.parts, 1U);
    EXPECT_EQ(best.pieces.at(0).from, "one");
  }
}

TEST(Cover, APieceIsWhatAllWaysTimeSeparately) {
  const analysis::Resolved model = analysis::testing::resolved(kCoveredChain);
  const profile::Profile one = covered_run({{0, 1}, {2}}, {5000, 1000}, 0),
                         two = covered_run({{0}, {1}, {2}}, {100, 4000, 4000}, 0);
  const Way ways[] = {{"one", &one}, {"two", &two}};
  const Cover best = best_cover(model, ways, 1e9);
  EXPECT_DOUBLE_EQ(best.total_ns, 4100 + 200 + 1000);
  EXPECT_EQ(best.pieces.at(0).nodes, (std::vector<graph::NodeId>{0, 1}));
}

TEST(Cover, APieceThatAWayDoesNotTimeIsNotTakenFromIt) {
  const analysis::Resolved model = analysis::testing::resolved(kCoveredChain);
  const profile::Profile one = covered_run({{0}, {1}, {2}}, {5000, 1000, 1000}, 0);
  profile::Profile two = covered_run({{0}, {1}}, {1, 1}, 0);  // says nothing of node 2
  two.latency.ns.value = 9000;
  const Way ways[] = {{"one", &one}, {"two", &two}};
  EXPECT_DOUBLE_EQ(best_cover(model, ways, 1e9).total_ns, 7000);
  two.without_layer = {{.node = 2, .why = profile::Why::kEliminated}};
  two.latency.ns.value = 2;
  EXPECT_DOUBLE_EQ(best_cover(model, ways, 1e9).total_ns, 2);
}

/// Random graphs; the least over all assignments of ways to nodes in file order, computed
/// one by one.
TEST(Cover, AgreesWithASearchOfAllCovers) {
  std::mt19937 generator(1);
  const auto random = [&] { return static_cast<std::uint32_t>(generator()); };
  for (int i = 0; i < 100; ++i) {
    constexpr std::uint32_t kNodes = 6, kWays = 3;
    std::string text = "graph main\n  input v0[25]\n";
    for (std::uint32_t n = 1; n <= kNodes; ++n)
      text += fmt::format("  Add(v{}, v{}) -> v{}\n", n - 1, random() % n, n);
    text += fmt::format("  output v{}\n", kNodes);
    const analysis::Resolved model = analysis::testing::resolved(text);
    std::vector<profile::Profile> runs;
    for (std::uint32_t w = 0; w < kWays; ++w) {
      std::vector<double> ns;
      for (std::uint32_t n = 0; n < kNodes; ++n) ns.push_back(100 + random() % 2000);
      runs.push_back(covered_run({{0}, {1}, {2}, {3}, {4}, {5}}, ns, random() % 300));
    }
    std::vector<Way> ways;
    for (const profile::Profile& r : runs) ways.push_back({"way", &r});
    double least = INFINITY;
    for (std::uint32_t code = 0; code < 729; ++code) {  // 3^6
      std::uint32_t rest = code, before = 3;
      double total = 0;
      for (std::uint32_t n = 0; n < kNodes; ++n, rest /= kWays) {
        const std::uint32_t w = rest % kWays;
        double sum = 0;
        for (const profile::Layer& l : runs[w].layers) sum += l.corrected_ns;
        total += runs[w].layers[n].corrected_ns;
        if (w != before) total += runs[w].latency.ns.value - sum;
        if (w != before && n > 0)
          for (graph::ValueId v = 0; v < model.model().values().size(); ++v) {
            const graph::NodeId producer = model.model().value(v).producer;
            if (producer == graph::kNone || producer >= n) continue;
            const auto readers = model.model().consumers(v);
            if (std::ranges::any_of(readers, [n](graph::NodeId r) { return r >= n; })) total += 200;
          }
        before = w;
      }
      least = std::min(least, total);
    }
    EXPECT_NEAR(best_cover(model, ways, 1e9).total_ns, least, 1e-6) << text;
  }
}

}  // namespace
}  // namespace ridge::advice
