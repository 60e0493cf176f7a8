// SPDX-License-Identifier: Apache-2.0
// Average precision of detections (accuracy/coco_precision.h, voc_precision.h), which are moved
// from the model's input into the image of the file (pipeline/placement.h).
//
// For voc a detection's corners are pixels that belong to it, as the development kit has them.
// Errors: input class, RIDGE-WB-0119 (boxes without an image to move them into); errors of
// check_classes() and check_found().
#pragma once

#include <memory>
#include <vector>

#include "evaluation/answers/metric_counter.h"
#include "evaluation/data/box_truth.h"
#include "evaluation/data/data.h"

namespace ridge::evaluation {

/// Borrows `data`; asked.metric is kCoco or kVoc.
Result<std::unique_ptr<MetricCounter>> make_box_metric(const EvaluationData& asked,
                                                       const DataSamples& data, BoxTruth truth);

}  // namespace ridge::evaluation
