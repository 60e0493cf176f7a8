// SPDX-License-Identifier: Apache-2.0
#include "evaluation/answers/box_metric.h"

#include <array>

#include "accuracy/coco_precision.h"
#include "accuracy/voc_precision.h"
#include "pipeline/placement.h"

namespace ridge::evaluation {
namespace {

using accuracy::CocoFigure;
using accuracy::VocCurve;

constexpr std::array<std::pair<const char*, CocoFigure>, accuracy::kCocoFigures> kCocoRows = {{
    {"coco_ap", CocoFigure::kAp},
    {"coco_ap50", CocoFigure::kAp50},
    {"coco_ap75", CocoFigure::kAp75},
    {"coco_ap_small", CocoFigure::kApSmall},
    {"coco_ap_medium", CocoFigure::kApMedium},
    {"coco_ap_large", CocoFigure::kApLarge},
    {"coco_ar1", CocoFigure::kAr1},
    {"coco_ar10", CocoFigure::kAr10},
    {"coco_ar100", CocoFigure::kAr100},
    {"coco_ar_small", CocoFigure::kArSmall},
    {"coco_ar_medium", CocoFigure::kArMedium},
    {"coco_ar_large", CocoFigure::kArLarge},
}};

class BoxMetric final : public MetricCounter {
 public:
  BoxMetric(const EvaluationData& asked, const DataSamples& data, BoxTruth truth,
            pipeline::BoxUnit unit)
      : metric_(asked.metric),
        steps_(asked.steps),
        data_(data),
        truth_(std::move(truth)),
        unit_(unit) {}

  Result<void> add(std::size_t sample, const pipeline::Answer& answer) override {
    const auto* found = std::get_if<pipeline::Detections>(&answer.value);
    if (found == nullptr) return unfit_answer(metric_);
    if (answer.classes > 0) TRY(check_classes(truth_, answer.classes));
    const pipeline::Placement placement = TRY(placement_of_sample(sample));
    for (const pipeline::Detection& d : *found) {
      TRY(check_found(truth_, d.label));
      pipeline::Box box = d.box;
      if (unit_ == pipeline::BoxUnit::kShares) {
        const auto width = static_cast<float>(placement.input.width);
        const auto height = static_cast<float>(placement.input.height);
        box = {box.left * width, box.top * height, box.right * width, box.bottom * height};
      }
      box = placement.undone(box);
      const double edge = metric_ == Metric::kVoc ? 1 : 0;
      found_.push_back({sample,
                        d.label,
                        {box.left, box.top, double{box.right} - box.left + edge,
                         double{box.bottom} - box.top + edge},
                        d.score});
    }
    return {};
  }
  Result<void> finish(Accuracy& out) override {
    out.notes = truth_.notes;
    if (metric_ == Metric::kVoc) {
      const auto voc = TRY(accuracy::VocPrecision::make(data_.names.size(), truth_.boxes, found_));
      out.metrics.push_back({"voc_ap", voc.figure(VocCurve::kAllPoints)});
      out.metrics.push_back({"voc_ap11", voc.figure(VocCurve::kElevenPoints)});
      return {};
    }
    const auto coco = TRY(accuracy::CocoPrecision::make(data_.names.size(), truth_.boxes, found_));
    for (const auto& [name, figure] : kCocoRows) out.metrics.push_back({name, coco.figure(figure)});
    return {};
  }

 private:
  Result<pipeline::Placement> placement_of_sample(std::size_t sample) const {
    const pipeline::Size size = data_.sizes.empty() ? pipeline::Size() : data_.sizes.at(sample);
    if (size.width > 0) return pipeline::placement_of(steps_, size);
    if (unit_ == pipeline::BoxUnit::kShares)
      return input_error("RIDGE-WB-0119", "boxes in shares of an image need images")
          .hint("give a folder of images, or boxes(..., pixels)");
    return pipeline::Placement();
  }

  Metric metric_;
  std::vector<pipeline::Step> steps_;
  const DataSamples& data_;
  BoxTruth truth_;
  std::vector<accuracy::FoundBox> found_;
  pipeline::BoxUnit unit_;
};

}  // namespace

Result<std::unique_ptr<MetricCounter>> make_box_metric(const EvaluationData& asked,
                                                       const DataSamples& data, BoxTruth truth) {
  auto unit = pipeline::BoxUnit::kPixels;
  for (const pipeline::OutputStep& step : asked.post)
    if (const auto* boxes = std::get_if<pipeline::Boxes>(&step)) unit = boxes->unit;
  return std::unique_ptr<MetricCounter>(
      std::make_unique<BoxMetric>(asked, data, std::move(truth), unit));
}

}  // namespace ridge::evaluation
