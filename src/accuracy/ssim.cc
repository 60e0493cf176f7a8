// SPDX-License-Identifier: Apache-2.0
#include "accuracy/ssim.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <vector>

#include "accuracy/fault.h"

namespace ridge::accuracy {
namespace {

constexpr const char* kSsim = "SSIM";
using WindowWeights = std::array<double, kSsimWindow>;

/// One dimension of the window; the window is the product of two.
WindowWeights gaussian() {
  WindowWeights weights{};
  double sum = 0;
  for (std::size_t i = 0; i < kSsimWindow; ++i) {
    const double x = static_cast<double>(i) - (kSsimWindow - 1) / 2.0;
    weights[i] = std::exp(-x * x / (2 * 1.5 * 1.5));
    sum += weights[i];
  }
  for (double& w : weights) w /= sum;
  return weights;
}

/// Weighted sums of both images and of their products at a position.
struct Moments {
  double first = 0, second = 0, squares_first = 0, squares_second = 0, products = 0;

  void add(double weight, const Moments& m) {
    first += weight * m.first;
    second += weight * m.second;
    squares_first += weight * m.squares_first;
    squares_second += weight * m.squares_second;
    products += weight * m.products;
  }
};

double similarity(const Moments& m, double peak) {
  const double c1 = 0.01 * peak * 0.01 * peak, c2 = 0.03 * peak * 0.03 * peak;
  const double variance_first = m.squares_first - m.first * m.first;
  const double variance_second = m.squares_second - m.second * m.second;
  const double covariance = m.products - m.first * m.second;
  return (2 * m.first * m.second + c1) * (2 * covariance + c2) /
         ((m.first * m.first + m.second * m.second + c1) * (variance_first + variance_second + c2));
}

/// Sums over the windows' width in row `y`, at each position of a window.
void filter_row(const ImageView& a, const ImageView& b, std::size_t y, std::size_t channel,
                const WindowWeights& weights, std::vector<Moments>& out) {
  const auto at = [&](const ImageView& image, std::size_t x) {
    return double{image.values[(y * image.width + x) * image.channels + channel]};
  };
  for (std::size_t x = 0; x < out.size(); ++x) {
    out[x] = {};
    for (std::size_t i = 0; i < kSsimWindow; ++i) {
      const double first = at(a, x + i), second = at(b, x + i);
      out[x].add(weights[i], {first, second, first * first, second * second, first * second});
    }
  }
}

double channel_sum(const ImageView& a, const ImageView& b, std::size_t channel, double peak) {
  const WindowWeights weights = gaussian();
  const std::size_t columns = a.width - kSsimWindow + 1;
  // The last eleven rows, filtered; row y is at y % 11.
  std::array<std::vector<Moments>, kSsimWindow> rows;
  for (auto& row : rows) row.resize(columns);
  double sum = 0;
  for (std::size_t y = 0; y < a.height; ++y) {
    filter_row(a, b, y, channel, weights, rows[y % kSsimWindow]);
    if (y + 1 < kSsimWindow) continue;
    for (std::size_t x = 0; x < columns; ++x) {
      Moments moments;
      for (std::size_t i = 0; i < kSsimWindow; ++i)
        moments.add(weights[i], rows[(y + 1 + i) % kSsimWindow][x]);
      sum += similarity(moments, peak);
    }
  }
  return sum;
}

}  // namespace

Result<double> ssim(const ImageView& reference, const ImageView& found, double peak) {
  TRY(check_images(kSsim, reference, found));
  if (reference.width < kSsimWindow || reference.height < kSsimWindow || reference.channels == 0)
    return bad_parameter(kSsim,
                         fmt::format("an image of {} x {} pixels of {} channels", reference.width,
                                     reference.height, reference.channels),
                         "the window needs 11 x 11 pixels");
  if (!std::isfinite(peak) || peak <= 0)
    return bad_parameter(kSsim, fmt::format("a peak of {}", peak),
                         "the largest value that a pixel can have: 255 or 1");
  double sum = 0;
  for (std::size_t c = 0; c < reference.channels; ++c)
    sum += channel_sum(reference, found, c, peak);
  const std::size_t positions =
      (reference.width - kSsimWindow + 1) * (reference.height - kSsimWindow + 1);
  return sum / static_cast<double>(positions * reference.channels);
}

}  // namespace ridge::accuracy
