// SPDX-License-Identifier: Apache-2.0
// Oracle: sets of pixels, intersected and united class by class.
#include "accuracy/mean_iou.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "stats/random.h"

namespace ridge::accuracy {
namespace {

constexpr std::int32_t kIgnored = 255;

struct Image {
  std::vector<std::int32_t> truth, found;
};

std::vector<Image> random_images(std::uint64_t seed, std::size_t classes) {
  stats::Random random(seed);
  std::vector<Image> images(1 + random.below(5));
  for (Image& image : images)
    for (std::size_t n = random.below(60); n-- > 0;) {
      image.truth.push_back(
          random.below(7) == 0 ? kIgnored : static_cast<std::int32_t>(random.below(classes)));
      image.found.push_back(static_cast<std::int32_t>(random.below(classes)));
    }
  return images;
}

double by_sets(const std::vector<Image>& images, std::size_t classes) {
  double sum = 0;
  int occurring = 0;
  for (std::int32_t c = 0; c < static_cast<std::int32_t>(classes); ++c) {
    using Pixel = std::pair<std::size_t, std::size_t>;
    std::set<Pixel> truth, found, either, both;
    for (std::size_t i = 0; i < images.size(); ++i)
      for (std::size_t p = 0; p < images[i].truth.size(); ++p) {
        if (images[i].truth[p] == kIgnored) continue;
        if (images[i].truth[p] == c) truth.insert({i, p});
        if (images[i].found[p] == c) found.insert({i, p});
      }
    std::set_union(truth.begin(), truth.end(), found.begin(), found.end(),
                   std::inserter(either, either.end()));
    std::set_intersection(truth.begin(), truth.end(), found.begin(), found.end(),
                          std::inserter(both, both.end()));
    if (either.empty()) continue;
    sum += static_cast<double>(both.size()) / static_cast<double>(either.size());
    ++occurring;
  }
  return occurring == 0 ? std::nan("") : sum / occurring;
}

Segmentation added(const std::vector<Image>& images, std::size_t classes) {
  Segmentation s = Segmentation::make(classes, kIgnored).value();
  for (const Image& image : images) EXPECT_TRUE(s.add(image.truth, image.found).ok());
  return s;
}

TEST(MeanIou, IsThatOfSetsOfPixels) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const std::size_t classes = 1 + seed % 9;
    const auto images = random_images(seed, classes);
    const Segmentation s = added(images, classes);
    const double expected = by_sets(images, classes);
    if (std::isnan(expected))
      EXPECT_TRUE(std::isnan(s.value()));
    else
      EXPECT_NEAR(s.value(), expected, 1e-12) << seed;
    // The first image twice and no other.
    std::vector<std::uint32_t> weights(images.size());
    weights[0] = 2;
    const double alone = by_sets({images[0]}, classes);
    if (!std::isnan(alone)) {
      EXPECT_NEAR(s.value(weights), alone, 1e-12) << seed;
    }
  }
}

TEST(MeanIou, OfAWorkedExample) {
  Segmentation s = Segmentation::make(3, kIgnored).value();
  const std::vector<std::int32_t> truth = {0, 0, 0, 1, kIgnored}, found = {0, 0, 1, 1, 1};
  ASSERT_TRUE(s.add(truth, found).ok());
  EXPECT_EQ(s.confusion(0, 0), 2);
  EXPECT_EQ(s.confusion(0, 1), 1);
  EXPECT_EQ(s.confusion(1, 0), 0);
  EXPECT_NEAR(s.value(), (2.0 / 3 + 1.0 / 2) / 2, 1e-15);  // class 2 occurs nowhere
  EXPECT_TRUE(std::isnan(s.by_class()[2]));
  EXPECT_EQ(s.figure().samples, 1);
}

TEST(MeanIou, RefusesLabelsThatAreNoClass) {
  Segmentation s = Segmentation::make(3, kIgnored).value();
  EXPECT_EQ(
      s.add(std::vector<std::int32_t>{0, 3}, std::vector<std::int32_t>{0, 0}).error().message(),
      "mean intersection over union: true label of pixel 1 of image 0 is 3, not in 0 to 2");
  EXPECT_EQ(
      s.add(std::vector<std::int32_t>{0}, std::vector<std::int32_t>{-1}).error().message(),
      "mean intersection over union: label found for pixel 0 of image 0 is -1, not in 0 to 2");
  EXPECT_EQ(s.add(std::vector<std::int32_t>{0}, {}).error().code(), "RIDGE-ACCU-0001");
  EXPECT_EQ(s.images(), 0U);
  EXPECT_TRUE(std::isnan(s.value()));
  EXPECT_EQ(Segmentation::make(5000, {}).error().text(),
            "error: mean intersection over union: 5000 classes\n"
            "  hint: at least 1 and at most 4096\n"
            "  [RIDGE-ACCU-0005]\n");
}

}  // namespace
}  // namespace ridge::accuracy
