// SPDX-License-Identifier: Apache-2.0
// Oracles: the definitions as loops over all pixels of all windows; OpenCV's PSNR.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>
#include <vector>

#include "accuracy/psnr.h"
#include "accuracy/ssim.h"
#include "accuracy/testing.h"
#include "stats/random.h"

namespace ridge::accuracy {
namespace {

struct Pair {
  std::size_t width, height, channels;
  std::vector<float> first, second;

  ImageView a() const { return {first, width, height, channels}; }
  ImageView b() const { return {second, width, height, channels}; }
};

Pair random_pair(std::uint64_t seed, std::size_t smallest) {
  stats::Random random(seed);
  Pair p{smallest + random.below(20), smallest + random.below(20), 1 + random.below(3), {}, {}};
  const std::size_t noise = 1 + random.below(100);
  for (std::size_t i = 0; i < p.width * p.height * p.channels; ++i) {
    const auto value = static_cast<double>(random.below(256));
    const double moved = value + static_cast<double>(random.below(noise));
    p.first.push_back(static_cast<float>(value));
    p.second.push_back(static_cast<float>(std::min(moved, 255.0)));
  }
  return p;
}

/// Equation 13 at one position of a window.
double similarity_at(const Pair& p, std::size_t x0, std::size_t y0, std::size_t channel) {
  const auto weight = [](std::size_t i, std::size_t j) {
    const double dx = static_cast<double>(i) - 5, dy = static_cast<double>(j) - 5;
    return std::exp(-(dx * dx + dy * dy) / (2 * 1.5 * 1.5));
  };
  const auto each = [&](const auto& use) {
    for (std::size_t j = 0; j < 11; ++j)
      for (std::size_t i = 0; i < 11; ++i) {
        const std::size_t at = ((y0 + j) * p.width + x0 + i) * p.channels + channel;
        use(weight(i, j), double{p.first[at]}, double{p.second[at]});
      }
  };
  double total = 0, m1 = 0, m2 = 0, v1 = 0, v2 = 0, s12 = 0;
  each([&](double w, double, double) { total += w; });
  each([&](double w, double a, double b) { m1 += w / total * a, m2 += w / total * b; });
  each([&](double w, double a, double b) {
    v1 += w / total * (a - m1) * (a - m1);
    v2 += w / total * (b - m2) * (b - m2);
    s12 += w / total * (a - m1) * (b - m2);
  });
  const double c1 = 6.5025, c2 = 58.5225;
  return (2 * m1 * m2 + c1) * (2 * s12 + c2) / ((m1 * m1 + m2 * m2 + c1) * (v1 + v2 + c2));
}

TEST(Ssim, IsThatOfTheDefinition) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Pair p = random_pair(seed, 11);
    double sum = 0, positions = 0;
    for (std::size_t c = 0; c < p.channels; ++c)
      for (std::size_t y = 0; y + 11 <= p.height; ++y)
        for (std::size_t x = 0; x + 11 <= p.width; ++x, ++positions)
          sum += similarity_at(p, x, y, c);
    EXPECT_NEAR(ssim(p.a(), p.b(), 255).value(), sum / positions, 1e-10) << seed;
  }
}

TEST(Ssim, OfEqualImagesIsOne) {
  const Pair p = random_pair(1, 11);
  EXPECT_NEAR(ssim(p.a(), p.a(), 255).value(), 1, 1e-12);
}

TEST(Ssim, NanShows) {
  Pair p = random_pair(1, 11);
  p.second[0] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(ssim(p.a(), p.b(), 255).value()));
  EXPECT_TRUE(std::isnan(psnr(p.a(), p.b(), 255).value()));
}

TEST(Psnr, IsThatOfTheDefinition) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Pair p = random_pair(seed, 1);
    double squares = 0;
    for (std::size_t i = 0; i < p.first.size(); ++i)
      squares += std::pow(double{p.first[i]} - double{p.second[i]}, 2);
    const double rms = std::sqrt(squares / static_cast<double>(p.first.size()));
    const double found = psnr(p.a(), p.b(), 255).value();
    if (rms == 0)
      EXPECT_EQ(found, std::numeric_limits<double>::infinity());
    else
      EXPECT_NEAR(found, 20 * std::log10(255 / rms), 1e-10) << seed;
  }
}

TEST(PsnrSlow, IsThatOfOpenCv) {
  std::string cases;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const Pair p = random_pair(seed, 3);
    cases += fmt::format("[[{}],[{}]]\n", fmt::join(p.first, ","), fmt::join(p.second, ","));
  }
  const auto answer = testing::run_oracle("psnr_oracle.py", cases);
  if (!answer) GTEST_SKIP() << testing::kNoOracles;
  std::istringstream lines(*answer);
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const Pair p = random_pair(seed, 3);
    double expected = 0;
    ASSERT_TRUE(lines >> expected);
    if (p.first == p.second) continue;  // OpenCV has a finite ratio there
    EXPECT_NEAR(psnr(p.a(), p.b(), 255).value(), expected, 1e-9) << seed;
  }
}

TEST(ImageQuality, RefusesSizesThatDoNotFit) {
  const std::vector<float> values(12 * 12);
  const ImageView good{values, 12, 12, 1}, turned{values, 24, 6, 1}, wrong{values, 12, 13, 1};
  EXPECT_EQ(psnr(good, wrong, 1).error().message(),
            "PSNR: 144 values, but 12 x 13 pixels of 1 channels");
  EXPECT_EQ(ssim(good, turned, 1).error().message(),
            "SSIM: 12 x 12 pixels of 1 channels, but 24 x 6 of 1");
  EXPECT_EQ(ssim(turned, turned, 1).error().text(),
            "error: SSIM: an image of 24 x 6 pixels of 1 channels\n"
            "  hint: the window needs 11 x 11 pixels\n"
            "  [RIDGE-ACCU-0005]\n");
  EXPECT_EQ(psnr(good, good, 0).error().message(), "PSNR: a peak of 0");
  EXPECT_EQ(psnr({}, {}, 1).error().message(), "PSNR: an image without pixels");
  const ImageView huge{values, std::size_t{1} << 63, 2, 1};
  EXPECT_EQ(psnr(huge, huge, 1).error().code(), "RIDGE-ACCU-0001");
}

}  // namespace
}  // namespace ridge::accuracy
