// SPDX-License-Identifier: Apache-2.0
#include "accuracy/voc_precision.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "accuracy/fault.h"

namespace ridge::accuracy {
namespace {

constexpr double kNoCurve = std::numeric_limits<double>::quiet_NaN();

/// A point of the curve where a true box was found: so many right of so many taken.
struct CurvePoint {
  std::int64_t right;
  double precision;
};

/// Mean over eleven recalls. Recalls are compared as whole numbers: right / truths >= r / 10.
double eleven_points(std::span<const CurvePoint> points, std::int64_t truths) {
  double sum = 0;
  for (std::int64_t r = 0; r <= 10; ++r) {
    const auto at = std::find_if(points.begin(), points.end(),
                                 [&](const CurvePoint& p) { return 10 * p.right >= r * truths; });
    if (at != points.end()) sum += at->precision;
  }
  return sum / 11;
}

double all_points(std::span<const CurvePoint> points, std::int64_t truths) {
  // Example: 2 true boxes, found first with precision 1, then with 0.5: (1 * 1 + 1 * 0.5) / 2 =
  // 0.75.
  double area = 0;
  std::int64_t before = 0;
  for (const CurvePoint& p : points) {
    area += static_cast<double>(p.right - before) * p.precision;
    before = p.right;
  }
  return area / static_cast<double>(truths);
}

}  // namespace

VocPrecision::Category VocPrecision::judge(std::span<const TrueBox* const> truths,
                                           std::vector<const FoundBox*> found, double min_overlap) {
  Category category;
  std::map<std::size_t, std::vector<const TrueBox*>> by_image;
  for (const TrueBox* t : truths) {
    by_image[t->image].push_back(t);
    if (!t->ignored) category.truth_images.push_back(t->image);
  }
  std::stable_sort(found.begin(), found.end(), [](const FoundBox* a, const FoundBox* b) {
    return a->score != b->score ? a->score > b->score : a->image < b->image;
  });
  std::map<const TrueBox*, bool> taken;
  for (const FoundBox* f : found) {
    // As the VOC development kit, and unlike COCO: only the box with the largest overlap is looked
    // at. If an earlier detection took it, this one is wrong, though a second box may fit too.
    const TrueBox* best = nullptr;
    double most = -1;
    for (const TrueBox* t : by_image[f->image])
      if (const double shared = overlap(f->box, t->box); shared > most) {
        most = shared;
        best = t;
      }
    Verdict verdict = Verdict::kWrong;
    if (best != nullptr && most >= min_overlap) {
      bool& found_before = taken[best];
      verdict = best->ignored  ? Verdict::kUncounted
                : found_before ? Verdict::kWrong
                               : Verdict::kRight;
      found_before = true;
    }
    category.judged.push_back({f->score, f->image, verdict});
  }
  return category;
}

Result<VocPrecision> VocPrecision::make(std::size_t images, std::span<const TrueBox> truths,
                                        std::span<const FoundBox> found, double min_overlap) {
  if (!(min_overlap > 0 && min_overlap <= 1))
    return bad_parameter("average precision", fmt::format("an overlap of {}", min_overlap),
                         "overlaps lie above 0 and up to 1; Pascal VOC takes 0.5");
  TRY(check_boxes(images, truths, found));
  struct Boxes {
    std::vector<const TrueBox*> truths;
    std::vector<const FoundBox*> found;
  };
  std::map<std::int64_t, Boxes> boxes;
  for (const TrueBox& t : truths) boxes[t.category].truths.push_back(&t);
  for (const FoundBox& f : found) boxes[f.category].found.push_back(&f);
  VocPrecision voc;
  voc.images_ = images;
  for (auto& [number, of] : boxes)
    voc.categories_.push_back(judge(of.truths, std::move(of.found), min_overlap));
  return voc;
}

double VocPrecision::value_of(const Category& category, VocCurve curve, Weights weights) {
  std::int64_t truths = 0, right = 0, taken = 0;
  for (const std::size_t image : category.truth_images) truths += weight_of(weights, image);
  if (truths == 0) return kNoCurve;
  std::vector<CurvePoint> points;
  for (const Judged& j : category.judged) {
    const std::uint32_t weight = weight_of(weights, j.image);
    if (weight == 0 || j.verdict == Verdict::kUncounted) continue;
    taken += weight;
    if (j.verdict == Verdict::kWrong) continue;
    right += weight;
    points.push_back({right, static_cast<double>(right) / static_cast<double>(taken)});
  }
  for (std::size_t i = points.size(); i-- > 1;)
    points[i - 1].precision = std::max(points[i - 1].precision, points[i].precision);
  return curve == VocCurve::kElevenPoints ? eleven_points(points, truths)
                                          : all_points(points, truths);
}

double VocPrecision::value(VocCurve curve, Weights weights) const {
  double sum = 0;
  std::int64_t categories = 0;
  for (const Category& c : categories_) {
    const double value = value_of(c, curve, weights);
    if (std::isnan(value)) continue;
    sum += value;
    ++categories;
  }
  return categories == 0 ? kNoCurve : sum / static_cast<double>(categories);
}

Figure VocPrecision::figure(VocCurve curve, const stats::BootstrapOptions& options) const {
  return resampled(
      images_, [&](Weights weights) { return value(curve, weights); }, options);
}

}  // namespace ridge::accuracy
