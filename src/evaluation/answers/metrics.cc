// SPDX-License-Identifier: Apache-2.0
#include "evaluation/answers/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "accuracy/answer_score.h"
#include "accuracy/error_rate.h"
#include "accuracy/mean_iou.h"
#include "accuracy/psnr.h"
#include "accuracy/ssim.h"
#include "evaluation/answers/box_metric.h"
#include "evaluation/data/box_truth.h"
#include "evaluation/data/ground_truth.h"
#include "evaluation/data/text_truth.h"

namespace ridge::evaluation {
namespace {

using pipeline::Answer;

constexpr std::size_t kFive = 5;
constexpr std::int32_t kUnjudged = 255;
constexpr double kPeak = 255;

Error refused_metric(std::string message) {
  return input_error("RIDGE-WB-0114", std::move(message));
}

class TopClasses final : public MetricCounter {
 public:
  explicit TopClasses(const DataSamples& data) : data_(data) {}

  Result<void> add(std::size_t sample, const Answer& answer) override {
    std::vector<std::int64_t> best;
    if (const auto* scores = std::get_if<pipeline::Scores>(&answer.value)) {
      if (scores->values.empty())
        return refused_metric("the model has no output of numbers for each sample");
      classes_ = std::ssize(scores->values);
      best = numbered(pipeline::top(scores->values, kFive));
    } else if (const auto* ranking = std::get_if<pipeline::Ranking>(&answer.value)) {
      classes_ = static_cast<std::int64_t>(ranking->of);
      most_ = std::min(most_, ranking->classes.size());
      if (ranking->classes.empty()) return refused_metric("the steps after the run keep no class");
      best = numbered(ranking->classes);
    } else {
      return unfit_answer(Metric::kTopK);
    }
    predicted_.push_back(best.empty() ? kNoClass : best.front());
    if (!answer.names.empty() && !best.empty()) names_[best.front()] = answer.names.front();
    if (data_.labels.empty()) return {};
    const std::int64_t label = data_.labels.at(sample);
    if (label >= classes_)
      return refused_metric(
                 fmt::format("a label is class {}, the model has {} classes", label, classes_))
          .hint(label == classes_ ? "classes are counted from 0: are the labels counted from 1?"
                                  : "use the labels of the classes of this model");
    const auto at = std::ranges::find(best, label) - best.begin();
    const bool among = at < std::min<std::ptrdiff_t>(std::ssize(best), kFive);
    first_.push_back(among && at == 0 ? 1 : 0);
    among_five_ += among ? 1 : 0;
    return {};
  }
  Result<void> finish(Accuracy& out) override {
    out.classes = classes_;
    out.predicted = std::move(predicted_);
    out.class_names = std::move(names_);
    if (data_.labels.empty()) return {};
    out.top1 = accuracy::proportion(std::ranges::count(first_, 1), std::ssize(first_));
    out.metrics.push_back({"top1", *out.top1});
    out.correct = std::move(first_);
    // Among five classes or fewer, top-5 is always right; a ranking of fewer than five cannot tell.
    if (classes_ <= static_cast<std::int64_t>(kFive) || most_ < kFive) return {};
    out.top5 = accuracy::proportion(among_five_, out.top1->samples);
    out.metrics.push_back({"top5", *out.top5});
    return {};
  }

 private:
  /// Class of a sample whose scores are all NaN.
  static constexpr std::int64_t kNoClass = -1;

  /// Classes whose score is a number: NaN ranks none.
  static std::vector<std::int64_t> numbered(std::span<const pipeline::Ranked> ranked) {
    std::vector<std::int64_t> out;
    for (const pipeline::Ranked& r : ranked)
      if (!std::isnan(r.score)) out.push_back(r.index);
    return out;
  }

  const DataSamples& data_;
  std::int64_t classes_ = 0, among_five_ = 0;
  std::size_t most_ = kFive;
  std::vector<std::int64_t> predicted_;
  std::vector<std::uint8_t> first_;
  std::map<std::int64_t, std::string> names_;
};

/// Segmentation against masks of the samples' names. A mask of another size is taken at the
/// nearest pixel, x * width / true width rounded down.
class MaskMetric final : public MetricCounter {
 public:
  MaskMetric(std::string folder, const DataSamples& data)
      : folder_(std::move(folder)), data_(data) {}

  Result<void> add(std::size_t sample, const Answer& answer) override {
    const auto* mask = std::get_if<pipeline::Mask>(&answer.value);
    if (mask == nullptr) return unfit_answer(Metric::kMeanIou);
    const TrueMask truth = TRY(read_mask_truth(folder_, data_.names.at(sample)));
    for (const std::int32_t c : truth.classes)
      if (c != kUnjudged && c >= static_cast<std::int64_t>(answer.classes))
        return refused_metric(
                   fmt::format("a pixel of its mask is of class {}, the model has {} classes", c,
                               answer.classes))
            .hint("255 marks pixels that are not judged");
    if (!segmentation_) segmentation_ = TRY(accuracy::Segmentation::make(kMaxClasses, kUnjudged));
    // Example: the true mask is 4 wide and the answer 2: columns 0, 1, 2, 3 read 0, 0, 1, 1.
    std::vector<std::int32_t> found;
    for (std::int64_t y = 0; y < truth.size.height; ++y)
      for (std::int64_t x = 0; x < truth.size.width; ++x) {
        const std::int64_t row = y * mask->size.height / truth.size.height;
        const std::int64_t column = x * mask->size.width / truth.size.width;
        found.push_back(mask->classes[static_cast<std::size_t>(row * mask->size.width + column)]);
      }
    return segmentation_->add(truth.classes, found);
  }
  Result<void> finish(Accuracy& out) override {
    if (segmentation_) out.metrics.push_back({"mean_iou", segmentation_->figure()});
    return {};
  }

