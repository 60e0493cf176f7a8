// SPDX-License-Identifier: Apache-2.0
// Estimates of made-up networks from made-up times: sums and intervals worked out by hand, critical
// paths against all paths.
#include "bricks/estimate.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "bricks/piece_size.h"
#include "bricks/planner.h"
#include "bricks/testing.h"
#include "bricks/whole.h"
#include "zoo/source.h"

namespace ridge::bricks {
namespace {

using testing::crafted;
using testing::kHost;
using testing::must;

/// Processes whose events cost nothing, and the bricks in them.
class EstimateSuite {
 public:
  using Times = std::vector<std::int64_t>;  ///< by process

  /// Time outside kernels, by process.
  explicit EstimateSuite(const Network& network, const Times& outside) : network_(network) {
    for (const std::int64_t ns : outside) {
      profile::SuiteProcess& p = processes_.emplace_back();
      for (const std::uint32_t kernels : {20U, 60U})
        p.chains.push_back(
            {kernels, 0, ns + kernels * 1000, ns + kernels * 1000, kernels * 1000, 0});
    }
  }

  /// Adds the brick of layers [first, last), unless an equal one is there.
  void measure(std::uint32_t first, std::uint32_t last, const Times& ns) {
    add_runs(fresh(Cutter(network_).piece(first, last)), ns, 1);
  }
  /// Adds the network as one brick.
  void measure_whole(const Times& ns) {
    add_runs(fresh(whole_piece(network_, Cutter(network_)).value()), ns, 0);
  }
  void lose(std::uint32_t first, std::uint32_t last, const std::string& why) {
    const std::optional<profile::SuiteBrick> brick = fresh(Cutter(network_).piece(first, last));
    if (!brick) return;
    processes_[0].bricks.push_back(*brick);
    processes_[0].lost.push_back({brick->key, why});
  }

  BrickTimes times() const { return BrickTimes(processes_, kHost); }
  ModelEstimate estimate(const BoundOf& bound = {}) const {
    return bricks::estimate(network_, times(), bound);
  }

 private:
  void add_runs(const std::optional<profile::SuiteBrick>& brick, const Times& ns,
                std::uint32_t events) {
    for (std::size_t p = 0; brick && p < ns.size(); ++p) {
      processes_[p].bricks.push_back(*brick);
      processes_[p].bricks.back().runs = {{0, ns[p], events, 0}};
    }
  }
  std::optional<profile::SuiteBrick> fresh(const Piece& piece) {
    const Form form = must(canonical_form(network_, piece));
    if (!keys_.insert(form.key).second) return std::nullopt;
    const BrickSize size = size_of(network_, piece, form);
    return profile::SuiteBrick{
        .key = form.key, .kind = size.kind, .macs = size.macs, .bytes = size.bytes};
  }

