// SPDX-License-Identifier: Apache-2.0
// Covers of made-up networks by bricks with made-up times, against all ways to cut them.
#include "bricks/cover.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>
#include <random>

#include "bricks/piece_size.h"
#include "bricks/testing.h"
#include "bricks/variants.h"

namespace ridge::bricks {
namespace {

using testing::crafted;
using testing::kHost;
using testing::must;

/// Bricks that processes measured or lost. No event costs anything.
class CoverSuite {
 public:
  using Times = std::vector<std::int64_t>;  ///< by process

  explicit CoverSuite(const Network& network) : network_(network), cutter_(network) {}

  void measure(const Piece& piece, const Times& ns) { add(piece, ns); }
  void measure(std::uint32_t first, std::uint32_t last, const Times& ns) {
    add(cutter_.piece(first, last), ns);
  }
  void lose(const Piece& piece) { add(piece, {}); }
  void lose(std::uint32_t first, std::uint32_t last) { add(cutter_.piece(first, last), {}); }

  std::string key(const Piece& piece) const { return must(canonical_form(network_, piece)).key; }
  std::string key(std::uint32_t first, std::uint32_t last) const {
    return key(cutter_.piece(first, last));
  }
  /// By key; a lost brick has no times.
  const std::map<std::string, Times>& all() const { return ns_; }
  const Cutter& cutter() const { return cutter_; }

  BrickTimes times() const {
    std::size_t count = 1;
    for (const auto& [_, ns] : ns_) count = std::max(count, ns.size());
    std::vector<profile::SuiteProcess> processes(count);
    for (const std::uint32_t kernels : {20U, 60U})
      for (profile::SuiteProcess& p : processes)
        p.chains.push_back({kernels, 0, kernels * 1000, kernels * 1000, kernels * 1000, 0});
    for (const auto& [key, ns] : ns_) {
      for (std::size_t p = 0; p < ns.size(); ++p)
        processes[p].bricks.push_back(brick(key, {{0, ns[p], 1, 0}}));
      if (!ns.empty()) continue;
      processes[0].bricks.push_back(brick(key, {}));
      processes[0].lost.push_back({key, "it crashed"});
    }
    return BrickTimes(processes, kHost);
  }

 private:
  void add(const Piece& piece, const Times& ns) {
    const Form form = must(canonical_form(network_, piece));
    size_.emplace(form.key, size_of(network_, piece, form));
    ns_.insert_or_assign(form.key, ns);
  }
  profile::SuiteBrick brick(const std::string& key, std::vector<profile::BrickRun> runs) const {
    const BrickSize& size = size_.at(key);
    return {.key = key,
            .kind = size.kind,
            .macs = size.macs,
            .bytes = size.bytes,
            .runs = std::move(runs)};
  }

