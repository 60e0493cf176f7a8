// SPDX-License-Identifier: Apache-2.0
#include "accuracy/mean_iou.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "accuracy/fault.h"

namespace ridge::accuracy {
namespace {

constexpr const char* kMeanIou = "mean intersection over union";
constexpr double kNoOverlap = std::numeric_limits<double>::quiet_NaN();

bool is_class(std::int32_t label, std::size_t classes) {
  return label >= 0 && static_cast<std::uint32_t>(label) < classes;
}

}  // namespace

Result<Segmentation> Segmentation::make(std::size_t classes, std::optional<std::int32_t> ignored) {
  if (classes == 0 || classes > kMaxClasses)
    return bad_parameter(kMeanIou, fmt::format("{} classes", classes),
                         fmt::format("at least 1 and at most {}", kMaxClasses));
  Segmentation s;
  s.classes_ = classes;
  s.ignored_ = ignored;
  s.confusion_.assign(classes * classes, 0);
  return s;
}

Result<void> Segmentation::add(std::span<const std::int32_t> truth,
                               std::span<const std::int32_t> found) {
  if (truth.size() != found.size())
    return sizes_differ(kMeanIou, truth.size(), "true labels", found.size(), "labels found");
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (truth[i] == ignored_) continue;
    if (!is_class(truth[i], classes_))
      return out_of_range(kMeanIou, fmt::format("true label of pixel {} of image {}", i, images_),
                          truth[i], classes_);
    if (!is_class(found[i], classes_))
      return out_of_range(kMeanIou, fmt::format("label found for pixel {} of image {}", i, images_),
                          found[i], classes_);
  }
  std::vector<Counts> counts(classes_);
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (truth[i] == ignored_) continue;
    const auto t = static_cast<std::size_t>(truth[i]), f = static_cast<std::size_t>(found[i]);
    ++confusion_[t * classes_ + f];
    ++counts[t].truth;
    ++counts[f].found;
    if (t == f) ++counts[t].both;
  }
  for (std::size_t c = 0; c < classes_; ++c)
    if (counts[c].truth + counts[c].found > 0) occurrences_.push_back({images_, c, counts[c]});
  ++images_;
  return {};
}

std::vector<double> Segmentation::by_class(Weights weights) const {
  std::vector<Counts> sums(classes_);
  for (const Occurrence& o : occurrences_) {
    const std::int64_t weight = weight_of(weights, o.image);
    sums[o.label].both += weight * o.counts.both;
    sums[o.label].truth += weight * o.counts.truth;
    sums[o.label].found += weight * o.counts.found;
  }
  std::vector<double> values;
  for (const Counts& sum : sums) {
    const std::int64_t either = sum.truth + sum.found - sum.both;
    values.push_back(either == 0 ? kNoOverlap
                                 : static_cast<double>(sum.both) / static_cast<double>(either));
  }
  return values;
}

double Segmentation::value(Weights weights) const {
  double sum = 0;
  std::int64_t classes = 0;
  for (const double value : by_class(weights)) {
    if (std::isnan(value)) continue;
    sum += value;
    ++classes;
  }
  return classes == 0 ? kNoOverlap : sum / static_cast<double>(classes);
}

Figure Segmentation::figure(const stats::BootstrapOptions& options) const {
  return resampled(
      images_, [this](Weights weights) { return value(weights); }, options);
}

}  // namespace ridge::accuracy