  const Network& network_;
  std::vector<profile::SuiteProcess> processes_;
  std::set<std::string> keys_;
};

/// Rows of nodes and sources: "0 1 measured; 2 missing (no time)".
std::string described(const ModelEstimate& e) {
  std::string out;
  for (const EstimatedLayer& l : e.layers)
    out += fmt::format("{}{} {}{}", out.empty() ? "" : "; ", fmt::join(l.nodes, " "),
                       word(l.source), l.why.empty() ? "" : " (" + l.why + ")");
  return out;
}

/// Half an interval with what cuts add to it: a part of the sum; runs without spread add no states.
double with_cut(double half, double median) { return std::hypot(half, 1.959964 * 0.01 * median); }

/// The interval of `e` is median -+ half, and the part of cuts.
void expect_interval(const stats::Estimate& e, double median, double half) {
  half = with_cut(half, median);
  EXPECT_NEAR(e.value, median, 1e-6 * median);
  EXPECT_NEAR(e.low(), median - half, 1e-3 * half);
  EXPECT_NEAR(e.high(), median + half, 1e-3 * half);
}

void expect_unknown(const stats::Estimate& e) {
  EXPECT_TRUE(std::isnan(e.value) && std::isnan(e.low()) && std::isnan(e.high()));
}

constexpr std::string_view kRepeatedChain = R"(graph main
  input x[2,4]
  a: Relu(x) -> ta
  b: Neg(ta) -> tb
  c: Relu(tb) -> tc
  d: Softmax(tc) -> y
  output y)";

/// Student's 97.5 % quantile for 2 degrees of freedom (any table).
constexpr double kThreeProcesses = 4.302653;

TEST(Estimate, IsTheSumOfThePartsAndTheTimeOutside) {
  // The example of spread.h, in half: 2 a + b, and 3 ns outside. u = 0, +-(2 * 10 + 1) / 3 = +-7;
  // variance 3 / 2 * 2 * 49 = 147.
  const Network n = crafted(kRepeatedChain);
  EstimateSuite suite(n, {3, 3, 3});
  suite.measure(0, 1, {100, 110, 90});
  suite.measure(1, 2, {10, 11, 9});
  suite.measure(3, 4, {50, 50, 50});
  const ModelEstimate e = suite.estimate();
  EXPECT_EQ(described(e), "0 measured; 1 measured; 2 measured; 3 measured");
  EXPECT_EQ(e.layers[0].brick, e.layers[2].brick);
  EXPECT_NE(e.layers[0].brick, e.layers[1].brick);
  expect_interval(e.total, 2 * 100 + 10 + 50 + 3, kThreeProcesses * std::sqrt(147.0));
  // Of a alone: u = 0, +-10 / 3; variance 3 / 2 * 200 / 9.
  expect_interval(e.layers[2].time, 100, kThreeProcesses * std::sqrt(300.0 / 9));
  EXPECT_NEAR(e.outside.value, 3, 1e-9);
  EXPECT_NEAR(e.critical_path_ns, e.total.value, 1e-9);
  EXPECT_EQ(e.measured_share, 1);
  EXPECT_EQ(e.predicted_share, 0);
  EXPECT_EQ(e.missing, 0U);
}

TEST(Estimate, OfAModelThatIsOneBrickIsItsTime) {
  const Network n = crafted(kRepeatedChain);
  EstimateSuite suite(n, {3, 3, 3});
  suite.measure(0, 1, {100, 110, 90});
  suite.measure(1, 2, {10, 11, 9});
  suite.measure_whole({200, 210, 190});
  const ModelEstimate e = suite.estimate();
  EXPECT_EQ(described(e), "0 1 2 3 measured");
  // u = 0, +-10 / 3; variance 3 / 2 * 200 / 9.
  expect_interval(e.total, 200, kThreeProcesses * std::sqrt(300.0 / 9));
  EXPECT_EQ(e.outside.value, 0);
  EXPECT_NEAR(e.critical_path_ns, 200, 1e-9);
}

TEST(Estimate, HasTheIntervalOfItsTerms) {
  const Network n = crafted(kRepeatedChain);
  EstimateSuite suite(n, {300, 320, 340, 310});
  suite.measure(0, 1, {1000, 1100, 1050});
  suite.measure(1, 2, {5000, 5500});
  suite.measure(3, 4, {700, 650, 800, 710});
  const ProcessTimes relu = {{0, 1000, 1}, {1, 1100, 1}, {2, 1050, 1}},
                     neg = {{0, 5000, 1}, {1, 5500, 1}},
                     softmax = {{0, 700, 1}, {1, 650, 1}, {2, 800, 1}, {3, 710, 1}},
                     outside = {{0, 300, 1}, {1, 320, 1}, {2, 340, 1}, {3, 310, 1}};
  const std::array<Term, 4> terms = {Term{&relu, 2}, {&neg, 1}, {&softmax, 1}, {&outside, 1}};
  const stats::Estimate expected = sum_of(terms), total = suite.estimate().total;
  EXPECT_NEAR(total.value, expected.value, 1e-6);
  const double half = with_cut(expected.high() - expected.value, expected.value);
  EXPECT_NEAR(total.low(), expected.value - half, 1e-3);
  EXPECT_NEAR(total.high(), expected.value + half, 1e-3);
}

TEST(Estimate, HasNoIntervalFromOneProcess) {
  const Network n = crafted(kRepeatedChain);
  EstimateSuite suite(n, {300, 300});
  for (std::uint32_t l = 0; l < 4; ++l) suite.measure(l, l + 1, {1000});
  const ModelEstimate e = suite.estimate();
  EXPECT_NEAR(e.total.value, 4300, 1e-6);
  EXPECT_TRUE(std::isnan(e.total.low()) && std::isnan(e.total.high()));
  EXPECT_NEAR(e.critical_path_ns, 4300, 1e-6);
}

constexpr const char* kUnlike =
    "it was not planned, and too few bricks like it were measured to predict it";

TEST(Estimate, HasNoTotalIfALayerIsMissing) {
  const Network n = crafted(kRepeatedChain);
  EstimateSuite suite(n, {300, 300});
  suite.measure(0, 1, {1000, 1000});
  suite.measure(1, 2, {500, 500});
  const ModelEstimate e = suite.estimate();
  EXPECT_EQ(described(e),
            fmt::format("0 measured; 1 measured; 2 measured; 3 missing ({})", kUnlike));
  EXPECT_EQ(e.missing, 1U);
  expect_unknown(e.total);
  expect_unknown(e.layers[3].time);
  EXPECT_TRUE(std::isnan(e.critical_path_ns));
  EXPECT_EQ(e.measured_share, 0);
  EXPECT_NE(e.layers[3].brick, "");
  EXPECT_NEAR(e.layers[2].time.value, 1000, 1e-6);
  EXPECT_NEAR(e.outside.value, 300, 1e-6);
}

TEST(Estimate, OfNothingMeasuredMissesEverything) {
  const Network n = crafted(kRepeatedChain);
  const ModelEstimate nothing = estimate(n, {});
  EXPECT_EQ(
      described(nothing),
      fmt::format("0 missing ({0}); 1 missing ({0}); 2 missing ({0}); 3 missing ({0})", kUnlike));
  EXPECT_EQ(nothing.missing, 4U);
  expect_unknown(nothing.total);
  expect_unknown(nothing.outside);
  // A lost brick without any other to predict it from.
  EstimateSuite suite(n, {300});
  suite.lose(0, 4, "it crashed");
  EXPECT_EQ(described(suite.estimate()),
            "0 1 2 3 missing (it crashed, and too few bricks like it were measured to predict it)");
  expect_unknown(suite.estimate().total);
}

/// Two products of equal size, of which one transposes its weights.
constexpr std::string_view kProducts = R"(graph main
  input x[8,8]
  constant v[8,8] w[8,8]
  a: Gemm(x, v) -> ta
  b: Gemm(ta, w) {transB=1} -> tb
  c: Relu(tb) -> y
  output y)";

