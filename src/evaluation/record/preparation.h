// SPDX-License-Identifier: Apache-2.0
// Time that samples took to be made from files, apart from the model's time.
//
//   const Preparation p = preparation_of(data, names.size(), spans);
//   p.samples_ns[3], p.steps[0].step                   // "read", "decode(rgb)", ...
//
// Of one thread, on the monotonic clock, files from wherever the system has them. Thread rule:
// pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "evaluation/data/sample_source.h"

namespace ridge::evaluation {

struct StepTime {
  std::string step;      ///< "read" for the file or the element of an array, then the steps
  double median_ns = 0;  ///< over samples; NaN without
};

struct Preparation {
  std::vector<StepTime> steps;
  std::vector<std::int64_t> samples_ns;
};

Preparation preparation_of(const EvaluationData& data, std::size_t samples,
                           std::span<const StepSpan> spans);

}  // namespace ridge::evaluation
