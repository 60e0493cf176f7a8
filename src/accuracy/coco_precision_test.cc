// SPDX-License-Identifier: Apache-2.0
// Oracle: pycocotools, run on the same boxes; for the weights of images, the same images written
// out as often as they weigh.
#include "accuracy/coco_precision.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "accuracy/testing.h"
#include "stats/random.h"

namespace ridge::accuracy {
namespace {

struct CocoCase {
  std::size_t images = 0, categories = 0;
  std::vector<TrueBox> truths;
  std::vector<FoundBox> found;
};

/// Whole sizes of few values make overlaps that equal a threshold, and areas at the ranges' ends.
Box random_box(stats::Random& random, double scale) {
  const auto side = [&] { return std::floor(random.uniform() * 12) * scale; };
  const auto place = [&] { return std::floor(random.uniform() * 8) * scale; };
  return {place(), place(), side(), side()};
}

Box moved(Box box, stats::Random& random, double scale) {
  const auto by = [&] { return (static_cast<double>(random.below(5)) - 2) * scale / 2; };
  return {box.x + by(), box.y + by(), box.width + by(), box.height + by()};
}

CocoCase random_coco_case(std::uint64_t seed) {
  stats::Random random(seed);
  CocoCase c;
  c.images = 1 + random.below(5);
  c.categories = 1 + random.below(3);
  const double scale = std::vector<double>{1, 4, 16, 32}[random.below(4)];
  const std::size_t scores = random.below(2) == 0 ? 5 : 1000000;  // few make ties
  const auto category = [&] { return static_cast<std::int64_t>(random.below(c.categories)); };
  for (std::size_t n = random.below(25); n-- > 0;) {
    TrueBox truth{random.below(c.images), category(), random_box(random, scale), {}, false};
    truth.area = truth.box.width * truth.box.height * (random.below(3) == 0 ? 0.5 : 1);
    truth.ignored = random.below(6) == 0;
    c.truths.push_back(truth);
  }
  // Some cases exceed 100 detections of an image and category.
  for (std::size_t n = random.below(random.below(20) == 0 ? 600 : 60); n-- > 0;) {
    FoundBox found{random.below(c.images), category(), random_box(random, scale), 0};
    if (!c.truths.empty() && random.below(3) > 0) {
      const TrueBox& near = c.truths[random.below(c.truths.size())];
      found = {near.image, near.category, moved(near.box, random, scale), 0};
    }
    found.score = static_cast<double>(random.below(scores)) / static_cast<double>(scores);
    c.found.push_back(found);
  }
  return c;
}

std::string coco_json(const CocoCase& c) {
  std::string truths, found;
  for (const TrueBox& t : c.truths)
    truths +=
        fmt::format("{}[{},{},{},{},{},{},{},{}]", truths.empty() ? "" : ",", t.image, t.category,
                    t.box.x, t.box.y, t.box.width, t.box.height, *t.area, t.ignored ? 1 : 0);
  for (const FoundBox& f : c.found)
    found += fmt::format("{}[{},{},{},{},{},{},{}]", found.empty() ? "" : ",", f.image, f.category,
                         f.box.x, f.box.y, f.box.width, f.box.height, f.score);
  return fmt::format("{{\"images\":{},\"categories\":{},\"truths\":[{}],\"found\":[{}]}}\n",
                     c.images, c.categories, truths, found);
}

CocoPrecision evaluated(const CocoCase& c) {
  return CocoPrecision::make(c.images, c.truths, c.found).value();
}

/// As pycocotools writes it.
double or_minus_one(double value) { return std::isnan(value) ? -1 : value; }

TEST(CocoPrecisionSlow, EqualsPycocotools) {
  constexpr std::uint64_t kCases = 1000;
  std::string cases;
  for (std::uint64_t seed = 1; seed <= kCases; ++seed) cases += coco_json(random_coco_case(seed));
  const auto answer = testing::run_oracle("coco_oracle.py", cases);
  if (!answer) GTEST_SKIP() << testing::kNoOracles;
  std::istringstream lines(*answer);
  double largest = 0;
  for (std::uint64_t seed = 1; seed <= kCases; ++seed) {
    const CocoCase c = random_coco_case(seed);
    const CocoPrecision coco = evaluated(c);
    for (std::size_t i = 0; i < kCocoFigures; ++i) {
      double expected = 0;
      ASSERT_TRUE(lines >> expected) << "case " << seed;
      const double value = or_minus_one(coco.value(static_cast<CocoFigure>(i)));
      ASSERT_NEAR(value, expected, 1e-9) << "case " << seed << ", figure " << i;
      largest = std::max(largest, std::abs(value - expected));
    }
  }
  RecordProperty("largest_difference", fmt::format("{}", largest));
}

TEST(CocoPrecision, WeightsAreCopiesOfImages) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CocoCase c = random_coco_case(seed);
    stats::Random random(seed);
    for (FoundBox& f : c.found) f.score = random.uniform();  // the order of ties would differ
    std::vector<std::uint32_t> weights(c.images);
    for (auto& w : weights) w = static_cast<std::uint32_t>(random.below(4));
    CocoCase copies;
    copies.categories = c.categories;
    for (std::size_t image = 0; image < c.images; ++image)
      for (std::uint32_t copy = 0; copy < weights[image]; ++copy, ++copies.images) {
        for (TrueBox t : c.truths)
          if (t.image == image) copies.truths.push_back((t.image = copies.images, t));
        for (FoundBox f : c.found)
          if (f.image == image) copies.found.push_back((f.image = copies.images, f));
      }
    const CocoPrecision once = evaluated(c), written_out = evaluated(copies);
    for (std::size_t i = 0; i < kCocoFigures; ++i) {
      const auto figure = static_cast<CocoFigure>(i);
      EXPECT_NEAR(or_minus_one(once.value(figure, weights)),
                  or_minus_one(written_out.value(figure)), 1e-12)
          << "case " << seed << ", figure " << i;
    }
  }
}