TEST(Estimate, PredictsABrickThatNoPlanHasFromOneOfEqualKind) {
  const Network n = crafted(kProducts);
  EstimateSuite suite(n, {100, 100, 100});
  suite.measure(0, 1, {3000, 3100, 2900});
  suite.measure(2, 3, {500, 500, 500});
  const ModelEstimate e = suite.estimate();
  EXPECT_EQ(described(e), "0 measured; 1 predicted (it was not planned); 2 measured");
  EXPECT_EQ(e.missing, 0U);
  EXPECT_EQ(e.predicted, 1U);
  EXPECT_NEAR(e.total.value, 6600, 1e-6);
  EXPECT_NEAR(e.predicted_share, 3000.0 / 6500, 1e-9);
  EXPECT_GT(e.total.high() - e.total.value, 1000);  // of one brick alone: a factor of four or so
}

TEST(Estimate, PredictsALostBrickFromOneOfEqualKindAndSize) {
  const Network n = crafted(kProducts);
  EstimateSuite suite(n, {100, 100, 100});
  suite.measure(0, 1, {3000, 3100, 2900});
  suite.lose(1, 2, "the budget was spent");
  suite.measure(2, 3, {500, 500, 500});
  const ModelEstimate e = suite.estimate();
  EXPECT_EQ(described(e), "0 measured; 1 predicted (the budget was spent); 2 measured");
  const stats::Estimate predicted = e.layers[1].time;
  EXPECT_NEAR(predicted.value, 3000, 1e-6);
  EXPECT_LT(predicted.low(), 2000);
  EXPECT_GT(predicted.high(), 4000);
  EXPECT_EQ(e.missing, 0U);
  EXPECT_NEAR(e.measured_share, 3500.0 / 6500, 1e-9);
  EXPECT_NEAR(e.predicted_share, 3000.0 / 6500, 1e-9);
  EXPECT_NEAR(e.critical_path_ns, 6600, 1e-6);
  // Both variances: measured u = 0, +-100 / 3, and the wider side of the prediction.
  const double measured = kThreeProcesses * std::sqrt(1.5 * 2 * 100 * 100 / 9);
  const double half = std::hypot(measured, predicted.high() - 3000);
  EXPECT_NEAR(e.total.value, 6600, 1e-6);
  EXPECT_NEAR(e.total.high(), 6600 + half, 1e-3 * half);
  EXPECT_NEAR(e.total.low(), std::max(0.0, 6600 - half), 1e-3 * half);
}

