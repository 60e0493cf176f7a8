// SPDX-License-Identifier: Apache-2.0
// A metric of an evaluation while its answers come in (evaluation/answers/metrics.h makes one).
#pragma once

#include <cstddef>

#include "base/result.h"
#include "evaluation/data/sample_source.h"
#include "evaluation/record/accuracy.h"
#include "pipeline/answer.h"

namespace ridge::evaluation {

class MetricCounter {
 public:
  virtual ~MetricCounter() = default;
  virtual Result<void> add(std::size_t sample, const pipeline::Answer& answer) = 0;
  /// Sets the figures once every sample was added.
  virtual Result<void> finish(Accuracy& out) = 0;
};

/// Error for an answer of another kind than the metric takes (RIDGE-WB-0117), with the steps that
/// make the right one.
Error unfit_answer(Metric metric);

}  // namespace ridge::evaluation
