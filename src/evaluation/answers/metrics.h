// SPDX-License-Identifier: Apache-2.0
// Metrics of an evaluation: answers of a model against what is true (ground_truth.h), one sample
// at a time.
//
//   std::unique_ptr<MetricCounter> metric = TRY(make_metric(asked, data));
//   TRY(metric->add(sample, answer));
//   TRY(metric->finish(accuracy));
//
// top-k takes scores or top(k); coco and voc boxes(...); miou masks; psnr and ssim image, its
// values on the scale of the references (0 to 255 for PNG); exact, f1 and cer the text of ctc or
// words. Errors: input class, RIDGE-WB-0114 (scores or labels that do not fit), RIDGE-WB-0117 (an
// answer of another kind); the metrics' errors.
#pragma once

#include <memory>

#include "evaluation/answers/metric_counter.h"
#include "evaluation/data/data.h"

namespace ridge::evaluation {

/// Borrows `data`.
Result<std::unique_ptr<MetricCounter>> make_metric(const EvaluationData& asked,
                                                   const DataSamples& data);

}  // namespace ridge::evaluation