TEST(Estimate, CountsTheErrorOfAPredictionAtEachOccurrence) {
  // The second and the third product are the same brick: what is wrong at one is wrong at both.
  const Network n = crafted(R"(graph main
    input x[8,8]
    constant u[8,8] v[8,8] w[8,8]
    a: Gemm(x, u) -> ta
    b: Gemm(ta, v) {transB=1} -> tb
    c: Gemm(tb, w) {transB=1} -> y
    output y)");
  EstimateSuite suite(n, {100, 100, 100});
  suite.measure(0, 1, {3000, 3000, 3000});
  suite.lose(1, 2, "it crashed");
  const ModelEstimate e = suite.estimate();
  ASSERT_EQ(described(e), "0 measured; 1 predicted (it crashed); 2 predicted (it crashed)");
  EXPECT_EQ(e.layers[1].brick, e.layers[2].brick);
  EXPECT_NEAR(e.total.value, 9100, 1e-6);
  const double half = 2 * (e.layers[1].time.high() - 3000);
  EXPECT_NEAR(e.total.high(), 9100 + half, 1e-3 * half);
}

TEST(Estimate, PredictsAPieceOfSeveralLayersAsOne) {
  const Network n = crafted(kProducts);
  EstimateSuite suite(n, {100, 100});
  suite.measure(0, 1, {3000, 3000});
  suite.lose(1, 3, "it crashed");
  const ModelEstimate e = suite.estimate();
  EXPECT_EQ(described(e), "0 measured; 1 2 predicted (it crashed)");
  EXPECT_NEAR(e.total.value, 100 + 3000 + e.layers[1].time.value, 1e-6);
}

