// SPDX-License-Identifier: Apache-2.0
#include "pipeline/pillow_taps.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ridge::pipeline {
namespace {

double box(double t) { return t > -0.5 && t <= 0.5 ? 1.0 : 0.0; }

double bilinear(double t) {
  t = std::abs(t);
  return t < 1.0 ? 1.0 - t : 0.0;
}

double hamming(double t) {
  t = std::abs(t);
  if (t == 0.0) return 1.0;
  if (t >= 1.0) return 0.0;
  t *= std::numbers::pi;
  // Pillow's constants are of type float.
  return std::sin(t) / t * (double{0.54F} + double{0.46F} * std::cos(t));
}

double bicubic(double t) {
  constexpr double kA = -0.5;
  t = std::abs(t);
  if (t < 1.0) return ((kA + 2.0) * t - (kA + 3.0)) * t * t + 1;
  if (t < 2.0) return (((t - 5) * t + 8) * t - 4) * kA;
  return 0.0;
}

double sinc(double t) {
  if (t == 0.0) return 1.0;
  t *= std::numbers::pi;
  return std::sin(t) / t;
}

double lanczos(double t) { return t >= -3.0 && t < 3.0 ? sinc(t) * sinc(t / 3) : 0.0; }

struct Kernel {
  double (*value)(double);
  double support;
};

Kernel kernel_of(PillowFilter filter) {
  switch (filter) {
    case PillowFilter::kHamming:
      return {hamming, 1.0};
    case PillowFilter::kBicubic:
      return {bicubic, 2.0};
    case PillowFilter::kLanczos:
      return {lanczos, 3.0};
    case PillowFilter::kBox:
      return {box, 0.5};
    case PillowFilter::kNearest:
    case PillowFilter::kBilinear:
      break;
  }
  return {bilinear, 1.0};
}

/// Rounds half away from zero.
std::int32_t fixed_point(double weight) {
  constexpr double kOne = 1 << kPillowBits;
  return static_cast<std::int32_t>(weight * kOne + (weight < 0 ? -0.5 : 0.5));
}

}  // namespace

PillowTaps pillow_taps(int inputs, int outputs, PillowFilter filter) {
  const Kernel kernel = kernel_of(filter);
  const double scale = static_cast<double>(inputs) / outputs;
  const double stretch = std::max(scale, 1.0);
  const double support = kernel.support * stretch, shrink = 1.0 / stretch;
  PillowTaps taps;
  taps.most = static_cast<std::size_t>(std::ceil(support)) * 2 + 2;
  taps.all.resize(taps.most * static_cast<std::size_t>(outputs));
  std::vector<double> weights(taps.most);
  for (int x = 0; x < outputs; ++x) {
    const double center = (x + 0.5) * scale;
    const int first = std::max(static_cast<int>(std::floor(center - support + 0.5)), 0);
    const int count =
        std::min(static_cast<int>(std::floor(center + support + 0.5)), inputs) - first;
    double sum = 0;
    for (int i = 0; i < count; ++i)
      sum += weights[static_cast<std::size_t>(i)] =
          kernel.value((i + first - center + 0.5) * shrink);
    std::int32_t* out = taps.all.data() + static_cast<std::size_t>(x) * taps.most;
    for (int i = 0; i < count; ++i) {
      const double weight = weights[static_cast<std::size_t>(i)];
      out[i] = fixed_point(sum != 0.0 ? weight / sum : weight);
    }
    taps.first.push_back(first);
    taps.count.push_back(count);
  }
  for (std::size_t i = 0; i < taps.all.size(); i += 2)
    taps.all_pairs.push_back(weight_pair(taps.all[i], taps.all[i + 1]));
  return taps;
}

}  // namespace ridge::pipeline
