// SPDX-License-Identifier: Apache-2.0
#include "analysis/bounds/resized_axis.h"

#include <algorithm>
#include <cmath>

namespace ridge::analysis {
namespace {

/// Interpolation weights below this are rounding errors.
constexpr double kWeightless = 1e-4;

struct Resize {
  std::int64_t from = 0, to = 0;
  double scale = 1;
  std::string_view coordinates, rounding, mode;

  /// Input coordinate of output `o`.
  double at(std::int64_t o) const {
    const double x = static_cast<double>(o), in = static_cast<double>(from);
    if (coordinates == "asymmetric") return x / scale;
    if (coordinates == "align_corners")
      return to == 1 ? 0 : x * (in - 1) / (static_cast<double>(to) - 1);
    if (coordinates == "pytorch_half_pixel" && to == 1) return 0;
    double shift = 0;
    if (coordinates == "half_pixel_symmetric") {
      const double length = scale * in;
      shift = in / 2 * (1 - static_cast<double>(to) / length);
    }
    return shift + (x + 0.5) / scale - 0.5;
  }

  std::int64_t nearest(double x) const {
    double r = std::floor(x);
    if (rounding == "ceil")
      r = std::ceil(x);
    else if (rounding == "round_prefer_floor")
      r = std::ceil(x - 0.5);
    else if (rounding == "round_prefer_ceil")
      r = std::floor(x + 0.5);
    return clamped(r);
  }
  std::int64_t clamped(double x) const {
    return static_cast<std::int64_t>(std::clamp(x, 0.0, static_cast<double>(from - 1)));
  }
};

/// Scale that the node specifies for this axis, 1 for an axis not in `axes`; nullopt if the node
/// specifies sizes or the scales are unknown.
std::optional<double> named_factor(const Form& f, std::size_t axis) {
  const bool region = f.node().op_type == "Resize" && f.node().opset >= 11;
  std::size_t at = axis;
  if (const std::int64_t named = f.length("axes"); named > 0) {
    const auto rank = f.input(0)->size();
    bool found = false;
    for (std::size_t k = 0; k < static_cast<std::size_t>(named); ++k) {
      const std::int64_t a = f.listed("axes", k, 0);
      const bool same =
          (a < 0 ? a + static_cast<std::int64_t>(rank) : a) == static_cast<std::int64_t>(axis);
      if (same) at = k;
      found = found || same;
    }
    if (!found) return 1;
  }
  const auto factors = f.reals(region ? 2 : 1);
  if (!factors || at >= factors->size()) return std::nullopt;
  return (*factors)[at];
}

std::optional<Resize> read(const Form& f, std::size_t axis) {
  const auto in = f.input(0), out = f.output(0);
  if (!in || !out || axis >= in->size() || out->size() != in->size()) return std::nullopt;
  Resize r{.from = (*in)[axis], .to = (*out)[axis]};
  r.mode = f.text("mode", "nearest");
  const bool old = f.node().op_type == "Upsample" || f.node().opset < 11;
  r.coordinates = old ? "asymmetric" : f.text("coordinate_transformation_mode", "half_pixel");
  r.rounding = old ? "floor" : f.text("nearest_mode", "round_prefer_floor");
  if (r.from < 1 || r.to < 1 || r.coordinates == "tf_crop_and_resize") return std::nullopt;
  const auto factor = named_factor(f, axis);
  r.scale =
      factor && *factor > 0 ? *factor : static_cast<double>(r.to) / static_cast<double>(r.from);
  return r;
}

}  // namespace

std::optional<Runs> resized_positions(const Form& f, std::size_t axis) {
  const auto r = read(f, axis);
  if (!r) return std::nullopt;
  if ((r->to == r->from && r->scale == 1) || f.integer("antialias", 0) != 0)
    return Runs{{0, r->from}};
  std::vector<std::int64_t> all;
  for (std::int64_t o = 0; o < std::min(r->to, kMaxPositions); ++o) {
    const double x = r->at(o);
    if (r->mode == "nearest") {
      all.push_back(r->nearest(x));
      continue;
    }
    all.push_back(r->clamped(std::floor(x)));
    if (x > std::floor(x) + kWeightless) all.push_back(r->clamped(std::floor(x) + 1));
  }
  return runs_of(std::move(all));
}

}  // namespace ridge::analysis
