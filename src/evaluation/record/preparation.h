// Time that samples took to be made from files, apart from the model's time.
//
//   const Preparation p = preparation_of(*evaluation.data);
//   p.median_ns, p.interval, p.steps[0].step           // "read", "decode(rgb)", ...
//
// Of one thread, on the monotonic clock, files from wherever the system has them. Thread rule:
// pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "evaluation/record/evaluation.h"
#include "stats/samples.h"

namespace ridge::evaluation {

struct StepTime {
  std::string step;  ///< "read" for the file or the element of an array, then the steps
  double median_ns = 0;
};

struct Preparation {
  std::vector<std::int64_t> samples_ns;
  double median_ns = 0;                     ///< over samples; NaN without
  std::optional<stats::Interval> interval;  ///< 95 % interval of the median
  std::vector<StepTime> steps;
};

Preparation preparation_of(const EvaluatedData& data);

}  // namespace ridge::evaluation