  const Network& network_;
  Cutter cutter_;
  std::map<std::string, Times> ns_;
  std::map<std::string, BrickSize> size_;
};

/// Nodes of the parts and their times: "a,b:1000 c:lost d:none".
std::string covered(const Network& n, const CoverSuite& suite) {
  const BrickTimes times = suite.times();
  std::string out;
  for (const CoverPart& part : cover(n, suite.cutter(), times)) {
    std::vector<std::string> names;
    for (const graph::NodeId node : part.piece.nodes) names.push_back(testing::label(n, node));
    const std::string time = part.time != nullptr ? fmt::format("{:.0f}", part.time->mean_ns())
                             : times.lost(part.form.key).empty() ? "none"
                                                                 : "lost";
    out += fmt::format("{}{}:{}", out.empty() ? "" : " ", fmt::join(names, ","), time);
  }
  return out;
}

constexpr std::string_view kDistinctChain = R"(graph main
  input x[2,4]
  a: Relu(x) -> ta
  b: Neg(ta) -> tb
  c: Tanh(tb) -> tc
  d: Exp(tc) -> y
  output y)";

TEST(Cover, HasOnePartPerLayerIfNothingWasMeasured) {
  const Network n = crafted(kDistinctChain);
  EXPECT_EQ(covered(n, CoverSuite(n)), "a:none b:none c:none d:none");
  const std::vector<CoverPart> parts = cover(n, Cutter(n), BrickTimes());
  ASSERT_EQ(parts.size(), 4U);
  EXPECT_EQ(parts[1].form.key, CoverSuite(n).key(1, 2));
}

TEST(Cover, TakesTheBricksWithTheSmallestVariance) {
  // Two processes whose times are 2 d apart have variance d^2; a cut adds 200^2.
  const Network n = crafted(kDistinctChain);
  CoverSuite suite(n);
  for (std::uint32_t l = 0; l < 4; ++l) suite.measure(l, l + 1, {900, 1100});
  EXPECT_EQ(covered(n, suite), "a:1000 b:1000 c:1000 d:1000");
  // A, B and C: 3 * (100^2 + 200^2) = 150,000 ns^2. As one: 320^2 + 200^2 = 142,400 ns^2.
  CoverSuite narrow = suite, wide = suite;
  narrow.measure(0, 3, {3000 - 320, 3000 + 320});
  EXPECT_EQ(covered(n, narrow), "a,b,c:3000 d:1000");
  wide.measure(0, 3, {3000 - 340, 3000 + 340});
  EXPECT_EQ(covered(n, wide), "a:1000 b:1000 c:1000 d:1000");
}

TEST(Cover, CountsATimeOfOneProcessAsATenthWide) {
  // A and B: 2 * (1000^2 + 200^2) = 2,080,000 ns^2. As one: d^2 + 200^2, so d counts up to 1428.
  const Network n = crafted(kDistinctChain);
  CoverSuite suite(n);
  suite.measure(0, 1, {10'000});
  suite.measure(1, 2, {10'000});
  CoverSuite narrow = suite, wide = suite;
  narrow.measure(0, 2, {20'000 - 1420, 20'000 + 1420});
  EXPECT_EQ(covered(n, narrow), "a,b:20000 c:none d:none");
  wide.measure(0, 2, {20'000 - 1440, 20'000 + 1440});
  EXPECT_EQ(covered(n, wide), "a:10000 b:10000 c:none d:none");
}

TEST(Cover, HasOnePartWithoutTimeForALostBrick) {
  const Network n = crafted(kDistinctChain);
  CoverSuite suite(n);
  suite.lose(1, 4);
  EXPECT_EQ(covered(n, suite), "a:none b,c,d:lost");
  const BrickTimes times = suite.times();
  const std::vector<CoverPart> parts = cover(n, suite.cutter(), times);
  EXPECT_EQ(parts[1].form.key, suite.key(1, 4));
  EXPECT_EQ(times.lost(parts[1].form.key), "it crashed");
}

TEST(Cover, PrefersMeasuredToLostAndLostToNothing) {
  const Network n = crafted(kDistinctChain);
  CoverSuite suite(n);
  suite.measure(0, 1, {1000, 9'000'000});
  suite.lose(0, 2);
  EXPECT_EQ(covered(n, suite), "a,b:lost c:none d:none");
  suite.measure(1, 2, {1000, 9'000'000});
  EXPECT_EQ(covered(n, suite), "a:4500500 b:4500500 c:none d:none");
  suite.lose(2, 3);
  suite.lose(3, 4);
  EXPECT_EQ(covered(n, suite), "a:4500500 b:4500500 c:lost d:lost");
  suite.lose(2, 4);
  EXPECT_EQ(covered(n, suite), "a:4500500 b:4500500 c,d:lost");
  suite.measure(2, 4, {1000, 9'000'000});
  EXPECT_EQ(covered(n, suite), "a:4500500 b:4500500 c,d:4500500");
}

TEST(Cover, ComparesVariancesAlsoBesideALayerWithoutBrick) {
  const Network n = crafted(kDistinctChain);
  CoverSuite suite(n);
  suite.measure(1, 2, {900, 1100});
  suite.measure(2, 3, {900, 1100});
  suite.measure(1, 3, {100, 900'000});
  EXPECT_EQ(covered(n, suite), "a:none b:1000 c:1000 d:none");
  suite.lose(0, 1);
  EXPECT_EQ(covered(n, suite), "a:lost b:1000 c:1000 d:none");
  suite.lose(3, 4);
  EXPECT_EQ(covered(n, suite), "a:lost b:1000 c:1000 d:lost");
}

TEST(Cover, FindsABrickInEveryVariantOfItsPiece) {
  const Network n = crafted(R"(graph main
    input x[1,4,8,8]
    constant w[4,4,3,3]
    conv: Conv(x, w) {pads=[1,1,1,1]} -> t
    relu: Relu(t) -> y
    output y)");
  const std::vector<Piece> pieces = variants(n, Cutter(n).piece(0, 1));
  ASSERT_EQ(pieces.size(), 16U);
  for (const Piece& piece : pieces) {
    CoverSuite suite(n);
    suite.measure(piece, {1000, 1000});
    const BrickTimes times = suite.times();
    const std::vector<CoverPart> parts = cover(n, suite.cutter(), times);
    ASSERT_EQ(parts.size(), 2U);
    EXPECT_NE(parts[0].time, nullptr);
    EXPECT_EQ(parts[0].form.key, suite.key(piece));
    EXPECT_EQ(port_text(parts[0].piece.inputs[0]), port_text(piece.inputs[0]));
    EXPECT_EQ(port_text(parts[0].piece.outputs[0]), port_text(piece.outputs[0]));
  }
}

TEST(Cover, PrefersAMeasuredVariantToALostOne) {
  const Network n = crafted(kDistinctChain);
  const std::vector<Piece> pieces = variants(n, Cutter(n).piece(0, 1));
  for (std::size_t lost = 0; lost < 2; ++lost) {
    CoverSuite suite(n);
    suite.lose(pieces[lost]);
    suite.measure(pieces[1 - lost], {1000, 1000});
    EXPECT_EQ(covered(n, suite), "a:1000 b:none c:none d:none") << lost;
  }
}

TEST(Cover, FindsABrickOfEqualKernelsInAnotherPlace) {
  const Network n = crafted(R"(graph main
    input x[2,4]
    a: Relu(x) -> ta
    b: Neg(ta) -> tb
    c: Relu(tb) -> tc
    d: Neg(tc) -> td
    e: Sqrt(td) -> y
    output y)");
  CoverSuite suite(n);
  suite.measure(0, 2, {1000, 1000});
  suite.measure(4, 5, {500, 500});
  EXPECT_EQ(covered(n, suite), "a,b:1000 c,d:1000 e:500");
}

TEST(Cover, FindsABrickWithBodies) {
  const Network n = crafted(R"(graph main
    input c:bool[] x[2,4]
    a: Relu(x) -> ta
    if: If(c) {then_branch=graph:yes else_branch=graph:no} -> tb
    b: Neg(tb) -> y
    output y
  graph yes
    constant w[4,4]
    then: MatMul(ta, w) -> p
    output p
  graph no
    else: Tanh(ta) -> q
    output q)");
  CoverSuite suite(n);
  suite.measure(1, 2, {1000, 1000});
  EXPECT_EQ(covered(n, suite), "a:none if,then,else:1000 b:none");
}

/// Costs in the order in which they count.
struct Cost {
  int uncovered = 0, lost = 0;
  double variance = 0;
};
bool less(const Cost& a, const Cost& b) {
  return std::tie(a.uncovered, a.lost, a.variance) < std::tie(b.uncovered, b.lost, b.variance);
}
Cost sum(const Cost& a, const Cost& b) {
  return {a.uncovered + b.uncovered, a.lost + b.lost, a.variance + b.variance};
}

/// Cost of a part; nullopt: there is none of these layers.
std::optional<Cost> cost_of(const CoverSuite& suite, std::uint32_t first, std::uint32_t last) {
  const auto found = suite.all().find(suite.key(first, last));
  if (found == suite.all().end())
    return last - first == 1 ? std::optional(Cost{.uncovered = 1}) : std::nullopt;
  const CoverSuite::Times& ns = found->second;
  if (ns.empty()) return Cost{.lost = 1};
  const auto n = static_cast<double>(ns.size());
  const double center = std::accumulate(ns.begin(), ns.end(), 0.0) / n;
  double squares = 0;
  for (const std::int64_t t : ns) squares += std::pow(static_cast<double>(t) - center, 2);
  const double own = ns.size() == 1 ? std::pow(0.1 * center, 2) : squares / n / (n - 1);
  return Cost{.variance = own + 200.0 * 200.0};
}

/// Smallest cost over all ways to cut: bit l of `cuts` is a cut after layer l.
Cost smallest_cost(const CoverSuite& suite, std::uint32_t layers) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::optional<Cost>> parts;
  for (std::uint32_t first = 0; first < layers; ++first)
    for (std::uint32_t last = first + 1; last <= layers; ++last)
      parts[{first, last}] = cost_of(suite, first, last);
  Cost best{.uncovered = 1000};
  if (layers == 0) return {};
  for (std::uint32_t cuts = 0; cuts < 1U << (layers - 1); ++cuts) {
    Cost all;
    std::uint32_t first = 0;
    for (std::uint32_t l = 0; l < layers; ++l) {
      if (l + 1 < layers && (cuts >> l & 1) == 0) continue;
      const std::optional<Cost>& part = parts.at({first, l + 1});
      all = sum(all, part.value_or(Cost{.uncovered = 1000}));
      first = l + 1;
    }
    if (less(all, best)) best = all;
  }
  return best;
}

/// Up to ten nodes; each reads one or two earlier tensors.
std::string random_network(std::mt19937& random) {
  constexpr std::array kUnary = {"Relu", "Neg", "Tanh"}, kBinary = {"Add", "Mul", "Sub"};
  const unsigned nodes = 3 + random() % 8;
  std::vector<bool> read(nodes + 1, false);
  const auto tensor = [&](unsigned i) {
    const unsigned t = random() % 2 == 0 ? i : static_cast<unsigned>(random() % (i + 1));
    read[t] = true;
    return fmt::format("t{}", t);
  };
  std::string out = "graph main\n input t0[2,4]\n";
  for (unsigned i = 0; i < nodes; ++i)
    if (random() % 2 == 0)
      out += fmt::format("n{}: {}({}) -> t{}\n", i, kUnary[random() % 3], tensor(i), i + 1);
    else
      out += fmt::format("n{}: {}({}, {}) -> t{}\n", i, kBinary[random() % 3], tensor(i), tensor(i),
                         i + 1);
  out += "output";
  for (unsigned t = 1; t <= nodes; ++t)
    if (!read[t]) out += fmt::format(" t{}", t);
  return out;
}

/// Up to twelve bricks of one to four layers with up to four times; one in four is lost.
void add_random_bricks(std::mt19937& random, std::uint32_t layers, CoverSuite& suite) {
  for (std::size_t count = random() % 13; count > 0; --count) {
    const auto first = static_cast<std::uint32_t>(random() % layers);
    const auto last = std::min(layers, first + 1 + static_cast<std::uint32_t>(random() % 4));
    if (random() % 4 == 0) {
      suite.lose(first, last);
      continue;
    }
    CoverSuite::Times ns(1 + random() % 4);
    const unsigned scale = random() % 2 == 0 ? 10'000 : 1'000'000;
    for (std::int64_t& t : ns) t = static_cast<std::int64_t>(1000 + random() % scale);
    suite.measure(first, last, ns);
  }
}

/// Fails unless every layer is in one part, in order, and each part has the time of its key.
/// Returns the cost of the parts.
Cost checked_cost(const CoverSuite& suite, const BrickTimes& times,
                  const std::vector<CoverPart>& parts, std::uint32_t layers) {
  std::uint32_t at = 0;
  Cost all;
  for (const CoverPart& part : parts) {
    EXPECT_EQ(part.piece.first, at);
    EXPECT_GT(part.piece.last, at);
    EXPECT_EQ(part.form.key, suite.key(part.piece));
    EXPECT_EQ(part.time, times.find(part.form.key));
    const std::optional<Cost> cost = cost_of(suite, part.piece.first, part.piece.last);
    EXPECT_TRUE(cost) << "no brick of layers " << part.piece.first << " to " << part.piece.last;
    if (cost) all = sum(all, *cost);
    at = part.piece.last;
  }
  EXPECT_EQ(at, layers);
  return all;
}

TEST(Cover, OfRandomNetworksCostsLeastOfAllWaysToCutThem) {
  std::mt19937 random(7);
  int complete = 0, partial = 0, joined = 0, lost = 0;
  for (int round = 0; round < 400; ++round) {
    const std::string text = random_network(random);
    const Network n = crafted(text);
    const auto layers = static_cast<std::uint32_t>(n.layers.size());
    CoverSuite suite(n);
    add_random_bricks(random, layers, suite);
    SCOPED_TRACE(fmt::format("round {}\n{}\n{}", round, text, covered(n, suite)));
    const BrickTimes times = suite.times();
    const std::vector<CoverPart> parts = cover(n, suite.cutter(), times);
    const Cost cost = checked_cost(suite, times, parts, layers);
    const Cost best = smallest_cost(suite, layers);
    EXPECT_EQ(cost.uncovered, best.uncovered);
    EXPECT_EQ(cost.lost, best.lost);
    EXPECT_NEAR(cost.variance, best.variance, 1e-9 * best.variance);
    if (::testing::Test::HasFailure()) return;
    ++(best.uncovered == 0 ? complete : partial);
    joined += parts.size() < layers ? 1 : 0;
    lost += best.lost > 0 ? 1 : 0;
  }
  EXPECT_GT(complete, 20);
  EXPECT_GT(partial, 100);
  EXPECT_GT(joined, 100);
  EXPECT_GT(lost, 50);
}

}  // namespace
}  // namespace ridge::bricks
