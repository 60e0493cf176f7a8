// SPDX-License-Identifier: Apache-2.0
#include "pipeline/boxes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace ridge::pipeline {
namespace {

bool detected_before(const Detection& a, const Detection& b) {
  if (a.score != b.score) return a.score > b.score;
  return a.index != b.index ? a.index < b.index : a.label < b.label;
}

double area(const Box& box) {
  const double width = double{box.right} - box.left, height = double{box.bottom} - box.top;
  return width > 0 && height > 0 ? width * height : 0;
}

Result<void> check_lengths(std::span<const float> boxes, std::span<const float> scores,
                           std::size_t classes) {
  const std::size_t count = boxes.size() / 4;
  if (boxes.size() % 4 == 0 && classes > 0 && scores.size() / classes == count &&
      scores.size() % classes == 0)
    return {};
  return input_error("RIDGE-PIPE-0032",
                     fmt::format("{} values of boxes and {} scores of {} classes", boxes.size(),
                                 scores.size(), classes))
      .hint("each box has four values, and a score for each class");
}

Box box_at(std::span<const float> boxes, std::size_t i, BoxFormat format) {
  return corners({boxes[4 * i], boxes[4 * i + 1], boxes[4 * i + 2], boxes[4 * i + 3]}, format);
}

/// Adds the detections of one class to `all`.
void add_suppressed(std::vector<Detection> of_class, const DetectionRule& rule,
                    std::vector<Detection>& all) {
  const auto kept = suppressed(std::move(of_class), rule.overlap, rule.most);
  all.insert(all.end(), kept.begin(), kept.end());
}

/// Each box as its class of highest score; of equal scores the lower class, as argmax takes it.
std::vector<Detection> best_of_each(std::span<const float> boxes, std::span<const float> scores,
                                    std::size_t classes, const DetectionRule& rule) {
  std::map<std::int64_t, std::vector<Detection>> by_class;
  for (std::size_t i = 0; i < boxes.size() / 4; ++i) {
    const auto of_box = scores.subspan(i * classes, classes);
    const auto best = std::ranges::max_element(of_box);
    const auto label = static_cast<std::int64_t>(best - of_box.begin());
    if (label < rule.first_class) continue;
    if (rule.until && *best < *rule.until) break;
    if (*best > rule.score)
      by_class[label].push_back(
          {box_at(boxes, i, rule.format), label, *best, static_cast<std::int64_t>(i)});
  }
  std::vector<Detection> all;
  for (auto& [label, of_class] : by_class) add_suppressed(std::move(of_class), rule, all);
  return all;
}

/// Each box as each of its classes.
std::vector<Detection> every_class(std::span<const float> boxes, std::span<const float> scores,
                                   std::size_t classes, const DetectionRule& rule) {
  std::vector<Detection> all;
  for (auto label = static_cast<std::size_t>(std::max<std::int64_t>(rule.first_class, 0));
       label < classes; ++label) {
    std::vector<Detection> of_class;
    for (std::size_t i = 0; i < boxes.size() / 4; ++i) {
      const float score = scores[i * classes + label];
      if (rule.until && score < *rule.until) break;
      if (score > rule.score)
        of_class.push_back({box_at(boxes, i, rule.format), static_cast<std::int64_t>(label), score,
                            static_cast<std::int64_t>(i)});
    }
    add_suppressed(std::move(of_class), rule, all);
  }
  return all;
}

}  // namespace

Box corners(const std::array<float, 4>& v, BoxFormat format) {
  switch (format) {
    case BoxFormat::kCorners:
      return {v[0], v[1], v[2], v[3]};
    case BoxFormat::kCornersYFirst:
      return {v[1], v[0], v[3], v[2]};
    case BoxFormat::kCornerSize:
      return {v[0], v[1], v[0] + v[2], v[1] + v[3]};
    case BoxFormat::kCenterSize:
      break;
  }
  return {v[0] - v[2] / 2, v[1] - v[3] / 2, v[0] + v[2] / 2, v[1] + v[3] / 2};
}

double overlap(const Box& a, const Box& b) {
  const double common = area({std::max(a.left, b.left), std::max(a.top, b.top),
                              std::min(a.right, b.right), std::min(a.bottom, b.bottom)});
  return common > 0 ? common / (area(a) + area(b) - common) : 0;
}

std::vector<Detection> suppressed(std::vector<Detection> candidates, double max_overlap,
                                  std::size_t most) {
  std::sort(candidates.begin(), candidates.end(), detected_before);
  std::vector<Detection> kept;
  for (const Detection& candidate : candidates) {
    if (kept.size() == most) break;
    const bool shown = std::any_of(kept.begin(), kept.end(), [&](const Detection& other) {
      return overlap(other.box, candidate.box) > max_overlap;
    });
    if (!shown) kept.push_back(candidate);
  }
  return kept;
}

Result<std::vector<Detection>> detections(std::span<const float> boxes,
                                          std::span<const float> scores, std::size_t classes,
                                          const DetectionRule& rule) {
  TRY(check_lengths(boxes, scores, classes));
  std::vector<Detection> all = rule.classes_of == ClassesOf::kBest
                                   ? best_of_each(boxes, scores, classes, rule)
                                   : every_class(boxes, scores, classes, rule);
  std::sort(all.begin(), all.end(), detected_before);
  all.resize(std::min(all.size(), rule.most));
  return all;
}

}  // namespace ridge::pipeline
