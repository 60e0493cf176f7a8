// SPDX-License-Identifier: Apache-2.0
// What MLPerf's accuracy scripts read out of mlperf_log_accuracy.json, as float32.
//
//   const auto bytes = TRY(prediction_of(outputs_of_a_sample, sample, data));
//
// accuracy-imagenet.py reads one value, the predicted class (--dtype float32, its default).
// accuracy-coco.py reads seven for each detection: the sample's number, the box's top, left, bottom
// and right as shares of the image, the score and the class (tools/ of MLCommons' inference
// repository, vision/classification_and_detection). nullopt for other answers, and for boxes in
// pixels: then the harnesses hand over the outputs themselves.
//
// Errors: those of the steps after the run. Thread rule: plain function.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "evaluation/answers/outputs.h"
#include "evaluation/data/sample_source.h"

namespace ridge::evaluation {

Result<std::optional<std::vector<float>>> prediction_of(SampleOutputs outputs, std::uint64_t sample,
                                                        const EvaluationData& data);

}  // namespace ridge::evaluation