TEST(Estimate, PredictsNothingBelowItsBound) {
  const Network n = crafted(kProducts);
  EstimateSuite suite(n, {100, 100});
  suite.measure(0, 1, {3000, 3000});
  suite.lose(1, 2, "it crashed");
  suite.measure(2, 3, {500, 500});
  std::vector<std::uint32_t> asked;
  const ModelEstimate e = suite.estimate([&](const Piece& piece) {
    asked.push_back(piece.first);
    EXPECT_EQ(piece.macs, 8 * 8 * 8);
    return 50'000.0;
  });
  EXPECT_EQ(asked, std::vector<std::uint32_t>{1});
  EXPECT_GE(e.layers[1].time.value, 50'000);
  EXPECT_GE(e.layers[1].time.low(), 50'000);
  EXPECT_NEAR(e.total.value, 100 + 3000 + 500 + e.layers[1].time.value, 1e-6);
  // A bound does not raise what was measured.
  EXPECT_NEAR(e.layers[0].time.value, 3000, 1e-6);
  // One below the prediction's interval changes nothing.
  EXPECT_NEAR(suite.estimate([](const Piece&) { return 1.0; }).total.value, 6600, 1e-6);
}

TEST(Estimate, HasTheLongestPathAsCriticalPath) {
  const Network n = crafted(R"(graph main
    input x[2,4]
    a: Relu(x) -> ta
    b: Neg(ta) -> tb
    c: Tanh(ta) -> tc
    d: Exp(tc) -> td
    e: Add(tb, td) -> y
    output y)");
  EstimateSuite suite(n, {50, 50});
  ASSERT_EQ(testing::layers(n), "a b c d e");
  constexpr std::array kNs = {100, 700, 200, 400, 30};
  for (std::uint32_t l = 0; l < 5; ++l) suite.measure(l, l + 1, {kNs[l], kNs[l]});
  const ModelEstimate e = suite.estimate();
  EXPECT_NEAR(e.total.value, 1480, 1e-6);
  EXPECT_NEAR(e.critical_path_ns, 100 + 700 + 30 + 50, 1e-6);  // a b e
}

/// A network whose nodes read random earlier tensors; tensor 0 is its input.
struct Branches {
  std::vector<std::vector<unsigned>> reads;  // tensors, by node; node i makes tensor i + 1

  explicit Branches(std::mt19937& random) : reads(2 + random() % 9) {
    for (unsigned i = 0; i < reads.size(); ++i)
      for (unsigned k = 1 + static_cast<unsigned>(random() % 2); k > 0; --k)
        reads[i].push_back(static_cast<unsigned>(random() % (i + 1)));
  }
  std::string text() const {
    constexpr std::array kUnary = {"Relu", "Neg", "Tanh", "Exp", "Sigmoid"},
                         kBinary = {"Add", "Mul", "Sub", "Div", "Max"};
    std::string out = "graph main\n input t0[2,4]\n", outputs;
    for (unsigned i = 0; i < reads.size(); ++i)
      out += fmt::format("n{}: {}(t{}) -> t{}\n", i,
                         reads[i].size() == 1 ? kUnary[i % 5] : kBinary[i % 5],
                         fmt::join(reads[i], ", t"), i + 1);
    for (unsigned t = 1; t <= reads.size(); ++t)
      if (std::ranges::none_of(reads, [&](const auto& r) { return std::ranges::count(r, t); }))
        outputs += fmt::format(" t{}", t);
    return out + "output" + outputs;
  }
};

/// Longest way to the end of a part, by trying every way back.
double longest(const Branches& network, const ModelEstimate& e,
               const std::vector<std::size_t>& part_of, std::size_t part) {
  double before = 0;
  for (const graph::NodeId node : e.layers[part].nodes)
    for (const unsigned tensor : network.reads[node])
      if (tensor > 0 && part_of[tensor - 1] != part)
        before = std::max(before, longest(network, e, part_of, part_of[tensor - 1]));
  return before + e.layers[part].time.value;
}

TEST(Estimate, OfRandomBranchesHasTheLongestOfAllPaths) {
  std::mt19937 random(3);
  int shorter = 0, joined = 0;
  for (int round = 0; round < 300; ++round) {
    const Branches branches(random);
    SCOPED_TRACE(branches.text());
    const Network n = crafted(branches.text());
    EstimateSuite suite(n, {50, 50});
    const auto layers = static_cast<std::uint32_t>(n.layers.size());
    for (std::uint32_t first = 0, last = 0; first < layers; first = last) {
      last = std::min(layers, first + (random() % 3 == 0 ? 2U : 1U));
      const auto ns = static_cast<std::int64_t>(1000 + random() % 9000);
      suite.measure(first, last, {ns, ns});
    }
    const ModelEstimate e = suite.estimate();
    ASSERT_EQ(e.missing, 0U);
    std::vector<std::size_t> part_of(layers);
    for (std::size_t p = 0; p < e.layers.size(); ++p)
      for (const graph::NodeId node : e.layers[p].nodes) part_of.at(node) = p;
    double path = 0, sum = 50;
    for (std::size_t p = 0; p < e.layers.size(); ++p) {
      path = std::max(path, longest(branches, e, part_of, p));
      sum += e.layers[p].time.value;
    }
    EXPECT_NEAR(e.critical_path_ns, path + 50, 1e-6);
    EXPECT_NEAR(e.total.value, sum, 1e-6);
    shorter += path + 50 < sum - 1 ? 1 : 0;
    joined += e.layers.size() < layers ? 1 : 0;
  }
  EXPECT_GT(shorter, 100);
  EXPECT_GT(joined, 100);
}

/// Adds one run of every brick of a plan: 1,000 ns and one more per MAC.
void add_bricks(const Plan& plan, profile::SuiteProcess& process) {
  for (const Brick& b : plan.bricks) {
    const BrickSize size = size_of(b);
    process.bricks.push_back({.key = b.key,
                              .kind = size.kind,
                              .macs = size.macs,
                              .bytes = size.bytes,
                              .runs = {{0, 1000 + size.macs, 1, 0}}});
  }
}

/// Fails unless each node is in one layer and the total equals the MACs. Returns the number of
/// layers.
std::size_t expect_from_macs(const Network& n, const profile::SuiteProcess& process) {
  const ModelEstimate e = estimate(n, BrickTimes(std::span(&process, 1), kHost));
  EXPECT_EQ(e.missing, 0U);
  std::vector<int> places(n.resolved.model().nodes().size(), 0);
  for (const EstimatedLayer& l : e.layers)
    for (const graph::NodeId node : l.nodes) ++places.at(node);
  for (const LeftOverNode& l : n.left_over) ++places.at(l.node);
  EXPECT_EQ(std::ranges::count(places, 1), std::ssize(places));
  EXPECT_EQ(e.total.value, static_cast<double>(n.resolved.totals().macs.value()) +
                               1000.0 * static_cast<double>(e.layers.size()));
  return e.layers.size();
}

TEST(EstimateSlow, OfAPlannedNetworkHasBricksOfEveryGranularity) {
  for (const std::string name : {"zoo:resnet18", "zoo:squeezenet1_1"}) {
    SCOPED_TRACE(name);
    LOAD_OR_SKIP(n,
                 testing::resolved_document(must(zoo::open_model(name)), zoo::default_sizes(name)));
    Loader loader = testing::make_loader();
    profile::SuiteProcess none, all;
    none.chains.push_back({20, 0, 20'000, 20'000, 20'000, 0});
    all = none;
    std::set<std::size_t> sizes;
    for (const std::uint32_t layers : {1U, 3U, 0U}) {
      Planner planner(loader, {.layers = layers}, {},
                      [](const onnx::Document&, const std::string&) {
                        return Result<FileDigest>(FileDigest{});
                      });
      must(planner.add({.name = name}, *n));
      profile::SuiteProcess one = none;
      add_bricks(planner.plan(), one);
      add_bricks(planner.plan(), all);
      sizes.insert(expect_from_macs(*n, one));
      expect_from_macs(*n, all);
    }
    EXPECT_EQ(sizes.size(), 3U);
  }
}

}  // namespace
}  // namespace ridge::bricks
