// SPDX-License-Identifier: Apache-2.0
#include "accuracy/coco_match.h"

#include <algorithm>

namespace ridge::accuracy {
namespace {

struct Range {
  double least, most;
  bool contains(double area) const { return least <= area && area <= most; }
};
constexpr std::array<Range, kCocoRanges> kRanges = {
    {{0, 1e10}, {0, 32.0 * 32}, {32.0 * 32, 96.0 * 96}, {96.0 * 96, 1e10}}};

double area_of(const Box& box) { return box.width * box.height; }

/// One image of one category: the boxes and their overlaps, overlaps[detection][true box].
struct Scene {
  std::span<const TrueBox* const> truths;
  std::vector<const FoundBox*> found;
  std::vector<double> overlaps;

  double overlap_of(std::size_t d, std::size_t t) const { return overlaps[d * truths.size() + t]; }
};

Scene make_scene(std::span<const TrueBox* const> truths, std::span<const FoundBox* const> found) {
  Scene scene{truths, {found.begin(), found.end()}, {}};
  std::stable_sort(scene.found.begin(), scene.found.end(),
                   [](const FoundBox* a, const FoundBox* b) { return a->score > b->score; });
  scene.found.resize(std::min(scene.found.size(), kCocoMost));
  for (const FoundBox* f : scene.found)
    for (const TrueBox* t : truths)
      scene.overlaps.push_back(overlap(f->box, t->box, t->ignored ? Union::kFirst : Union::kBoth));
  return scene;
}

/// True boxes in the order in which they are tried: those that count first.
struct Candidates {
  std::vector<std::size_t> order;
  std::size_t counted = 0;
};

Candidates candidates(const Scene& scene, const Range& range) {
  Candidates found;
  found.order.reserve(scene.truths.size());
  const auto counts = [&](std::size_t t) {
    const TrueBox& truth = *scene.truths[t];
    return !truth.ignored && range.contains(truth.area.value_or(area_of(truth.box)));
  };
  for (std::size_t t = 0; t < scene.truths.size(); ++t)
    if (counts(t)) found.order.push_back(t);
  found.counted = found.order.size();
  for (std::size_t t = 0; t < scene.truths.size(); ++t)
    if (!counts(t)) found.order.push_back(t);
  return found;
}

/// Position in the candidates' order of the box for detection `d`; the order's size if there is
/// none.
std::size_t best_box(const Scene& scene, const Candidates& boxes, const std::vector<bool>& taken,
                     std::size_t d, double threshold) {
  // As pycocotools (COCOeval.evaluateImg). Its 1 - 1e-10 lets an overlap that rounds below 1 meet a
  // threshold of 1. Boxes that count come first; once one of them fits, those that do not count are
  // no longer tried, even with more overlap. Of equal overlaps the later box wins, and a crowd may
  // be matched many times.
  double least = std::min(threshold, 1 - 1e-10);
  std::size_t best = boxes.order.size();
  for (std::size_t i = 0; i < boxes.order.size(); ++i) {
    if (i == boxes.counted && best < boxes.counted) break;
    const std::size_t t = boxes.order[i];
    if (taken[i] && !scene.truths[t]->ignored) continue;
    if (scene.overlap_of(d, t) < least) continue;
    least = scene.overlap_of(d, t);
    best = i;
  }
  return best;
}

/// Threshold i, as numpy.linspace(0.5, 0.95, 10) rounds it.
double threshold(std::size_t i) { return 0.5 + static_cast<double>(i) * ((0.95 - 0.5) / 9); }

void match(const Scene& scene, const Range& range, CocoMatches& out) {
  const Candidates boxes = candidates(scene, range);
  if (boxes.counted > 0)
    out.counted.push_back({scene.truths[0]->image, static_cast<std::int64_t>(boxes.counted)});
  const std::size_t first = out.detections.size();
  for (std::size_t d = 0; d < scene.found.size(); ++d)
    out.detections.push_back(
        {scene.found[d]->score, scene.found[d]->image, static_cast<std::uint8_t>(d), 0, 0});
  for (std::size_t i = 0; i < kCocoThresholds; ++i) {
    std::vector<bool> taken(boxes.order.size());
    const auto bit = static_cast<std::uint16_t>(1U << i);
    for (std::size_t d = 0; d < scene.found.size(); ++d) {
      CocoDetection& detection = out.detections[first + d];
      const std::size_t best = best_box(scene, boxes, taken, d, threshold(i));
      const bool matched = best < boxes.order.size();
      if (matched) {
        taken[best] = true;
        detection.matched |= bit;
      }
      if (matched ? best >= boxes.counted : !range.contains(area_of(scene.found[d]->box)))
        detection.ignored |= bit;
    }
  }
}

/// The boxes at the front of `boxes` that lie in `image`; removes them there.
template <typename T>
std::span<const T* const> take(std::span<const T* const>& boxes, std::size_t image) {
  std::size_t n = 0;
  while (n < boxes.size() && boxes[n]->image == image) ++n;
  const auto front = boxes.first(n);
  boxes = boxes.subspan(n);
  return front;
}

}  // namespace

std::array<CocoMatches, kCocoRanges> coco_matches(std::span<const TrueBox* const> truths,
                                                  std::span<const FoundBox* const> found) {
  std::array<CocoMatches, kCocoRanges> all;
  while (!truths.empty() || !found.empty()) {
    const std::size_t image = truths.empty()  ? found[0]->image
                              : found.empty() ? truths[0]->image
                                              : std::min(truths[0]->image, found[0]->image);
    const Scene scene = make_scene(take(truths, image), take(found, image));
    for (std::size_t r = 0; r < kCocoRanges; ++r) match(scene, kRanges[r], all[r]);
  }
  for (CocoMatches& matches : all)
    std::stable_sort(
        matches.detections.begin(), matches.detections.end(),
        [](const CocoDetection& a, const CocoDetection& b) { return a.score > b.score; });
  return all;
}

}  // namespace ridge::accuracy
