// SPDX-License-Identifier: Apache-2.0
#include "bricks/paired_gain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <random>
#include <utility>

namespace ridge::bricks {
namespace {

/// Pieces with the times that they have in each of four processes.
class Pieces {
 public:
  /// `of_process`: factor of each process.
  PieceTime piece(double ns, double in_run_ns, const std::vector<double>& of_process) {
    ProcessTimes& times = kept_.emplace_back();
    for (std::uint32_t p = 0; p < of_process.size(); ++p)
      times.push_back({.process = p, .ns = ns * of_process[p], .runs = 4});
    return {.times = &times, .count = 1, .ns = mean(times), .in_run_ns = in_run_ns};
  }

 private:
  std::deque<ProcessTimes> kept_;
};

const std::vector<double> kEven = {1, 1, 1, 1};

TEST(PairedGain, IsAsTheExampleSays) {
  Pieces made;
  ModelAndCopy pieces;
  for (int i = 0; i < 5; ++i) pieces.before.push_back(made.piece(2, 2.4, kEven));
  for (int i = 0; i < 5; ++i) pieces.after.push_back(made.piece(1.8, 0, kEven));
  const PairedGain gain = paired_gain(pieces);
  EXPECT_EQ(gain.factor, 1);
  // q = 8 %, var(f) = 0.05^2: v_1 = 0.128 + 0.25, v_2 = 0.09.
  EXPECT_NEAR(gain.share, 0.378 / 0.468, 1e-9);
  EXPECT_NEAR(gain.ns, 12 - 9 - 0.378 / 0.468 * 2 * 0.9, 1e-9);
}

// Bricks are a fifth short, as they are where a classifier's weights come from memory in the model
// and from a cache in bricks. The shared pieces show it.
TEST(PairedGain, CalibratesBricksOnTheSharedPieces) {
  Pieces made;
  ModelAndCopy pieces;
  for (int i = 0; i < 40; ++i) pieces.shared.push_back(made.piece(80, 100, kEven));
  pieces.before.push_back(made.piece(8, 10, kEven));
  pieces.after.push_back(made.piece(4, 0, kEven));
  const PairedGain gain = paired_gain(pieces);
  EXPECT_NEAR(gain.factor, 1.25, 0.02);
  EXPECT_NEAR(gain.ns, 5, 0.1);  // uncalibrated: 6
}

// Outputs that are kept cost memory that bricks do not allocate: what the run has above its bricks
// goes with the defect.
TEST(PairedGain, TakesWhatBricksDoNotShowForTheDefect) {
  Pieces made;
  ModelAndCopy pieces;
  for (int i = 0; i < 60; ++i)
    pieces.shared.push_back(made.piece(1, i % 2 == 0 ? 1.01 : 0.99, kEven));
  for (int i = 0; i < 6; ++i) {
    pieces.before.push_back(made.piece(1, 1.7, kEven));
    pieces.after.push_back(made.piece(0.5, 0, kEven));
  }
  const PairedGain gain = paired_gain(pieces);
  EXPECT_NEAR(gain.ns, 7.2, 0.15);  // of bricks alone: 3
  EXPECT_LT(gain.share, 0.1);
}

// An edit of little: the pieces take a tenth longer in the model, with it and without.
TEST(PairedGain, OfASmallChangeIsThatOfItsBricks) {
  Pieces made;
  ModelAndCopy pieces;
  for (int i = 0; i < 10; ++i) {
    pieces.before.push_back(made.piece(10, 11, kEven));
    pieces.after.push_back(made.piece(9.8, 0, kEven));
  }
  const PairedGain gain = paired_gain(pieces);
  EXPECT_NEAR(gain.ns, 2.2, 0.15);  // 110 * (1 - 98 / 100); latency less estimate: 12
  EXPECT_GT(gain.share, 0.98);
}

TEST(PairedGain, LosesWhatProcessesHaveInCommon) {
  const std::vector<double> slow = {0.9, 1.1, 0.95, 1.05}, other = {1.1, 0.9, 1.05, 0.95};
  const auto half = [&](const std::vector<double>& of_after) {
    Pieces made;
    ModelAndCopy pieces;
    for (int i = 0; i < 40; ++i) pieces.shared.push_back(made.piece(10, 10, slow));
    for (int i = 0; i < 10; ++i) {
      pieces.before.push_back(made.piece(10, 10, slow));
      pieces.after.push_back(made.piece(9, 0, of_after));
    }
    return paired_gain(pieces).half_ns;
  };
  EXPECT_LT(3 * half(slow), half(other));
}

TEST(PairedGain, HasNoIntervalFromOneProcess) {
  Pieces made;
  ModelAndCopy pieces;
  pieces.before.push_back(made.piece(10, 10, {1}));
  pieces.after.push_back(made.piece(5, 0, {1}));
  EXPECT_TRUE(std::isnan(paired_gain(pieces).half_ns));
  EXPECT_EQ(paired_gain({}).ns, 0);
}

/// A model of 60 pieces of which an edit changes some, measured on a machine with the errors that
/// measurements have.
struct Draw {
  std::mt19937_64& random;
  double shown = 1;  ///< part of the defect's cost that bricks show

  double normal(double deviation) { return std::normal_distribution<double>(0, deviation)(random); }

  /// The predicted gain beside the one that a check finds.
  std::pair<PairedGain, double> gain(std::size_t changed, double defect) {
    Pieces made;
    ModelAndCopy pieces{.run_half_share = 0.01};
    const double of_suite = 1 + normal(0.03), of_run = 1 + normal(0.005);
    std::vector<double> process;
    for (int p = 0; p < 4; ++p) process.push_back(of_suite * (1 + normal(0.02)));
    const auto measured = [&] {
      std::vector<double> out = process;
      for (double& p : out) p *= 1 + normal(0.02);
      return out;
    };
    double after = 0, before = 0;
    for (std::size_t i = 0; i < 60; ++i) {
      const double ns = 50 + 100 * static_cast<double>(random() % 100) / 100;
      const double in_model = 1 + normal(0.06);  // of this kind of piece, beside its brick
      if (i >= changed) {
        pieces.shared.push_back(made.piece(ns, ns * in_model * of_run, measured()));
        continue;
      }
      const double cost = ns * defect * (1 + normal(0.2));
      const double run_before = ns * in_model + cost;
      pieces.before.push_back(made.piece(ns + shown * cost, run_before * of_run, measured()));
      pieces.after.push_back(made.piece(ns, 0, measured()));
      before += run_before;
      after += ns * in_model;
    }
    return {paired_gain(pieces), (before - after) * (1 + normal(0.03))};
  }
};

TEST(PairedGain, IntervalsHoldWhereTheTruthIsKnown) {
  std::mt19937_64 random(11);
  for (const double shown : {1.0, 0.8})
    for (const std::size_t changed : {5U, 20U, 50U})
      for (const double defect : {0.1, 0.5, 1.5}) {
        int held = 0;
        double error = 0;
        for (int i = 0; i < 200; ++i) {
          const auto [gain, truth] = Draw{random, shown}.gain(changed, defect);
          if (std::abs(gain.ns - truth) <= gain.half_ns) ++held;
          error += gain.ns / truth / 200;
        }
        EXPECT_GE(held, 180) << shown << " " << changed << " " << defect;
        EXPECT_NEAR(error, 1, 0.16) << shown << " " << changed << " " << defect;
      }
}

}  // namespace
}  // namespace ridge::bricks
