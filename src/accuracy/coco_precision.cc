// SPDX-License-Identifier: Apache-2.0
#include "accuracy/coco_precision.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace ridge::accuracy {
namespace {

constexpr std::size_t kRecalls = 101;
constexpr double kNoPrecision = std::numeric_limits<double>::quiet_NaN();

enum class CocoQuantity : std::uint8_t { kPrecision, kRecall };

/// Settings of one of the figures.
struct Rule {
  CocoQuantity quantity;
  std::size_t first_threshold, thresholds;
  CocoRange range;
  std::size_t most;  ///< detections per image and category
};

constexpr std::array<Rule, kCocoFigures> kRules = {{
    {CocoQuantity::kPrecision, 0, 10, CocoRange::kAll, 100},
    {CocoQuantity::kPrecision, 0, 1, CocoRange::kAll, 100},
    {CocoQuantity::kPrecision, 5, 1, CocoRange::kAll, 100},
    {CocoQuantity::kPrecision, 0, 10, CocoRange::kSmall, 100},
    {CocoQuantity::kPrecision, 0, 10, CocoRange::kMedium, 100},
    {CocoQuantity::kPrecision, 0, 10, CocoRange::kLarge, 100},
    {CocoQuantity::kRecall, 0, 10, CocoRange::kAll, 1},
    {CocoQuantity::kRecall, 0, 10, CocoRange::kAll, 10},
    {CocoQuantity::kRecall, 0, 10, CocoRange::kAll, 100},
    {CocoQuantity::kRecall, 0, 10, CocoRange::kSmall, 100},
    {CocoQuantity::kRecall, 0, 10, CocoRange::kMedium, 100},
    {CocoQuantity::kRecall, 0, 10, CocoRange::kLarge, 100},
}};

const Rule& rule_of(CocoFigure figure) { return kRules[static_cast<std::size_t>(figure)]; }

std::int64_t counted_truths(const CocoMatches& matches, Weights weights) {
  std::int64_t sum = 0;
  for (const auto& c : matches.counted) sum += c.truths * weight_of(weights, c.image);
  return sum;
}

/// A point of the curve of precision over recall, where a true box was found.
struct RecallPoint {
  double recall, precision;
};

/// Points at one threshold of overlap. Detections that find nothing lower the precision of later
/// points and need none of their own: no recall is reached there for the first time. For the same
/// reason the copies of a detection in an image that occurs several times make one point.
std::vector<RecallPoint> curve(const CocoMatches& matches, std::size_t threshold, std::size_t most,
                               std::int64_t truths, Weights weights) {
  const unsigned bit = 1U << threshold;
  std::vector<RecallPoint> points;
  std::int64_t right = 0, wrong = 0;
  for (const CocoDetection& d : matches.detections) {
    const std::uint32_t weight = weight_of(weights, d.image);
    if (d.rank >= most || (d.ignored & bit) != 0 || weight == 0) continue;
    if ((d.matched & bit) == 0) {
      wrong += weight;
      continue;
    }
    right += weight;
    // The program being reproduced guards against 0 / 0 by adding the spacing of doubles at 1.
    const double sum = static_cast<double>(wrong + right) + std::numeric_limits<double>::epsilon();
    points.push_back({static_cast<double>(right) / static_cast<double>(truths),
                      static_cast<double>(right) / sum});
  }
  return points;
}

/// Mean over the 101 recalls of the largest precision at that recall or a higher one.
double mean_precision(std::vector<RecallPoint> points) {
  for (std::size_t i = points.size(); i-- > 1;)
    points[i - 1].precision = std::max(points[i - 1].precision, points[i].precision);
  double sum = 0;
  std::size_t at = 0;
  for (std::size_t r = 0; r < kRecalls; ++r) {
    // As numpy.linspace(0, 1, 101) rounds it.
    const double recall = r == kRecalls - 1 ? 1.0 : static_cast<double>(r) * (1.0 / 100);
    while (at < points.size() && points[at].recall < recall) ++at;
    if (at == points.size()) break;
    sum += points[at].precision;
  }
  return sum / kRecalls;
}

/// Mean over the thresholds; NaN without a true box that counts.
double value_of(const CocoMatches& matches, const Rule& rule, Weights weights) {
  const std::int64_t truths = counted_truths(matches, weights);
  if (truths == 0) return kNoPrecision;
  double sum = 0;
  for (std::size_t t = 0; t < rule.thresholds; ++t) {
    auto points = curve(matches, rule.first_threshold + t, rule.most, truths, weights);
    if (rule.quantity == CocoQuantity::kPrecision)
      sum += mean_precision(std::move(points));
    else
      sum += points.empty() ? 0 : points.back().recall;
  }
  return sum / static_cast<double>(rule.thresholds);
}

struct BoxesOfCategory {
  std::vector<const TrueBox*> truths;
  std::vector<const FoundBox*> found;
};

template <typename T>
void order_by_image(std::vector<const T*>& boxes) {
  std::stable_sort(boxes.begin(), boxes.end(),
                   [](const T* a, const T* b) { return a->image < b->image; });
}

}  // namespace

Result<CocoPrecision> CocoPrecision::make(std::size_t images, std::span<const TrueBox> truths,
                                          std::span<const FoundBox> found) {
  TRY(check_boxes(images, truths, found));
  std::map<std::int64_t, BoxesOfCategory> boxes;
  for (const TrueBox& t : truths) boxes[t.category].truths.push_back(&t);
  for (const FoundBox& f : found) boxes[f.category].found.push_back(&f);
  CocoPrecision coco;
  coco.images_ = images;
  for (auto& [number, of] : boxes) {
    order_by_image(of.truths);
    order_by_image(of.found);
    coco.categories_.push_back(coco_matches(of.truths, of.found));
  }
  return coco;
}

double CocoPrecision::value(CocoFigure figure, Weights weights) const {
  const Rule& rule = rule_of(figure);
  double sum = 0;
  std::int64_t categories = 0;
  for (const Category& c : categories_) {
    const double value = value_of(c[static_cast<std::size_t>(rule.range)], rule, weights);
    if (std::isnan(value)) continue;
    sum += value;
    ++categories;
  }
  return categories == 0 ? kNoPrecision : sum / static_cast<double>(categories);
}

Figure CocoPrecision::figure(CocoFigure figure, const stats::BootstrapOptions& options) const {
  return resampled(
      images_, [&](Weights weights) { return value(figure, weights); }, options);
}

}  // namespace ridge::accuracy
