// SPDX-License-Identifier: Apache-2.0
#include "evaluation/answers/metric_counter.h"

#include <fmt/format.h>

namespace ridge::evaluation {
namespace {

std::string_view steps_for(Metric metric) {
  switch (metric) {
    case Metric::kTopK:
      return "top(5)";
    case Metric::kCoco:
    case Metric::kVoc:
      return "boxes(corners)";
    case Metric::kMeanIou:
      return "masks(chw)";
    case Metric::kPsnr:
    case Metric::kSsim:
      return "image(chw, multiply=255)";
    case Metric::kExact:
    case Metric::kF1:
      return "words labels(FILE)";
    case Metric::kCer:
      break;
  }
  return "ctc labels(FILE)";
}

}  // namespace

Error unfit_answer(Metric metric) {
  return input_error("RIDGE-WB-0117",
                     fmt::format("the metric {} takes another kind of answers", word(metric)))
      .hint(fmt::format("add steps after the run: --post '{}'", steps_for(metric)));
}

}  // namespace ridge::evaluation
