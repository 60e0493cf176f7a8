// SPDX-License-Identifier: Apache-2.0
// Data that an evaluation is asked to run on (evaluation/data/data.h states its forms). Plain data.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/words.h"
#include "pipeline/output_step.h"
#include "pipeline/step.h"

namespace ridge::evaluation {

enum class Metric : std::uint8_t { kTopK, kCoco, kVoc, kMeanIou, kPsnr, kSsim, kExact, kF1, kCer };

struct EvaluationData {
  std::string source;  ///< folder or .npy; "": none
  std::string labels;  ///< file or folder of what is true (ground_truth.h); "": none
  std::vector<pipeline::Step> steps;
  std::uint32_t limit = 0;  ///< samples at most; 0: all
  Metric metric = Metric::kTopK;
  std::vector<pipeline::OutputStep> post = {};  ///< steps after the run
};

}  // namespace ridge::evaluation

namespace ridge {

template <>
struct Words<evaluation::Metric> {
  using Metric = evaluation::Metric;
  static constexpr std::array list{
      Word{Metric::kTopK, "top-k"},   Word{Metric::kCoco, "coco"}, Word{Metric::kVoc, "voc"},
      Word{Metric::kMeanIou, "miou"}, Word{Metric::kPsnr, "psnr"}, Word{Metric::kSsim, "ssim"},
      Word{Metric::kExact, "exact"},  Word{Metric::kF1, "f1"},     Word{Metric::kCer, "cer"}};
};

}  // namespace ridge