 private:
  /// As many as a mask of bytes can name.
  static constexpr std::size_t kMaxClasses = 256;

  std::string folder_;
  const DataSamples& data_;
  std::optional<accuracy::Segmentation> segmentation_;
};

class ImageMetric final : public MetricCounter {
 public:
  ImageMetric(Metric metric, std::string folder, const DataSamples& data)
      : metric_(metric), folder_(std::move(folder)), data_(data) {}

  Result<void> add(std::size_t sample, const Answer& answer) override {
    const auto* image = std::get_if<pipeline::FloatImage>(&answer.value);
    if (image == nullptr) return unfit_answer(metric_);
    const pipeline::FloatImage truth =
        TRY(read_image_truth(folder_, data_.names.at(sample), image->channels));
    const auto compare = metric_ == Metric::kPsnr ? accuracy::psnr : accuracy::ssim;
    values_.push_back(TRY(compare(view_of(truth), view_of(*image), kPeak)));
    return {};
  }
  Result<void> finish(Accuracy& out) override {
    out.metrics.push_back({std::string(word(metric_)), accuracy::mean_figure(values_)});
    return {};
  }

 private:
  static accuracy::ImageView view_of(const pipeline::FloatImage& image) {
    return {image.data, static_cast<std::size_t>(image.width),
            static_cast<std::size_t>(image.height), static_cast<std::size_t>(image.channels)};
  }

  Metric metric_;
  std::string folder_;
  const DataSamples& data_;
  std::vector<double> values_;
};

class TextMetric final : public MetricCounter {
 public:
  TextMetric(Metric metric, TextTruth truth)
      : metric_(metric), truth_(std::move(truth.texts)), notes_(std::move(truth.notes)) {}

  Result<void> add(std::size_t, const Answer& answer) override {
    if (!std::holds_alternative<pipeline::Reading>(answer.value)) return unfit_answer(metric_);
    found_.push_back(answer.text());
    return {};
  }
  Result<void> finish(Accuracy& out) override {
    out.notes = notes_;
    if (metric_ == Metric::kCer) {
      std::vector<std::string> references;
      for (const auto& accepted : truth_) references.push_back(accepted.front());
      for (const auto& [unit, name] : {std::pair(accuracy::ErrorUnit::kCharacter, "cer"),
                                       std::pair(accuracy::ErrorUnit::kWord, "wer")}) {
        const auto rate = TRY(accuracy::ErrorRate::make(unit, references, found_));
        out.metrics.push_back({name, rate.figure()});
      }
      return {};
    }
    accuracy::AnswerScores scores = TRY(accuracy::score_answers(found_, truth_));
    out.metrics.push_back({"exact_match", scores.exact});
    out.metrics.push_back({"f1", scores.f1});
    out.correct = std::move(scores.matched);
    return {};
  }

 private:
  Metric metric_;
  std::vector<std::vector<std::string>> truth_;
  std::vector<std::string> notes_;
  std::vector<std::string> found_;
};

}  // namespace

Result<std::unique_ptr<MetricCounter>> make_metric(const EvaluationData& asked,
                                                   const DataSamples& data) {
  using Made = std::unique_ptr<MetricCounter>;
  const std::vector<std::string> labels = class_labels(asked);
  const TruthSource source{asked.labels, data.names, labels,
                           asked.limit == 0 ? Whole::kYes : Whole::kNo, data.truth.get()};
  switch (asked.metric) {
    case Metric::kTopK:
      return Made(std::make_unique<TopClasses>(data));
    case Metric::kMeanIou:
      return Made(std::make_unique<MaskMetric>(asked.labels, data));
    case Metric::kPsnr:
    case Metric::kSsim:
      return Made(std::make_unique<ImageMetric>(asked.metric, asked.labels, data));
    case Metric::kCoco:
      return make_box_metric(asked, data, TRY(read_coco_truth(source)));
    case Metric::kVoc:
      return make_box_metric(asked, data, TRY(read_voc_truth(source)));
    case Metric::kExact:
    case Metric::kF1:
    case Metric::kCer:
      break;
  }
  TextTruth texts = TRY(read_text_truth(source));
  if (asked.metric == Metric::kCer) TRY(check_single(texts, source));
  return Made(std::make_unique<TextMetric>(asked.metric, std::move(texts)));
}

}  // namespace ridge::evaluation