TEST(CocoPrecision, HasAnIntervalOverImages) {
  CocoCase c;
  c.images = 40;
  for (std::size_t i = 0; i < c.images; ++i) {
    c.truths.push_back({i, 1, {10, 10, 50, 50}, {}, false});
    const double shift = i % 4 == 0 ? 100 : 0;
    c.found.push_back({i, 1, {10 + shift, 10, 50, 50}, 0.5 + 0.01 * static_cast<double>(i)});
  }
  const Figure figure = evaluated(c).figure(CocoFigure::kAp50, {.resamples = 300});
  EXPECT_EQ(figure.samples, 40);
  ASSERT_TRUE(figure.interval);
  EXPECT_TRUE(figure.interval->contains(figure.value));
  EXPECT_LT(figure.interval->lo, figure.value - 0.05);
  EXPECT_LT(figure.interval->hi, 1);
}

TEST(CocoPrecision, WithoutBoxesHasNoValue) {
  const CocoPrecision nothing = CocoPrecision::make(3, {}, {}).value();
  EXPECT_TRUE(std::isnan(nothing.value(CocoFigure::kAp)));
  EXPECT_FALSE(nothing.figure(CocoFigure::kAp).interval);
}

TEST(CocoPrecision, RefusesBoxesOfNoImageAndNumbersThatAreNone) {
  const std::vector<TrueBox> truths = {{2, 1, {0, 0, 1, 1}, {}, false}};
  EXPECT_EQ(CocoPrecision::make(2, truths, {}).error().text(),
            "error: average precision: image of true box 0 is 2, not in 0 to 1\n"
            "  hint: classes and images are counted from 0; check that labels and outputs have the "
            "same ones\n"
            "  [RIDGE-ACCU-0002]\n");
  std::vector<FoundBox> found = {{0, 1, {0, 0, 1, 1}, 1}, {0, 1, {0, 0, 1, 1}, std::nan("")}};
  EXPECT_EQ(CocoPrecision::make(2, {}, found).error().text(),
            "error: average precision: score of detection 1 is nan\n"
            "  hint: the model may have overflowed; compare its outputs with those of another "
            "runtime\n"
            "  [RIDGE-ACCU-0003]\n");
  found[0].box.width = INFINITY;
  EXPECT_EQ(CocoPrecision::make(2, {}, found).error().message(),
            "average precision: a coordinate of detection 0 is inf");
}

}  // namespace
}  // namespace ridge::accuracy
